/// The kind of queue that a context uses.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  /// No queue: only the thread that created the context uses it. Declared for old programs; Apple's framework has long
  /// refused it.
  case confinementConcurrencyType = 0
  /// A queue of the context's own.
  case privateQueueConcurrencyType = 1
  /// On the main queue.
  case mainQueueConcurrencyType = 2
}

extension NSManagedObjectContext {
  /// The kind of queue that a context uses.
  public struct ConcurrencyType: Hashable, Sendable {
    let type: NSManagedObjectContextConcurrencyType

    /// A queue of the context's own.
    public static let privateQueue = ConcurrencyType(type: .privateQueueConcurrencyType)
    /// The main queue.
    public static let mainQueue = ConcurrencyType(type: .mainQueueConcurrencyType)
  }
}

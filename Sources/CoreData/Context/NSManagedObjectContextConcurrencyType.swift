/// On which kind of queue a context is used.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  /// On no queue, but by the thread that made it. Declared for programs of old; Apple's framework refuses it since long.
  case confinementConcurrencyType = 0
  /// On a queue of the context's own.
  case privateQueueConcurrencyType = 1
  /// On the main queue.
  case mainQueueConcurrencyType = 2
}

extension NSManagedObjectContext {
  /// On which kind of queue a context is to be used.
  public struct ConcurrencyType: Hashable, Sendable {
    let type: NSManagedObjectContextConcurrencyType

    /// A queue of the context's own.
    public static let privateQueue = ConcurrencyType(type: .privateQueueConcurrencyType)
    /// The main queue.
    public static let mainQueue = ConcurrencyType(type: .mainQueueConcurrencyType)
  }
}

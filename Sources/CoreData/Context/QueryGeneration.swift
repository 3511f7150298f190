import Foundation
import LocalCloudObjectStore

/// A state of a coordinator's stores that contexts may be asked to read.
///
/// - Difference: a state is given up when a store has grown a lot since, by more than twice its index and 64 MB, or
///   when its last token and context are gone. A context then goes on with the present state.
/// - Difference: bytes that lie in a file of their own are those of now. Stores that can't be written to or were added
///   later, and stores in memory, are read as they are.
// Sendable: every stored property is a constant; the coordinator is only compared.
open class NSQueryGenerationToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private weak var coordinator: NSPersistentStoreCoordinator?
  /// By the stores' identifiers.
  let states: [String: StoreGeneration]

  /// The state when a context next reads.
  open class var current: NSQueryGenerationToken { currentToken }

  init(_ states: [String: StoreGeneration], of coordinator: NSPersistentStoreCoordinator?) {
    self.states = states
    self.coordinator = coordinator
  }

  /// Decodes ``current``. Other states end with the process at the latest.
  public required convenience init?(coder: NSCoder) {
    guard coder.decodeBool(forKey: Self.isCurrentKey) else { return nil }
    self.init([:], of: nil)
  }

  /// Writes whether it is the token of the latest state.
  open func encode(with coder: NSCoder) { coder.encode(isCurrent, forKey: Self.isCurrentKey) }

  /// Yes: it holds values of plain types only.
  public static var supportsSecureCoding: Bool { true }
  /// The same: a token does not change.
  @discardableResult
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether it is of the same state.
  @discardableResult
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSQueryGenerationToken else { return false }
    return self === other || (isCurrent && other.isCurrent)
  }

  /// Equal for equal tokens.
  open override var hash: Int { isCurrent ? 0 : ObjectIdentifier(self).hashValue }

  var isCurrent: Bool { self === currentToken || (states.isEmpty && coordinator == nil) }

  fileprivate func isOf(_ other: NSPersistentStoreCoordinator?) -> Bool { isCurrent || coordinator === other }

  private static let isCurrentKey = "isCurrent"
}

private let currentToken = NSQueryGenerationToken([:], of: nil)

extension NSManagedObjectContext {
  /// See ``setQueryGenerationFrom(_:)``.
  func pin(to generation: NSQueryGenerationToken?) throws {
    if parent != nil {
      raiseException("Query generations can't be set on a child context: it reads what its parent does.")
    }
    guard generation?.isOf(persistentStoreCoordinator) ?? true else {
      throw CoreDataError.error(
        NSPersistentStoreOperationError,
        reason: "The query generation is one of another coordinator's stores, which may be gone.")
    }
    queryGenerationToken = generation.map { $0.isCurrent ? .current : $0 }
  }

  /// Goes on with the present state of the stores: at the next read, it is the one that the context stays with.
  func advanceGeneration() {
    if queryGenerationToken != nil { queryGenerationToken = .current }
  }
}

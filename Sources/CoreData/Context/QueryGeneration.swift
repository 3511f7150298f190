import Foundation
import LocalCloudObjectStore

/// A state of a coordinator's stores that contexts can be pinned to.
///
/// - Difference: a state is discarded when a store has grown a lot since then, by more than twice its index and 64 MB,
///   or when its last token and context are released. A context then continues with the present state.
/// - Difference: bytes in a separate file are always the present ones. Read-only stores, stores that were added later,
///   and stores in memory are read in their present state.
// Sendable: every stored property is a constant; the coordinator is only compared.
open class NSQueryGenerationToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private weak var coordinator: NSPersistentStoreCoordinator?
  /// The states by store identifier.
  let states: [String: StoreGeneration]

  /// The token for the state at a context's next read.
  open class var current: NSQueryGenerationToken { currentToken }

  init(_ states: [String: StoreGeneration], of coordinator: NSPersistentStoreCoordinator?) {
    self.states = states
    self.coordinator = coordinator
  }

  /// Decodes ``current``. Nil for other states: they end with the process at the latest.
  public required convenience init?(coder: NSCoder) {
    guard coder.decodeBool(forKey: Self.isCurrentKey) else { return nil }
    self.init([:], of: nil)
  }

  /// Encodes whether it is the token ``current``.
  open func encode(with coder: NSCoder) { coder.encode(isCurrent, forKey: Self.isCurrentKey) }

  /// Always true.
  public static var supportsSecureCoding: Bool { true }
  /// Returns the token itself, because it is immutable.
  @discardableResult
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether `object` is a token of the same state.
  @discardableResult
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSQueryGenerationToken else { return false }
    return self === other || (isCurrent && other.isCurrent)
  }

  /// Equal for equal tokens.
  open override var hash: Int { isCurrent ? 0 : ObjectIdentifier(self).hashValue }

  var isCurrent: Bool { self === currentToken || (states.isEmpty && coordinator == nil) }

  func isOf(_ other: NSPersistentStoreCoordinator?) -> Bool { isCurrent || coordinator === other }

  private static let isCurrentKey = "isCurrent"
}

private let currentToken = NSQueryGenerationToken([:], of: nil)

extension NSManagedObjectContext {
  /// Moves a pinned context to the present state: the state at its next read becomes its new state.
  func advanceGeneration() {
    if queryGenerationToken != nil { queryGenerationToken = .current }
  }
}

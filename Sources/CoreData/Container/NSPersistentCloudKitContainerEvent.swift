import Foundation
import LocalCloudCoreDataMirroring
import LocalCloudObjectStore

/// A run of the mirroring of one store: setup, import or export.
///
/// Each event is posted twice, when the run begins and when it ends. Apple calls it
/// `NSPersistentCloudKitContainer.Event`.
// Sendable: every stored property is a constant.
open class NSPersistentCloudKitContainerEvent: NSObject, NSCopying, @unchecked Sendable {
  /// The kind of a run.
  public enum EventType: Int, Sendable {
    /// The store was prepared for mirroring.
    case setup = 0
    /// Changes of the cloud were imported into the store.
    case `import` = 1
    /// Changes of the store were sent to the cloud.
    case export = 2
  }

  private let contents: MirroringEvent

  init(_ event: MirroringEvent) { contents = event }

  /// The identifier of the run; the same at its begin and its end.
  open var identifier: UUID { contents.identifier }
  /// The store's ``NSPersistentStore/identifier``.
  open var storeIdentifier: String { contents.storeIdentifier }
  /// The kind of the run.
  open var type: EventType { EventType(rawValue: contents.kind.rawValue) ?? .setup }
  /// When the run began.
  open var startDate: Date { contents.startDate }
  /// When the run ended; nil while it goes on.
  open var endDate: Date? { contents.endDate }
  /// Whether the run succeeded; false while it goes on.
  open var succeeded: Bool { contents.succeeded }
  /// The error of a failed run; nil otherwise.
  open var error: (any Error)? { contents.error }

  /// Returns the event itself, because it is immutable.
  @discardableResult
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether `object` is the same event in the same state.
  @discardableResult
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentCloudKitContainerEvent else { return false }
    return identifier == other.identifier && endDate == other.endDate
  }

  /// Equal for equal events.
  open override var hash: Int { identifier.hashValue }

  /// The identifier, the kind, the store and the outcome.
  open override var description: String {
    let name =
      switch type {
      case .setup: "setup"
      case .import: "import"
      case .export: "export"
      }
    let outcome = endDate == nil ? "started" : succeeded ? "succeeded" : "failed: \(error.map { "\($0)" } ?? "")"
    return "<NSPersistentCloudKitContainerEvent: \(identifier.uuidString) \(name) store: \(storeIdentifier) \(outcome)>"
  }
}

extension NSPersistentCloudKitContainer {
  /// A run of the mirroring of one store.
  public typealias Event = NSPersistentCloudKitContainerEvent
  /// The kind of an event.
  public typealias EventType = NSPersistentCloudKitContainerEvent.EventType
}

import Foundation
import LocalCloudObjectStore

/// A piece of the mirroring's work on one store: setup, import or export.
///
/// It is told twice, when it begins and when it ends. Apple calls it `NSPersistentCloudKitContainer.Event`.
///
/// - Difference: there is the notification alone, not the typed message that newer systems have for it.
// Sendable: every stored property is a constant.
open class NSPersistentCloudKitContainerEvent: NSObject, NSCopying, @unchecked Sendable {
  /// What an event is about.
  public enum EventType: Int, Sendable {
    /// The store was made ready for mirroring.
    case setup = 0
    /// Changes of the cloud came into the store.
    case `import` = 1
    /// Changes of the store went to the cloud.
    case export = 2
  }

  private let contents: MirroringEvent

  init(_ event: MirroringEvent) {
    contents = event
    super.init()
  }

  /// The same for the notifications of the event's begin and end.
  open var identifier: UUID { contents.identifier }
  /// The store's ``NSPersistentStore/identifier``.
  open var storeIdentifier: String { contents.storeIdentifier }
  /// What the event is about.
  open var type: EventType { EventType(rawValue: contents.kind.rawValue) ?? .setup }
  /// When it began.
  open var startDate: Date { contents.startDate }
  /// Nil while the work goes on.
  open var endDate: Date? { contents.endDate }
  /// False while the work goes on.
  open var succeeded: Bool { contents.succeeded }
  /// Why it failed; nil if it did not.
  open var error: (any Error)? { contents.error }

  /// The same: an event does not change.
  @discardableResult
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether it is the same event in the same state.
  @discardableResult
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentCloudKitContainerEvent else { return false }
    return identifier == other.identifier && endDate == other.endDate
  }

  /// Equal for equal events.
  open override var hash: Int { identifier.hashValue }

  /// The kind, the store and the times.
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
  /// What happened to a store.
  public typealias Event = NSPersistentCloudKitContainerEvent
  /// The kind of an event.
  public typealias EventType = NSPersistentCloudKitContainerEvent.EventType
}

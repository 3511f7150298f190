import Foundation

/// A piece of the mirroring's work on one store: setup, import or export.
///
/// It is told twice, when it begins and when it ends. Apple calls it `NSPersistentCloudKitContainer.Event`.
// Sendable: every stored property is a constant.
open class NSPersistentCloudKitContainerEvent: NSObject, NSCopying, @unchecked Sendable {
  public enum EventType: Int, Sendable {
    case setup = 0
    case `import` = 1
    case export = 2
  }

  private let contents: MirroringEvent

  init(_ event: MirroringEvent) {
    contents = event
    super.init()
  }

  open var identifier: UUID { contents.identifier }
  /// The store's ``NSPersistentStore/identifier``.
  open var storeIdentifier: String { contents.storeIdentifier }
  open var type: EventType { EventType(rawValue: contents.kind.rawValue) ?? .setup }
  open var startDate: Date { contents.startDate }
  /// Nil while the work goes on.
  open var endDate: Date? { contents.endDate }
  /// False while the work goes on.
  open var succeeded: Bool { contents.succeeded }
  open var error: (any Error)? { contents.error }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentCloudKitContainerEvent else { return false }
    return identifier == other.identifier && endDate == other.endDate
  }

  open override var hash: Int { identifier.hashValue }

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
  public typealias Event = NSPersistentCloudKitContainerEvent
  public typealias EventType = NSPersistentCloudKitContainerEvent.EventType
}

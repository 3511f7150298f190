import Foundation
import LocalCloudModel
import Synchronization

/// A request of the current user for pushes. Saved to a database, it applies to all of the user's devices.
///
/// Use one of the subclasses: `CKQuerySubscription`, `CKRecordZoneSubscription`, `CKDatabaseSubscription`.
// Sendable: ID and type are constants, the rest is behind a mutex.
open class CKSubscription: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The type of ``subscriptionID``.
  public typealias ID = String

  /// The content of pushes; the class is `CKNotificationInfo` because nested classes cannot be archived on Linux.
  public typealias NotificationInfo = CKNotificationInfo

  /// The subclass of a subscription.
  public enum SubscriptionType: Int, Sendable {
    /// `CKQuerySubscription`.
    case query = 1

    /// `CKRecordZoneSubscription`.
    case recordZone = 2

    /// `CKDatabaseSubscription`.
    case database = 3
  }

  /// Identifies the subscription among those of the user in its database.
  public let subscriptionID: CKSubscription.ID

  /// The subclass of this subscription.
  public let subscriptionType: CKSubscription.SubscriptionType

  private let info: Mutex<CKNotificationInfo?>

  init(id: String, type: SubscriptionType, info: CKNotificationInfo?) {
    subscriptionID = id
    subscriptionType = type
    self.info = Mutex(info)
    super.init()
  }

  /// The content of the pushes. Setting the property stores a copy. With nil, pushes contain only the change.
  open var notificationInfo: CKSubscription.NotificationInfo? {
    get { info.withLock { $0 } }
    set {
      let copy = newValue?.copy() as? CKNotificationInfo
      info.withLock { $0 = copy }
    }
  }

  var copiedInfo: CKNotificationInfo? { notificationInfo?.copy() as? CKNotificationInfo }

  /// The class, the ID and the type.
  open override var description: String {
    "<\(type(of: self)): subscriptionID=\(subscriptionID), subscriptionType=\(subscriptionType)>"
  }

  /// The subscription in the form of the service, including the reason for a refusal if the service cannot represent
  /// it.
  func save(_ translator: Translator) -> ModifySubscriptionsRequest.Save {
    raise("CKSubscription is abstract; use one of its subclasses")
  }

  // MARK: Coding and copying

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Returns nil: only subclasses can be archived.
  public required init?(coder: NSCoder) { nil }

  /// Reads the archived part that all subscriptions have. For a damaged archive it returns a placeholder and sets the
  /// unarchiver's error.
  static func archived(_ coder: NSCoder, _ type: SubscriptionType) -> Archive {
    if let archive = coder.decodePayload(Archive.self, forKey: archiveKey), archive.subscriptionType == type.rawValue {
      return archive
    }
    coder.reportDamage(forKey: archiveKey)
    return Archive(subscriptionID: "", subscriptionType: type.rawValue, notificationInfo: nil)
  }

  /// Writes the subscription to a keyed archive.
  open func encode(with coder: NSCoder) {
    coder.encodePayload(
      Archive(
        subscriptionID: subscriptionID, subscriptionType: subscriptionType.rawValue,
        notificationInfo: notificationInfo?.archive),
      forKey: Self.archiveKey)
  }

  /// Returns an independent copy.
  open func copy(with zone: NSZone? = nil) -> Any {
    raise("CKSubscription is abstract; use one of its subclasses")
  }

  struct Archive: Codable {
    var subscriptionID: String
    var subscriptionType: Int
    var notificationInfo: CKNotificationInfo.Archive?

    var info: CKNotificationInfo? { notificationInfo?.content.map(CKNotificationInfo.init(content:)) }
  }

  private static let archiveKey = "CKSubscription"
}

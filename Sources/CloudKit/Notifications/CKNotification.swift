import Foundation

/// Declares `CKNotification(fromRemoteNotificationDictionary:)`. Only an initialiser in a protocol extension can return
/// an object of a subclass.
// swift-format-ignore: NoLeadingUnderscores
public protocol _CKRemoteNotification {}

extension _CKRemoteNotification where Self: CKNotification {
  /// Reads the dictionary of a push. Returns a `CKQueryNotification`, a `CKRecordZoneNotification` or a
  /// `CKDatabaseNotification`. Returns nil if the push is not from CloudKit, or if its class is not the one that this
  /// initializer is called on.
  public init?(fromRemoteNotificationDictionary notificationDictionary: [AnyHashable: Any]) {
    guard let notification = CKNotification.read(notificationDictionary) as? Self else { return nil }
    self = notification
  }
}

/// A push from CloudKit, as an app receives it.
///
/// - Assumption: a dictionary without `ck` is none.
// Sendable: every stored property is a constant of a Sendable type.
open class CKNotification: NSObject, _CKRemoteNotification, @unchecked Sendable {
  /// The identity of a push; the class is `CKNotificationID` because nested classes cannot be archived on Linux.
  public typealias ID = CKNotificationID

  /// The subclass of a push.
  public enum NotificationType: Int, Sendable {
    /// `CKQueryNotification`.
    case query = 1

    /// `CKRecordZoneNotification`.
    case recordZone = 2

    /// A push that was marked as read. Servers no longer send it.
    case readNotification = 3

    /// `CKDatabaseNotification`.
    case database = 4
  }

  private let content: PushContent

  init(_ content: PushContent) {
    self.content = content
    super.init()
  }

  static func read(_ dictionary: [AnyHashable: Any]) -> CKNotification? {
    guard let content = PushContent(dictionary) else { return nil }
    switch content.type {
    case .query?: return CKQueryNotification(content)
    case .recordZone?: return CKRecordZoneNotification(content)
    case .database?: return CKDatabaseNotification(content)
    case .readNotification?, nil: return CKNotification(content)
    }
  }

  /// The subclass of this push.
  ///
  /// - Difference: a push that was pruned of its change is a plain `CKNotification` and has the type
  ///   `.readNotification`; Apple's has a value there that is none of the cases.
  open var notificationType: CKNotification.NotificationType { content.type ?? .readNotification }

  /// The identity of the push.
  open var notificationID: CKNotification.ID? { content.notificationID }

  /// The container with the change.
  open var containerIdentifier: String? { content.container }

  /// The owner of the subscription.
  open var subscriptionOwnerUserRecordID: CKRecord.ID? { content.owner }

  /// Whether content was left out because the push was too large.
  ///
  /// - Assumption: a push counts as pruned if it lacks the container or the change.
  open var isPruned: Bool { content.isPruned }

  /// The ID of the subscription that fired.
  // NOTE: Apple deprecated the Objective-C property. Swift does not see that property: since Swift 4.2 it has its own,
  // and the documentation of that one names no deprecation.
  open var subscriptionID: CKSubscription.ID? { content.subscriptionID }

  /// The text to show.
  @available(*, deprecated, message: "use the notification that the system shows")
  open var alertBody: String? { content.alert.body }

  /// The key of the text to show.
  @available(*, deprecated, message: "use the notification that the system shows")
  open var alertLocalizationKey: String? { content.alert.localized("")?.key }

  /// The arguments of the localized text.
  @available(*, deprecated, message: "use the notification that the system shows")
  open var alertLocalizationArgs: [String]? { content.alert.localized("")?.arguments }

  /// The title to show.
  @available(*, deprecated, message: "use the notification that the system shows")
  open var title: String? { content.alert.text("title") }

  /// The key of the title.
  @available(*, deprecated, message: "use the notification that the system shows")
  open var titleLocalizationKey: String? { content.alert.localized("title-")?.key }

  /// The arguments of the localized title.
  @available(*, deprecated, message: "use the notification that the system shows")
  open var titleLocalizationArgs: [String]? { content.alert.localized("title-")?.arguments }

  /// The subtitle to show.
  @available(*, deprecated, message: "use the notification that the system shows")
  open var subtitle: String? { content.alert.text("subtitle") }

  /// The key of the subtitle.
  @available(*, deprecated, message: "use the notification that the system shows")
  open var subtitleLocalizationKey: String? { content.alert.localized("subtitle-")?.key }

  /// The arguments of the localized subtitle.
  @available(*, deprecated, message: "use the notification that the system shows")
  open var subtitleLocalizationArgs: [String]? { content.alert.localized("subtitle-")?.arguments }

  /// The key of the action's label.
  @available(*, deprecated, message: "use the notification that the system shows")
  open var alertActionLocalizationKey: String? { content.alert.text("action-loc-key") }

  /// The image to show while the app starts.
  @available(*, deprecated, message: "use the notification that the system shows")
  open var alertLaunchImage: String? { content.alert.text("launch-image") }

  /// The number for the app's badge.
  @available(*, deprecated, message: "use the notification that the system shows")
  open var badge: NSNumber? { content.badge.map { NSNumber(value: $0) } }

  /// The sound to play.
  @available(*, deprecated, message: "use the notification that the system shows")
  open var soundName: String? { content.sound }

  /// The group of actions to offer.
  @available(*, deprecated, message: "use the notification that the system shows")
  open var category: String? { content.category }

  /// The class and the subscription ID.
  open override var description: String {
    "<\(Swift.type(of: self)): subscriptionID=\(content.subscriptionID ?? "nil")>"
  }
}

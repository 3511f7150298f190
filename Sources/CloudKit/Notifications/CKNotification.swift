import Foundation

/// What `CKNotification(fromRemoteNotificationDictionary:)` is made of: only an initialiser of a protocol can answer an
/// object of a subclass.
// swift-format-ignore: NoLeadingUnderscores
public protocol _CKRemoteNotification {}

extension _CKRemoteNotification where Self: CKNotification {
  /// Reads the dictionary of a push. Returns a `CKQueryNotification`, a `CKRecordZoneNotification` or a
  /// `CKDatabaseNotification`; nil for a push that is not CloudKit's, or not of the class that it is asked of.
  public init?(fromRemoteNotificationDictionary notificationDictionary: [AnyHashable: Any]) {
    guard let notification = CKNotification.read(notificationDictionary) as? Self else { return nil }
    self = notification
  }
}

/// A push of CloudKit's, as an app is handed it.
///
/// - Assumption: a dictionary without `ck` is none.
// Sendable: every stored property is a constant of a Sendable type.
open class CKNotification: NSObject, _CKRemoteNotification, @unchecked Sendable {
  /// The identity of a push; the class is `CKNotificationID` because nested classes cannot be archived on Linux.
  public typealias ID = CKNotificationID

  /// The subclass that a push belongs to.
  public enum NotificationType: Int, Sendable {
    /// `CKQueryNotification`.
    case query = 1

    /// `CKRecordZoneNotification`.
    case recordZone = 2

    /// A push that was marked as read; no server sends it any more.
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

  /// Which subclass this is.
  ///
  /// - Difference: a push that was pruned of what changed is a plain `CKNotification` and says `.readNotification`;
  ///   Apple's has a value there that is none of the cases.
  open var notificationType: CKNotification.NotificationType { content.type ?? .readNotification }

  /// The push's identity.
  open var notificationID: CKNotification.ID? { content.notificationID }

  /// The container in which something changed.
  open var containerIdentifier: String? { content.container }

  /// The user whose subscription it is.
  open var subscriptionOwnerUserRecordID: CKRecord.ID? { content.owner }

  /// Whether something was left out because the push was too large.
  ///
  /// - Assumption: that shows by its lacking the container or what changed.
  open var isPruned: Bool { content.isPruned }

  /// The subscription that fired.
  // NOTE: Apple deprecated the property of Objective-C, which Swift does not see; the page of Swift's own, which stands in
  // its place since Swift 4.2, names no end.
  open var subscriptionID: CKSubscription.ID? { content.subscriptionID }

  /// The text to show.
  @available(*, deprecated, message: "use the notification that the system shows")
  open var alertBody: String? { content.alert.body }

  /// The key of the text to show.
  @available(*, deprecated, message: "use the notification that the system shows")
  open var alertLocalizationKey: String? { content.alert.localized("")?.key }

  /// What fills the localized text.
  @available(*, deprecated, message: "use the notification that the system shows")
  open var alertLocalizationArgs: [String]? { content.alert.localized("")?.arguments }

  /// The title to show.
  @available(*, deprecated, message: "use the notification that the system shows")
  open var title: String? { content.alert.text("title") }

  /// The key of the title.
  @available(*, deprecated, message: "use the notification that the system shows")
  open var titleLocalizationKey: String? { content.alert.localized("title-")?.key }

  /// What fills the localized title.
  @available(*, deprecated, message: "use the notification that the system shows")
  open var titleLocalizationArgs: [String]? { content.alert.localized("title-")?.arguments }

  /// The subtitle to show.
  @available(*, deprecated, message: "use the notification that the system shows")
  open var subtitle: String? { content.alert.text("subtitle") }

  /// The key of the subtitle.
  @available(*, deprecated, message: "use the notification that the system shows")
  open var subtitleLocalizationKey: String? { content.alert.localized("subtitle-")?.key }

  /// What fills the localized subtitle.
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

  /// Type and ID.
  open override var description: String {
    "<\(Swift.type(of: self)): subscriptionID=\(content.subscriptionID ?? "nil")>"
  }
}

import Foundation
import LocalCloudModel
import LocalCloudStorage
import Synchronization

// NOTE: Apple's name is CKSubscription.NotificationInfo; the class CKSubscription has it as a typealias.

/// The content of a subscription's pushes.
///
/// - Difference: nothing is shown, played or counted on a screen; programs receive the dictionary of the push with the
///   complete content.
// Sendable: everything is behind a mutex.
open class CKNotificationInfo: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  private let content: Mutex<NotificationInfo>

  /// Makes an info for pushes that show nothing.
  public override convenience init() {
    self.init(content: NotificationInfo())
  }

  /// Makes an info with these properties.
  public convenience init(
    alertBody: String? = nil, alertLocalizationKey: String? = nil, alertLocalizationArgs: [CKRecord.FieldKey] = [],
    title: String? = nil, titleLocalizationKey: String? = nil, titleLocalizationArgs: [CKRecord.FieldKey] = [],
    subtitle: String? = nil, subtitleLocalizationKey: String? = nil, subtitleLocalizationArgs: [CKRecord.FieldKey] = [],
    alertActionLocalizationKey: String? = nil, alertLaunchImage: String? = nil, soundName: String? = nil,
    desiredKeys: [CKRecord.FieldKey] = [], shouldBadge: Bool = false, shouldSendContentAvailable: Bool = false,
    shouldSendMutableContent: Bool = false, category: String? = nil, collapseIDKey: String? = nil
  ) {
    self.init(content: NotificationInfo())
    self.alertBody = alertBody
    self.alertLocalizationKey = alertLocalizationKey
    self.alertLocalizationArgs = alertLocalizationArgs
    self.title = title
    self.titleLocalizationKey = titleLocalizationKey
    self.titleLocalizationArgs = titleLocalizationArgs
    self.subtitle = subtitle
    self.subtitleLocalizationKey = subtitleLocalizationKey
    self.subtitleLocalizationArgs = subtitleLocalizationArgs
    self.alertActionLocalizationKey = alertActionLocalizationKey
    self.alertLaunchImage = alertLaunchImage
    self.soundName = soundName
    self.desiredKeys = desiredKeys
    self.shouldBadge = shouldBadge
    self.shouldSendContentAvailable = shouldSendContentAvailable
    self.shouldSendMutableContent = shouldSendMutableContent
    self.category = category
    self.collapseIDKey = collapseIDKey
  }

  init(content: NotificationInfo) {
    self.content = Mutex(content)
    super.init()
  }

  /// The info in the form of the service.
  var serviceInfo: NotificationInfo { content.withLock { $0 } }

  /// The text to show; not used if ``alertLocalizationKey`` is set.
  open var alertBody: String? {
    get { content.withLock { $0.alert.plain } }
    set { content.withLock { $0.alert.plain = newValue } }
  }

  /// The key of the text in the app's table of localized texts.
  open var alertLocalizationKey: String? {
    get { content.withLock { $0.alert.key } }
    set { content.withLock { $0.alert.key = newValue } }
  }

  /// The fields with the values for the localized text, in order: texts, numbers and dates.
  open var alertLocalizationArgs: [CKRecord.FieldKey]? {
    get { content.withLock { $0.alert.arguments } }
    set { content.withLock { $0.alert.arguments = newValue } }
  }

  /// The title to show; not used if ``titleLocalizationKey`` is set.
  open var title: String? {
    get { content.withLock { $0.title.plain } }
    set { content.withLock { $0.title.plain = newValue } }
  }

  /// The key of the title in the app's table of localized texts.
  open var titleLocalizationKey: String? {
    get { content.withLock { $0.title.key } }
    set { content.withLock { $0.title.key = newValue } }
  }

  /// The fields with the values for the localized title, in order.
  open var titleLocalizationArgs: [CKRecord.FieldKey]? {
    get { content.withLock { $0.title.arguments } }
    set { content.withLock { $0.title.arguments = newValue } }
  }

  /// The subtitle to show; not used if ``subtitleLocalizationKey`` is set.
  open var subtitle: String? {
    get { content.withLock { $0.subtitle.plain } }
    set { content.withLock { $0.subtitle.plain = newValue } }
  }

  /// The key of the subtitle in the app's table of localized texts.
  open var subtitleLocalizationKey: String? {
    get { content.withLock { $0.subtitle.key } }
    set { content.withLock { $0.subtitle.key = newValue } }
  }

  /// The fields with the values for the localized subtitle, in order.
  open var subtitleLocalizationArgs: [CKRecord.FieldKey]? {
    get { content.withLock { $0.subtitle.arguments } }
    set { content.withLock { $0.subtitle.arguments = newValue } }
  }

  /// The key of the action's label in the app's table of localized texts.
  open var alertActionLocalizationKey: String? {
    get { content.withLock { $0.actionKey } }
    set { content.withLock { $0.actionKey = newValue } }
  }

  /// The image that the system shows while it starts the app.
  open var alertLaunchImage: String? {
    get { content.withLock { $0.launchImage } }
    set { content.withLock { $0.launchImage = newValue } }
  }

  /// The sound to play.
  open var soundName: String? {
    get { content.withLock { $0.sound } }
    set { content.withLock { $0.sound = newValue } }
  }

  /// Up to three fields. The push carries their values: strings, numbers, dates, locations and references. For query
  /// subscriptions only.
  open var desiredKeys: [CKRecord.FieldKey]? {
    get { content.withLock { $0.desiredKeys } }
    set { content.withLock { $0.desiredKeys = newValue } }
  }

  /// Whether the push increases the app's badge.
  open var shouldBadge: Bool {
    get { content.withLock { $0.badges } }
    set { content.withLock { $0.badges = newValue } }
  }

  /// Whether the app receives the push without anything being shown.
  open var shouldSendContentAvailable: Bool {
    get { content.withLock { $0.sendsContentAvailable } }
    set { content.withLock { $0.sendsContentAvailable = newValue } }
  }

  /// Whether an extension of the app may change the push before it is shown.
  open var shouldSendMutableContent: Bool {
    get { content.withLock { $0.sendsMutableContent } }
    set { content.withLock { $0.sendsMutableContent = newValue } }
  }

  /// The group of actions that the system offers with the push.
  open var category: String? {
    get { content.withLock { $0.category } }
    set { content.withLock { $0.category = newValue } }
  }

  /// The collapse ID. A push replaces earlier ones with the same ID that the user has not seen yet.
  open var collapseIDKey: String? {
    get { content.withLock { $0.collapseID } }
    set { content.withLock { $0.collapseID = newValue } }
  }

  // MARK: Coding and copying

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Reads an info from an archive; nil if the archive does not hold one.
  public required init?(coder: NSCoder) {
    guard let archive = coder.decodePayload(Archive.self, forKey: Self.archiveKey), let content = archive.content else {
      return nil
    }
    self.content = Mutex(content)
    super.init()
  }

  /// Writes the info to a keyed archive.
  open func encode(with coder: NSCoder) {
    coder.encodePayload(archive, forKey: Self.archiveKey)
  }

  /// Returns an independent copy.
  open func copy(with zone: NSZone? = nil) -> Any { CKNotificationInfo(content: serviceInfo) }

  private static let archiveKey = "CKNotificationInfo"
}

extension CKNotificationInfo {
  struct Archive: Codable {
    /// The dictionary in the server's form.
    var info: String

    var content: NotificationInfo? {
      (try? JSONValue(parsing: info))?.object.flatMap(NotificationInfo.init)
    }
  }

  var archive: Archive {
    Archive(info: String(decoding: JSONValue.object(serviceInfo.object).compact(), as: UTF8.self))
  }
}

/// The contents of a subscription's pushes: texts to show, and properties for the program.
package struct NotificationInfo: Sendable, Hashable {
  /// A text to show: plain, or a localization key with the names of the fields that fill it.
  package struct Text: Sendable, Hashable {
    package var plain: String?
    package var key: String?
    package var arguments: [String]?

    package init(_ plain: String? = nil, key: String? = nil, arguments: [String]? = nil) {
      self.plain = plain
      self.key = key
      self.arguments = arguments
    }
  }

  package var alert = Text()
  package var title = Text()
  package var subtitle = Text()
  package var actionKey: String?
  package var launchImage: String?
  package var sound: String?
  package var category: String?
  package var collapseID: String?
  /// Fields that the push carries.
  package var desiredKeys: [String]?
  package var badges = false
  package var sendsContentAvailable = false
  package var sendsMutableContent = false

  package init() {}

  /// The largest number of desired keys that a push carries.
  package static let mostDesiredKeys = 3
}

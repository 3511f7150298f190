import LocalCloudModel

/// Options for the contents of pushes, one for each property.
enum NotificationOptions {
  private static let texts: [(OptionDescription, WritableKeyPath<NotificationInfo, String?> & Sendable)] = [
    (.value("alert", "TEXT", help: "the text to show"), \.alert.plain),
    (.value("alert-key", "KEY", help: "the text to show, by its key in the app's localized texts"), \.alert.key),
    (.value("title", "TEXT", help: "the title to show"), \.title.plain),
    (.value("title-key", "KEY", help: "the title by its key"), \.title.key),
    (.value("subtitle", "TEXT", help: "the subtitle to show"), \.subtitle.plain),
    (.value("subtitle-key", "KEY", help: "the subtitle by its key"), \.subtitle.key),
    (.value("action-key", "KEY", help: "the action's label by its key"), \.actionKey),
    (.value("launch-image", "NAME", help: "the image to show while the app starts"), \.launchImage),
    (.value("sound", "NAME", help: "the sound to play"), \.sound),
    (.value("category", "NAME", help: "the group of actions to offer"), \.category),
    (.value("collapse-id", "ID", help: "pushes with the same one replace each other"), \.collapseID),
  ]

  private static let lists: [(OptionDescription, WritableKeyPath<NotificationInfo, [String]?> & Sendable)] = [
    (.value("alert-arg", "FIELD", repeating: true, help: "a field that fills --alert-key"), \.alert.arguments),
    (.value("title-arg", "FIELD", repeating: true, help: "a field that fills --title-key"), \.title.arguments),
    (.value("subtitle-arg", "FIELD", repeating: true, help: "a field that fills --subtitle-key"), \.subtitle.arguments),
    (
      .value(
        "field", "FIELD", aliases: ["desired-key"], repeating: true,
        help: "a field that the push carries, of a query subscription; at most three"), \.desiredKeys
    ),
  ]

  private static let flags: [(OptionDescription, WritableKeyPath<NotificationInfo, Bool> & Sendable)] = [
    (.flag("badge", help: "count the app's badge up"), \.badges),
    (.flag("content-available", help: "tell the app without showing anything"), \.sendsContentAvailable),
    (.flag("mutable-content", help: "let the app's extension change the push"), \.sendsMutableContent),
  ]

  static let all = texts.map(\.0) + lists.map(\.0) + flags.map(\.0)

  /// The notification info that the options specify; nil if none of them was given.
  static func info(_ context: CommandContext) -> NotificationInfo? {
    var info = NotificationInfo()
    for (option, property) in texts { info[keyPath: property] = context.string(option.name) }
    for (option, property) in lists where context.flag(option.name) {
      info[keyPath: property] = context.all(option.name)
    }
    for (option, property) in flags { info[keyPath: property] = context.flag(option.name) }
    return info == NotificationInfo() ? nil : info
  }
}

extension CommandContext {
  var notificationInfo: NotificationInfo? { NotificationOptions.info(self) }
}

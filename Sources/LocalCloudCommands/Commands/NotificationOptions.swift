import LocalCloudModel

/// Options for the contents of pushes, one for each property.
struct NotificationOptions: OptionGroup {
  let alert = Option<String>("alert", "TEXT", help: "the text to show")
  let alertKey = Option<String>("alert-key", "KEY", help: "the text to show, by its key in the app's localized texts")
  let title = Option<String>("title", "TEXT", help: "the title to show")
  let titleKey = Option<String>("title-key", "KEY", help: "the title by its key")
  let subtitle = Option<String>("subtitle", "TEXT", help: "the subtitle to show")
  let subtitleKey = Option<String>("subtitle-key", "KEY", help: "the subtitle by its key")
  let actionKey = Option<String>("action-key", "KEY", help: "the action's label by its key")
  let launchImage = Option<String>("launch-image", "NAME", help: "the image to show while the app starts")
  let sound = Option<String>("sound", "NAME", help: "the sound to play")
  let category = Option<String>("category", "NAME", help: "the group of actions to offer")
  let collapseID = Option<String>("collapse-id", "ID", help: "pushes with the same one replace each other")
  let alertArguments = OptionList<String>("alert-arg", "FIELD", help: "a field that fills --alert-key")
  let titleArguments = OptionList<String>("title-arg", "FIELD", help: "a field that fills --title-key")
  let subtitleArguments = OptionList<String>("subtitle-arg", "FIELD", help: "a field that fills --subtitle-key")
  let desiredKeys = OptionList<String>(
    "field", "FIELD", aliases: ["desired-key"],
    help: "a field that the push carries, of a query subscription; at most three")
  let badge = Flag("badge", help: "count the app's badge up")
  let contentAvailable = Flag("content-available", help: "tell the app without showing anything")
  let mutableContent = Flag("mutable-content", help: "let the app's extension change the push")

  var options: [any OptionDeclaration] {
    [
      alert, alertKey, title, titleKey, subtitle, subtitleKey, actionKey, launchImage, sound, category, collapseID,
      alertArguments, titleArguments, subtitleArguments, desiredKeys, badge, contentAvailable, mutableContent,
    ]
  }

  /// The notification info that the options specify; nil if none of them was given.
  func info(_ context: CommandContext) -> NotificationInfo? {
    var info = NotificationInfo()
    info.alert.plain = context[alert]
    info.alert.key = context[alertKey]
    info.title.plain = context[title]
    info.title.key = context[titleKey]
    info.subtitle.plain = context[subtitle]
    info.subtitle.key = context[subtitleKey]
    info.actionKey = context[actionKey]
    info.launchImage = context[launchImage]
    info.sound = context[sound]
    info.category = context[category]
    info.collapseID = context[collapseID]
    info.alert.arguments = context.valuesIfGiven(alertArguments)
    info.title.arguments = context.valuesIfGiven(titleArguments)
    info.subtitle.arguments = context.valuesIfGiven(subtitleArguments)
    info.desiredKeys = context.valuesIfGiven(desiredKeys)
    info.badges = context[badge]
    info.sendsContentAvailable = context[contentAvailable]
    info.sendsMutableContent = context[mutableContent]
    return info == NotificationInfo() ? nil : info
  }
}

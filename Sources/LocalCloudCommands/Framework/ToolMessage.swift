/// A mistake in a command line in the words of Swift Argument Parser, for ``ToolHelp``.
struct ToolMessage: Equatable, Sendable {
  var text: String
  /// The option or argument that the mistake is about, with its explanation.
  var help = ""
}

extension CommandFailure {
  /// This failure, with the text for cktool.
  func inToolForm(_ text: String, help: String = "") -> CommandFailure {
    var failure = self
    failure.toolMessage = ToolMessage(text: text, help: help)
    return failure
  }

  /// This failure for a required option or argument that is absent. `label`: its spelling in cktool's help.
  func missing(_ label: String, _ help: String) -> CommandFailure {
    inToolForm("Missing expected argument '\(label)'", help: "\(label)  \(help)")
  }

  /// This failure for a word that is none of the allowed values.
  func wrongValue(_ word: String, of label: String, _ option: OptionDescription) -> CommandFailure {
    let values = option.allowedValues.map { "'\($0)'" }
    // The failure's own message has the reason if any other word could be right.
    guard let last = values.last else { return self }
    let list =
      values.count > 2 ? values.dropLast().joined(separator: ", ") + " or \(last)" : values.joined(separator: " and ")
    return inToolForm(
      "The value '\(word)' is invalid for '\(label)'. Please provide one of \(list).",
      help: "\(label)  \(option.help)")
  }
}

extension OptionDescription {
  /// The name in cktool: the options that both tools have accept cktool's name as an alias.
  var toolName: String { aliases.first ?? name }
}

extension OptionUse {
  /// The option with its value in cktool's messages: `--token <token>`, or `-t <token>`.
  func toolLabel(_ option: OptionDescription) -> String {
    "\(spelling) <\(isShort ? option.toolName : String(spelling.dropFirst(2)))>"
  }
}

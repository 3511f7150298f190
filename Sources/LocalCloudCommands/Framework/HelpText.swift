/// Builds help from descriptions. All of the text is trusted, so nothing is escaped.
struct HelpText {
  /// The summary of the whole tool.
  static let toolSummary = "iCloud's CloudKit as a folder on this machine"

  private let width: Int
  private var text = StyledText()

  private init(width: Int) { self.width = width }

  /// Builds the text of `--help`: examples first, then all details.
  static func full(_ command: any Command, width: Int) -> StyledText {
    var help = HelpText(width: width)
    let description = type(of: command).description
    if ToolHelp.covers(description.path) { return ToolHelp.text(of: command, width: width) }
    help.summary(description)
    if !description.examples.isEmpty { help.examples(description.examples) }
    help.section("Usage", ["  \(command.usage)"])
    if !description.discussion.isEmpty { help.paragraph(description.discussion) }
    help.arguments(command)
    help.options("Options", command.allOptions)
    help.options("Global options", GlobalOptions.all)
    help.exitCodes(description)
    return help.text
  }

  /// Builds the text of `-h`: a short text that fits on a screen.
  static func short(_ command: any Command, width: Int) -> StyledText {
    var help = HelpText(width: width)
    let description = type(of: command).description
    if ToolHelp.covers(description.path) { return ToolHelp.text(of: command, width: width) }
    help.summary(description)
    help.section("Usage", ["  \(command.usage)"])
    help.arguments(command)
    help.options("Options", command.allOptions)
    help.paragraph("Examples and global options: localcloud \(description.name) --help")
    return help.text
  }

  /// Builds the help of a noun: a list of its verbs.
  static func noun(_ path: [String], in registry: CommandRegistry, width: Int) -> StyledText {
    if ToolHelp.covers(path) { return ToolHelp.overview(registry, width: width) }
    var help = HelpText(width: width)
    let name = path.joined(separator: " ")
    help.heading(name: name, summary: registry.summary(of: path))
    help.section("Usage", ["  localcloud \(name) <verb> [options]"])
    help.section("Verbs", help.words(after: path, in: registry))
    help.paragraph("More on each: localcloud \(name) <verb> --help")
    return help.text
  }

  static func overview(_ registry: CommandRegistry, width: Int) -> StyledText {
    var help = HelpText(width: width)
    help.text.append(trusted: "localcloud", .bold)
    help.text.append(trusted: " - \(toolSummary)\n")
    help.section("Usage", ["  localcloud <command> [options]"])
    help.section("Commands", help.words(after: [], in: registry))
    help.options("Global options", GlobalOptions.all)
    help.section("Topics", TextWrap.list(registry.topics.map { ($0.name, $0.summary) }, width: width))
    help.paragraph("More on each: localcloud help <command or topic>")
    return help.text
  }

  static func topic(_ topic: HelpTopic, width: Int) -> StyledText {
    var help = HelpText(width: width)
    help.text.append(trusted: topic.summary + "\n", .bold)
    help.paragraph(topic.text())
    return help.text
  }

  // MARK: Parts

  private mutating func heading(name: String, summary: String) {
    text.append(trusted: "localcloud \(name)", .bold)
    text.append(trusted: summary.isEmpty ? "\n" : " - \(summary)\n")
  }

  private mutating func summary(_ description: CommandDescription) {
    heading(name: description.name, summary: description.summary)
  }

  private mutating func section(_ title: String, _ lines: [String]) {
    guard !lines.isEmpty else { return }
    text.append(trusted: "\n")
    text.append(trusted: title + ":", .bold)
    text.append(trusted: "\n" + lines.joined(separator: "\n") + "\n")
  }

  private mutating func paragraph(_ prose: String) {
    text.append(trusted: "\n" + TextWrap.wrap(prose, width: width).joined(separator: "\n") + "\n")
  }

  private mutating func examples(_ examples: [CommandDescription.Example]) {
    section(
      "Examples", examples.flatMap { TextWrap.wrap("# \($0.comment)", width: width, indent: 2) + ["  \($0.line)"] })
  }

  private mutating func arguments(_ command: any Command) {
    section("Arguments", TextWrap.list(Self.rows(command.arguments), width: width))
  }

  private mutating func options(_ title: String, _ options: [any OptionDeclaration]) {
    section(title, TextWrap.list(Self.rows(options), width: width))
  }

  /// The arguments with their explanations.
  static func rows(_ arguments: [any ArgumentDeclaration]) -> [(term: String, text: String)] {
    arguments.map(\.description).map { argument in
      (argument.spelling, argument.help + choices(argument.allowedValues, unlessIn: argument.help))
    }
  }

  /// The options with their explanations.
  static func rows(_ options: [any OptionDeclaration]) -> [(term: String, text: String)] {
    options.map(\.description).map { option in
      var notes = HelpText.choices(option.allowedValues, unlessIn: option.help)
      if option.isRequired { notes += " (required)" }
      if option.isRepeating && option.kind != .flag { notes += " (may be repeated)" }
      if let variable = option.variable { notes += " [\(variable.rawValue)]" }
      return (option.spelling, option.help + notes)
    }
  }

  private mutating func exitCodes(_ description: CommandDescription) {
    section("Exit codes", TextWrap.list(Self.rows(description.exitCodes), width: width))
  }

  /// The exit codes of a command with their meanings.
  static func rows(_ codes: [ExitCode]) -> [(term: String, text: String)] {
    ([.success] + codes.filter { $0 != .success } + [.usage]).map { ("\($0.rawValue)", $0.meaning ?? "") }
  }

  private func words(after path: [String], in registry: CommandRegistry) -> [String] {
    let rows = registry.words(after: path).map { ($0, registry.summary(of: path + [$0])) }
    return TextWrap.list(rows, width: width)
  }

  private static func choices(_ values: [String], unlessIn help: String) -> String {
    values.allSatisfy { help.contains($0) } ? "" : " (\(values.joined(separator: ", ")))"
  }
}

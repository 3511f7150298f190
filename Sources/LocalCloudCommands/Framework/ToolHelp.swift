/// Help and usage errors of `localcloud cktool` in the form of Apple's cktool, made from the descriptions that
/// ``HelpText`` uses.
///
/// - Assumption: cktool prints its help and its usage errors as Swift Argument Parser does, with a `Help:` line, and
///   ends with 64 after a usage error.
enum ToolHelp {
  private static let tool = "cktool"
  /// The column of the explanations.
  private static let column = 26
  /// The largest number of options and arguments in a line of usage.
  private static let mostInUsage = 12

  /// Whether `path` is cktool or one of its verbs.
  static func covers(_ path: [String]) -> Bool { path.first == tool }

  /// Whether the command line names only cktool itself: it then prints its help, and succeeds.
  static func isRequested(by line: CommandLineParser) -> Bool {
    line.path == [tool] && line.unknownWord == nil && line.unknownOption == nil && !line.wantsVersion
  }

  /// The help of cktool itself: a list of its verbs.
  static func overview(_ registry: CommandRegistry, width: Int) -> StyledText {
    // Swift Argument Parser leaves out the verb `help`, too.
    let verbs = registry.commands(under: [tool]).map { $0.description }.filter { $0.path.last != "help" }
    let sections = [
      Section(title: "OPTIONS", rows: standardRows),
      Section(title: "SUBCOMMANDS", rows: verbs.map { Row($0.path[1...].joined(separator: " "), $0.summary) }),
    ]
    return page(
      overview: registry.summary(of: [tool]), usage: usage(of: nil), sections,
      end: "\n  See '\(tool) help <subcommand>' for detailed help.", width: width)
  }

  /// The help of a verb.
  static func text(of command: any Command, width: Int) -> StyledText {
    let description = type(of: command).description
    let prose = [description.summary, description.discussion].filter { !$0.isEmpty }.joined(separator: "\n\n")
    let sections = [
      Section(title: "ARGUMENTS", rows: command.arguments.map { Item($0.description).row }),
      Section(title: "OPTIONS", rows: options(of: command).map(\.row) + standardRows),
    ]
    return page(overview: prose, usage: usage(of: command), sections, width: width)
  }

  /// A usage error of a verb, or of cktool itself if `command` is nil.
  static func text(of failure: CommandFailure, in command: (any Command)?) -> StyledText {
    let message = failure.toolMessage ?? ToolMessage(text: failure.message, help: failure.hint ?? "")
    var result: StyledText = "Error: \(message.text)\n"
    if !message.help.isEmpty { result.append("Help:  \(message.help)\n" as StyledText) }
    result.append(trusted: "Usage: \(usage(of: command))\n  See '\(name(of: command)) --help' for more information.")
    return result
  }

  // MARK: Parts

  /// An option, an argument or a verb in a list, with its explanation.
  private struct Row: Sendable {
    let label: String
    let help: String

    init(_ label: String, _ help: String) {
      self.label = label
      self.help = help
    }
  }

  private struct Section {
    let title: String
    let rows: [Row]
  }

  private static let standardRows = [
    Row("--version", "Show the version."), Row("-h, --help", "Show help information."),
  ]

  private static func name(of command: (any Command)?) -> String {
    command.map { type(of: $0).description.name } ?? tool
  }

  private static func usage(of command: (any Command)?) -> String {
    guard let command else { return "\(tool) <subcommand>" }
    var items = command.arguments.map { Item($0.description) } + options(of: command)
    var words = [name(of: command)]
    if items.count > mostInUsage {
      words.append("[<options>]")
      items = items.filter { $0.isArgument || $0.isRequired }
    }
    return (words + items.map(\.synopsis)).joined(separator: " ")
  }

  /// The options of a verb in the order of cktool: those of tokens and teams are first.
  private static func options(of command: any Command) -> [Item] {
    let description = type(of: command).description
    let own = command.allOptions.map(\.description)
    let names = Set(CktoolAccess().options.map(\.name))
    var items = own.filter { names.contains($0.name) }.map { Item($0) }
    items += description.requiredGlobalOptions.map { Item($0.option.description, isRequired: true) }
    items += own.filter { !names.contains($0.name) }.map { Item($0) }
    items += description.listedGlobalOptions.map { Item($0.description) }
    return items
  }

  private static func page(
    overview: String, usage: String, _ sections: [Section], end: String = "", width: Int
  ) -> StyledText {
    let blocks = sections.filter { !$0.rows.isEmpty }.map { section in
      "\(section.title):\n" + section.rows.map { text(of: $0, width: width) }.joined()
    }
    let overview = wrap("OVERVIEW: \(overview)", width: width)
    var result = StyledText()
    result.append(trusted: "\(overview)\n\nUSAGE: \(usage)\n\n\(blocks.joined(separator: "\n"))\(end)\n")
    return result
  }

  /// The explanation begins in a line of its own after a long label.
  private static func text(of row: Row, width: Int) -> String {
    let label = "  " + row.label
    let help = wrap(row.help, width: width, indent: column)
    if label.count >= column { return "\(label)\n\(help)\n" }
    return TextWidth.pad(label, to: column) + String(help.dropFirst(column)) + "\n"
  }

  /// Swift Argument Parser leaves the last column free.
  private static func wrap(_ text: String, width: Int, indent: Int = 0) -> String {
    TextWrap.wrap(text, width: width - 1, indent: indent).joined(separator: "\n")
  }

  /// An option or an argument.
  private struct Item {
    /// The words for the list.
    var label: String
    /// The words for the line of usage.
    var synopsis: String
    var help: String
    var isRequired: Bool
    var isArgument = false

    var row: Row { Row(label, help) }

    init(_ option: OptionDescription, isRequired: Bool? = nil) {
      let isRepeating = option.takesValue && option.isRepeating
      let word = "--\(option.toolName)" + (option.takesValue ? " <\(option.toolName)>" : "")
      label = (option.short.map { "-\($0), " } ?? "") + word
      help = option.help
      if !option.allowedValues.allSatisfy({ option.help.contains($0) }) {
        help += " (values: \(option.allowedValues.joined(separator: ", ")))"
      }
      self.isRequired = isRequired ?? option.isRequired
      synopsis = Self.synopsis(word, isRepeating: isRepeating, isRequired: self.isRequired)
    }

    init(_ argument: ArgumentDescription) {
      label = "<\(argument.name)>"
      help = argument.help
      isRequired = !argument.isOptional
      isArgument = true
      synopsis = Self.synopsis(label, isRepeating: argument.isRepeating, isRequired: isRequired)
    }

    private static func synopsis(_ word: String, isRepeating: Bool, isRequired: Bool) -> String {
      let words = isRepeating ? "\(word) ..." : word
      return isRequired ? words : "[\(words)]"
    }
  }
}

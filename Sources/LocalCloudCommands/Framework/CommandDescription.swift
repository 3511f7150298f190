/// Describes one command: the single source of its parsing, its help, its completion and its manual page.
package struct CommandDescription: Sendable {
  package struct Example: Sendable {
    package var comment: String
    package var line: String

    package init(_ comment: String, _ line: String) {
      self.comment = comment
      self.line = line
    }
  }

  /// The words that name the command: `["record", "save"]`.
  package var path: [String]
  /// One line without a full stop.
  package var summary: String
  /// Paragraphs, wrapped when shown; a line that begins with a space is not changed.
  package var discussion: String
  package var examples: [Example]
  package var arguments: [ArgumentDescription]
  package var options: [OptionDescription]
  /// Global options that are required. Any name or alias of the option may be used.
  package var requiredGlobalOptions: [String]
  /// Groups of options. At most one option of each group may be given.
  package var exclusiveOptions: [[String]]
  /// Exit codes other than success, failure and wrong usage.
  package var exitCodes: [ExitCode]
  package var isHidden: Bool

  package init(
    _ path: String..., summary: String, discussion: String = "", examples: [Example] = [],
    arguments: [ArgumentDescription] = [], options: [OptionDescription] = [], requiredGlobalOptions: [String] = [],
    exclusiveOptions: [[String]] = [], exitCodes: [ExitCode] = [], isHidden: Bool = false
  ) {
    self.path = path
    self.summary = summary
    self.discussion = discussion
    self.examples = examples
    self.arguments = arguments
    self.options = options
    self.requiredGlobalOptions = requiredGlobalOptions
    self.exclusiveOptions = exclusiveOptions
    self.exitCodes = exitCodes
    self.isHidden = isHidden
  }

  package var name: String { path.joined(separator: " ") }

  /// `localcloud record save <type> [<field>…] --zone NAME [options]`
  var usage: String {
    let globals = OptionTable(GlobalOptions.all)
    let required =
      requiredGlobalOptions.compactMap { name in globals.option(.long(name)).map { (name, $0) } }
      + options.filter { $0.isRequired && !$0.isHidden }.map { ($0.name, $0) }
    let spelled = required.map { name, option in " --\(name)\(option.valueSpelling.map { " \($0)" } ?? "")" }
    return "localcloud \(self.name)" + arguments.map { " \($0.spelling)" }.joined() + spelled.joined() + " [options]"
  }
}

/// One positional argument. Required arguments come first; only the last argument may repeat.
package struct ArgumentDescription: Sendable {
  package var name: String
  package var help: String
  package var isOptional: Bool
  package var isRepeating: Bool
  package var allowedValues: [String]

  package init(
    _ name: String, optional: Bool = false, repeating: Bool = false, allowed: [String] = [], help: String
  ) {
    self.name = name
    self.help = help
    isOptional = optional
    isRepeating = repeating
    allowedValues = allowed
  }

  var spelling: String {
    let base = isRepeating ? "<\(name)>…" : "<\(name)>"
    return isOptional ? "[\(base)]" : base
  }
}

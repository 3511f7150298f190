/// The name, the help texts and the exit codes of a command.
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
  package var requiredGlobalOptions: [RequiredGlobalOption]
  /// Further global options that the help of a verb of cktool lists; see ``ToolHelp``.
  package var listedGlobalOptions: [any OptionDeclaration]
  /// Exit codes other than success, failure and wrong usage.
  package var exitCodes: [ExitCode]
  /// Whether the command deletes data; it then has a ``Flag/dryRun``.
  package var deletesData: Bool
  /// Hints for options that users try and that the command does not have, by the option's long name.
  package var unknownOptionHints: [String: String]

  package init(
    _ path: String..., summary: String, discussion: String = "", examples: [Example] = [],
    requiredGlobalOptions: [RequiredGlobalOption] = [], listedGlobalOptions: [any OptionDeclaration] = [],
    exitCodes: [ExitCode] = [], deletesData: Bool = false, unknownOptionHints: [String: String] = [:]
  ) {
    self.path = path
    self.summary = summary
    self.discussion = discussion
    self.examples = examples
    self.requiredGlobalOptions = requiredGlobalOptions
    self.listedGlobalOptions = listedGlobalOptions
    self.exitCodes = exitCodes
    self.deletesData = deletesData
    self.unknownOptionHints = unknownOptionHints
  }

  package var name: String { path.joined(separator: " ") }

  /// Whether the command lists items: its verb is `list`.
  var isListing: Bool { path.last == "list" }
}

/// A global option that a command requires.
package struct RequiredGlobalOption: Sendable {
  let option: any OptionDeclaration
  /// The name or alias under which help and errors show it.
  let name: String
}

extension OptionDeclaration {
  package func required(as name: String) -> RequiredGlobalOption { RequiredGlobalOption(option: self, name: name) }
}

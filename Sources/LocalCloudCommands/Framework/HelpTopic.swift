import LocalCloudEmulator

/// A text that `help <name>` shows and that does not belong to one command.
package struct HelpTopic: Sendable {
  package var name: String
  package var summary: String
  /// The text, in the form of ``CommandDescription/discussion``.
  package var text: @Sendable () -> String

  package init(_ name: String, summary: String, text: @escaping @Sendable () -> String) {
    self.name = name
    self.summary = summary
    self.text = text
  }

  package static let exitCodes = HelpTopic("exit-codes", summary: "What the exit codes mean") {
    let rows = ExitCode.meanings.map { " \(TextWidth.pad("\($0.code.rawValue)", to: 4, right: true))  \($0.meaning)" }
    return (rows + ["", "New codes may be added: treat an unknown one as a failure."]).joined(separator: "\n")
  }

  package static let variables = HelpTopic("variables", summary: "Environment variables that are read") {
    let rows = GlobalOptions.all.map(\.description).compactMap { option in
      option.variable.map { " \(TextWidth.pad($0.rawValue, to: 24))  stands in for --\(option.name)" }
    }
    return
      (rows + [
        " \(TextWidth.pad(Settings.Variable.log.rawValue, to: 24))  on: requests are logged in requests.jsonl in the root",
        " \(TextWidth.pad(Settings.Variable.strict.rawValue, to: 24))  on: development asks for what production does",
        " \(TextWidth.pad(Settings.Variable.syncDelay.rawValue, to: 24))  seconds until CKSyncEngine synchronizes by itself",
        " \(TextWidth.pad(CommandVariables.homes, to: 24))  home folders of people, for as and shell; exec sets it",
        " \(TextWidth.pad("LOCALCLOUD_LIBCRYPTO", to: 24))  the file of libcrypto, which encrypted values need",
        " \(TextWidth.pad("NO_COLOR", to: 24))  not empty: no colour",
        " \(TextWidth.pad("TERM", to: 24))  dumb: no colour",
        " \(TextWidth.pad("COLUMNS", to: 24))  width of the terminal",
        "",
        "An option wins over its variable. An empty variable counts as absent; one with a bad value is an error.",
      ]).joined(separator: "\n")
  }

  package static let filters = HelpTopic("filters", summary: "How filters are written on the command line") {
    FilterText.help
  }

  package static let fields = HelpTopic("fields", summary: "How fields are written on the command line") {
    FieldArguments.help
  }
}

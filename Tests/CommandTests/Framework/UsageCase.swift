import Testing

/// A command line that is refused, with the expected error.
struct UsageCase: Sendable, CustomTestStringConvertible {
  var words: [String]
  var message: String
  /// Nil if any hint is accepted.
  var hint: String?

  init(_ words: [String], _ message: String, _ hint: String? = nil) {
    self.words = words
    self.message = message
    self.hint = hint
  }

  var testDescription: String { words.joined(separator: " ") }

  static let all: [UsageCase] = [
    UsageCase(["record", "save", "T", "--nmae", "x"], "unknown option \"--nmae\"", "did you mean \"--name\"?"),
    UsageCase(
      ["record", "save", "T", "-x"], "unknown option \"-x\"", "put \"--\" before arguments that begin with \"-\""),
    UsageCase(["record", "save", "T", "-json"], "unknown option \"-j\" in \"-json\"", "did you mean \"--json\"?"),
    UsageCase(
      ["record", "save", "T", "--name"], "--name needs a value: --name NAME", "see \"localcloud help record save\""),
    UsageCase(
      ["record", "save", "T", "--name", "--force"], "--name needs a value, but \"--force\" follows",
      "if that is the value, write \"--name=--force\""),
    UsageCase(["record", "save", "T", "--force=1"], "--force takes no value, but got \"1\""),
    UsageCase(["record", "save", "T", "--name", "a", "--name", "b"], "--name is given twice"),
    UsageCase(["record", "save"], "<type> is missing: the record type"),
    UsageCase(["version", "now"], "unexpected argument \"now\""),
    UsageCase(
      ["record", "save", "T", "--policy", "all-key"],
      "--policy cannot be \"all-key\": it is one of if-unchanged, all-keys", "did you mean \"all-keys\"?"),
    UsageCase(["record", "save", "T", "--limit", "0"], "--limit \"0\" is not between 1 and 200"),
    UsageCase(["record", "save", "T", "--lock-timeout", "-1"], "--lock-timeout \"-1\" is not a number of seconds"),
    UsageCase(["record", "save", "T", "-q", "-v"], "--quiet and --verbose cannot be given together"),
    UsageCase(
      ["record", "save", "T", "--json", "--format", "tsv"], "--json and --format tsv cannot be given together"),
    UsageCase(
      ["record", "save", "T", "--fields-json", "{}", "--fields-stdin"],
      "--fields-json and --fields-stdin cannot be given together"),
    UsageCase(["recrod", "save"], "unknown command \"recrod\"", "did you mean \"record\"?"),
    UsageCase(["record", "svae"], "unknown verb \"svae\" after \"record\"", "did you mean \"record save\"?"),
    UsageCase(
      ["zone", "save"], "unknown verb \"save\" after \"zone\"", "\"zone\" has delete; did you mean \"record save\"?"),
    UsageCase(["zone", "rm"], "unknown verb \"rm\" after \"zone\"", "did you mean \"zone delete\"?"),
    UsageCase(
      ["record", "create", "T"], "unknown verb \"create\" after \"record\"", "did you mean \"record save\"?"),
    UsageCase(
      ["record", "save", "T", "--record-name", "x"], "unknown option \"--record-name\"", "did you mean \"--name\"?"),
    UsageCase(["zone", "xyzzy"], "unknown verb \"xyzzy\" after \"zone\"", "\"zone\" has delete"),
    UsageCase(["save", "record"], "unknown command \"save\"", "did you mean \"record save\"?"),
    UsageCase(["--colr", "always"], "unknown option \"--colr\""),
    UsageCase(["--colr"], "unknown option \"--colr\"", "did you mean \"--color\"?"),
    UsageCase(["help", "exit-code"], "no command or topic is named \"exit-code\"", "did you mean \"exit-codes\"?"),
    UsageCase(
      ["help", "record", "sav"], "no command or topic is named \"record sav\"", "did you mean \"record save\"?"),
  ]
}

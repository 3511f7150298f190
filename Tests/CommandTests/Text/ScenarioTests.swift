import LocalCloudCommands
import Testing

/// A complete scenario with the output of each command as text, JSON and lines. Clock and seed are fixed.
@Suite struct ScenarioTests {
  private var lines = ""
  private let cli: Cli

  init() throws { cli = try Cli("alice", "bob") }

  private func link() throws -> String {
    try cli.json("share", "show", "ada", "-z", "Contacts", as: "alice")["url"]?.string ?? ""
  }

  private mutating func scenario(_ options: String...) throws {
    func with(_ words: String...) -> [String] { words + options }
    try show(words: with("account", "list"))
    try show(words: with("account", "show"))
    try show(words: with("zone", "save", "Contacts"))
    try show(words: with("record", "save", "Contact", "-z", "Contacts", "-n", "ada", "name=Ada", "age:int64=36"))
    try show(words: with("record", "save", "Contact", "-z", "Contacts", "-n", "ada", "name=Ada"), code: .conflict)
    try show(words: with("record", "update", "ada", "-z", "Contacts", "age:int64=37"))
    try show(words: with("record", "save", "Phone", "-z", "Contacts", "-n", "phone", "--parent", "ada", "number=1"))
    try show(words: with("record", "get", "ada", "-z", "Contacts"))
    try show(words: with("record", "list", "Contact", "-z", "Contacts"))
    try show(words: with("record", "list", "-z", "Contacts"))
    try show(words: with("record", "get", "ada", "nobody", "-z", "Contacts"), code: .notFound)
    try show(words: with("share", "create", "ada", "-z", "Contacts", "--title", "Ada", "--with", "bob@example.com"))
    try show(words: with("share", "show", "ada", "-z", "Contacts"))
    let url = try link()
    try show(words: with("share", "accept", url), as: "bob")
    try show(words: with("zone", "list", "--database", "shared"), as: "bob")
    try show(words: with("record", "list", "--database", "shared", "-z", "Contacts"), as: "bob")
    try show(
      words: with(
        "record", "update", "ada", "--database", "shared", "-z", "Contacts", "a=b"),
      as: "bob", code: .refused)
    try show(words: with("share", "set", "ada", "-z", "Contacts", "--participant", "bob", "--permission", "readWrite"))
    try show(words: with("share", "invite", "ada", "-z", "Contacts", "--to", "+15550100"))
    try show(words: with("share", "remove", "ada", "-z", "Contacts", "--participant", "+15550100"))
    try show(words: with("changes"))
    try show(words: with("changes", "-z", "Contacts"))
    try show(words: with("share", "leave", url), as: "bob")
    try show(words: with("share", "stop", "ada", "-z", "Contacts"))
    try show(words: with("record", "delete", "ada", "phone", "-z", "Contacts"))
    try show(words: with("changes", "-z", "Contacts"))
    try show(words: with("check"))
    try show(words: with("zone", "delete", "Contacts"), code: .usage)
    try show(words: with("zone", "delete", "Contacts", "--yes"))
    try show(words: with("record", "list", "-z", "Contacts"), code: .notFound)
  }

  /// Records the command and its output.
  private mutating func show(words: [String], as account: String = "alice", code: ExitCode = .success) throws {
    let run = cli.run(words, as: account)
    lines += "\(account)$ localcloud \(words.joined(separator: " "))\n" + run.output
    if !run.error.isEmpty { lines += run.error.split(separator: "\n").map { "! \($0)\n" }.joined() }
    if run.code != .success { lines += "[exit \(run.code.rawValue)]\n" }
    lines += "\n"
    #expect(run.code == code, "\(words)\n\(run.output)\(run.error)")
  }

  @Test mutating func forPeople() throws {
    try scenario()
    try Snapshot.check(lines, "scenario.txt")
  }

  @Test mutating func asJSON() throws {
    try scenario("--json")
    try Snapshot.check(lines, "scenario-json.txt")
  }

  @Test mutating func asLines() throws {
    try scenario("--format", "jsonl")
    try Snapshot.check(lines, "scenario-jsonl.txt")
  }

  @Test mutating func asTabSeparatedValues() throws {
    try scenario("--format", "tsv")
    try Snapshot.check(lines, "scenario-tsv.txt")
  }

  @Test mutating func quietly() throws {
    try scenario("--quiet")
    try Snapshot.check(lines, "scenario-quiet.txt")
  }
}

import LocalCloudCommands
import LocalCloudPlatform
import LocalCloudStore
import Testing

@Suite("The command share manage")
struct ShareMenuTests {
  private let cli: Cli
  private let url: String

  init() throws {
    cli = try Cli("alice", "bob", "carol")
    try cli.expect("zone", "save", "Z", as: "alice")
    try cli.expect("record", "save", "T", "-z", "Z", "-n", "root", as: "alice")
    let create = cli.run("share", "create", "root", "-z", "Z", "--share-name", "S", "--with", "bob", as: "alice")
    url = String(create.output.dropLast())
  }

  /// Each answer is a line; Ctrl-D follows the last one.
  private func manage(_ answers: String..., as account: String = "alice", options: [String] = []) -> ToolRun {
    cli.run(
      ["share", "manage", url, "--color", "never"] + options, as: account, answers: answers.map { .text($0) })
  }

  private func participants() throws -> [String] {
    let list = try cli.json("share", "show", url, as: "alice")["participants"]?.array ?? []
    return list.dropFirst().map { entry in
      let identity = entry["userIdentity"]?["lookupInfo"]
      let address = identity?["emailAddress"]?.string ?? identity?["userRecordName"].map { _ in "account" } ?? "?"
      return "\(address) \(entry["permission"]?.string ?? "")"
    }
  }

  @Test func aWholeTalk() throws {
    let talk = manage("i", "dora@example.org", "2", "p", "bob", "readWrite", "r", "2", "c", "x", "", "q")
    #expect(talk.code == .success)
    #expect(try participants() == ["account READ_WRITE"])
    let text = talk.output + "----\n" + talk.error
    try Snapshot.check(text, "share-menu.txt")
  }

  @Test func theListIsChosenFromByNumber() throws {
    #expect(manage("i", "carol", "1", "p", "2", "2").code == .success)
    #expect(try participants() == ["account READ_ONLY", "account READ_WRITE"])
    #expect(manage("r", "1").error.contains("1  bob"))
    #expect(try participants() == ["account READ_WRITE"])
  }

  @Test func openingToPeopleWithTheLink() throws {
    let run = manage("o", "2", "r")
    #expect(run.output.contains("whoever has the link may join and read"))
    #expect(run.error.contains("there is nobody but the owner"))
    #expect(try cli.json("share", "show", url, as: "alice")["publicPermission"] == "READ_ONLY")
  }

  @Test func whatIsRefusedIsSaidAndTheMenuGoesOn() throws {
    let run = manage("i", "nonsense@", "1", "i", "--yes", "1", "p", "bob", "everything", "r", "nobody", "q")
    #expect(run.code == .success)
    for text in ["no e-mail address", "no account --yes", "\"everything\"", "no account nobody"] {
      #expect(run.error.contains(text), "\(text)\n\(run.error)")
    }
    #expect(try participants() == ["account READ_ONLY"])
  }

  @Test func anAnswerThatIsLeftOutDoesNothing() throws {
    #expect(manage("i", "", "p", "", "p", "bob", "", "r", "", "o", "", "q").code == .success)
    #expect(try participants() == ["account READ_ONLY"])
  }

  @Test func stoppingIsAskedAboutAndEndsIt() throws {
    let declined = manage("s", "n", "q")
    #expect(declined.code == .success)
    #expect(declined.error.contains("did not stop sharing root"))
    let stopped = manage("s", "y", "c")
    #expect(stopped.code == .success)
    #expect(stopped.output.hasSuffix("stopped sharing root\n"))
    #expect(cli.run("share", "show", url, as: "alice").code == .notFound)
  }

  @Test func participantsMayOnlyLeave() throws {
    try cli.expect("share", "accept", url, as: "bob")
    let run = manage("s", "i", "l", "y", as: "bob")
    #expect(run.code == .success)
    #expect(run.error.contains("\"s\" is none of l, c, u, q"))
    #expect(run.output.hasSuffix("left the share of root\n"))
    #expect(try cli.json("zone", "list", "--database", "shared", as: "bob")["zones"] == [])
  }

  @Test func requestsAreAnsweredAndLinksMade() throws {
    #expect(manage("a", "q").error.contains("\"a\" is none of"))
    try cli.expect("share", "set", url, "--access-requests", "allowed", as: "alice")
    try cli.expect("share", "request", url, as: "carol")
    let run = manage("n", "2", "a", "1", "nothing", "a", "1", "1", "2", "q")
    #expect(run.code == .success)
    #expect(run.error.contains("\"nothing\" is none of approve, deny, block"))
    #expect(run.output.contains("waiting  carol"))
    #expect(run.output.contains("invited carol to S\n"))
    #expect(try participants() == ["account READ_ONLY", "? READ_WRITE", "carol@example.com READ_WRITE"])
    // The link for one person is printed on a line of its own for copying.
    let link = try cli.json("share", "show", url, as: "alice")["participants"]?.array?[2]["oneTimeURL"]?.string
    #expect(run.output.split(separator: "\n").contains { $0 == link ?? "none" })
    #expect(manage("r", "2", "q").code == .success)
    #expect(try participants() == ["account READ_ONLY", "carol@example.com READ_WRITE"])
  }

  @Test func administratorsMayChangeTheListAndLeave() throws {
    try cli.expect("share", "set", url, "--participant", "bob", "--role", "administrator", as: "alice")
    try cli.expect("share", "accept", url, as: "bob")
    let run = manage("s", "i", "carol", "1", "l", "y", as: "bob")
    #expect(run.code == .success)
    #expect(run.error.contains("\"s\" is none of i, p, r, n, o, l, c, u, q"))
    #expect(try participants().last == "account READ_ONLY")
  }

  @Test func itEndsCleanly() throws {
    let end = cli.run(["share", "manage", url], as: "alice", answers: [])
    #expect(end.code == .success)
    #expect(end.error.hasSuffix("choice: \n"))
    let interrupted = cli.run(["share", "manage", url], as: "alice", answers: [.text("i"), .interrupted])
    #expect(interrupted.code == .interrupted)
    #expect(interrupted.error.hasSuffix("? \n"))
    // Another process has ended the share.
    try cli.expect("share", "stop", url, as: "alice")
    #expect(manage("q").code == .notFound)
  }

  @Test func neverWhereNobodyAnswers() throws {
    let piped = cli.run("share", "manage", url, as: "alice")
    #expect(piped.code == .usage)
    #expect(piped.output == "")
    #expect(piped.error.contains("use \"share show\", \"invite\", \"set\", \"remove\", \"stop\" and \"leave\""))
    #expect(try cli.error("share", "manage", url, as: "alice")?["code"] == "terminalNeeded")
    for option in ["--json", "--no-input"] { #expect(manage("q", options: [option]).code == .usage) }
  }

  @Test func optionsOfTheMenuHoldForItsCommands() throws {
    let run = cli.run(
      ["share", "manage", "root", "-z", "Z", "--account", "alice", "--color", "always", "--yes"],
      answers: ["i", "carol", "1", "s"].map { .text($0) })
    #expect(run.code == .success)
    #expect(run.output.contains("invited \u{1B}[1mcarol"))
    #expect(cli.run("share", "show", url, as: "alice").code == .notFound)
  }
}

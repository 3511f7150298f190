import FaultInjection
import LocalCloudCommands
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

/// The shell suite 025-exec starts commands. These tests start none, because `as` would replace the test's process, and
/// `exec` would receive its signals.
@Suite("People: init --people, account add, and the refusals of exec, as and shell")
struct PeopleCommandTests {
  @Test("init makes the people with their addresses, and adds only the missing ones to a cloud that exists")
  func initMakesThePeople() throws {
    let path = ScratchFolder.newPath("people")
    defer { try? ScratchFolder.remove(path) }
    func run(_ words: String...) -> ToolRun {
      ToolRun(words: ["init", path, "--json"] + words, registry: .standard)
    }
    let first = run("--people", "anna,ben", "--people", "cleo")
    #expect(try JSONValue(parsing: first.output)["accounts"] == ["anna", "ben", "cleo"])
    #expect(first.error == "")
    let again = run("--if-missing", "--people", "ben,dora")
    #expect(try JSONValue(parsing: again.output)["created"] == false)
    let list = ToolRun(words: ["account", "list", "--root", path, "--json"], registry: .standard)
    let accounts = try JSONValue(parsing: list.output)["accounts"]?.array
    let names = ["anna", "ben", "cleo", "dora"]
    #expect(accounts?.compactMap { $0["name"]?.string } == names)
    #expect(accounts?.compactMap { $0["emails"]?.array?.first?.string } == names.map { $0 + "@example.com" })
  }

  @Test("--people refuses an empty name, and a name that no account can have")
  func wrongPeople() {
    let path = ScratchFolder.newPath("people")
    defer { try? ScratchFolder.remove(path) }
    let empty = ToolRun(words: ["init", path, "--people", "anna,,ben"], registry: .standard)
    #expect(empty.code == .usage)
    #expect(empty.error.contains("--people \"anna,,ben\" has an empty name"))
    #expect(!Cloud.exists(at: path))
    let wrong = ToolRun(words: ["init", path, "--people", "../anna"], registry: .standard)
    #expect(wrong.code == .failure)
    #expect(wrong.error.contains("can't be an account's name"))
  }

  @Test("init imports a schema, and the records of a person")
  func initImports() throws {
    let source = try Cli("alice")
    try source.expect("record", "save", "Note", "-n", "milk", "text=Buy milk", as: "alice")
    let files = try TransferFolder()
    try source.expect("export", files.file("records.jsonl"), as: "alice")
    let schema = try source.expect("schema", "export").output
    try files.write("schema.ckdb", Array(schema.utf8))
    let path = files.file("cloud")
    let seeded = source.run(
      "init", path, "--people", "alice", "--schema", files.file("schema.ckdb"), "--seed-from",
      files.file("records.jsonl"), "--quiet", as: "alice")
    #expect(seeded.code == .success, "\(seeded.error)")
    #expect(seeded.output == path + "\n")
    let record = source.run("record", "get", "milk", "--root", path, as: "alice")
    #expect(record.output.contains("Buy milk"), "\(record.error)")
    #expect(source.run("schema", "export", "--root", path).output == schema)
  }

  @Test("account add takes several names; addresses and personal names need a single one")
  func accountAdd() throws {
    let cli = try Cli()
    let added = try cli.json("account", "add", "anna", "ben", "cleo", "--status", "restricted")
    #expect(added["accounts"]?.array?.map { $0["name"] } == ["anna", "ben", "cleo"])
    #expect(added["accounts"]?.array?.map { $0["status"] } == ["restricted", "restricted", "restricted"])
    #expect(try cli.expect("account", "add", "dora", "emil").output.split(separator: "\n").count == 2)
    let refused = cli.run("account", "add", "fritz", "gerd", "--email", "x@example.com")
    #expect(refused.code == .usage)
    #expect(refused.error.contains("--email belongs to one person, but there are 2 names"))
    let partly = cli.run("account", "add", "fritz", "anna", "gerd")
    #expect(partly.code == .failure)
    #expect(partly.error.contains("There is an account anna already. (added before: fritz)"), "\(partly.error)")
    #expect(cli.run("account", "show", "gerd").code == .notFound)
  }

  @Test(
    "wrong usage of exec, as and shell has the status of wrong usage",
    arguments: [
      (["exec"], "<command> is missing"), (["exec", "--people", "anna"], "<command> is missing"),
      (["exec", "--fresh", "--root", "/nowhere", "true"], "--fresh and --root cannot be given together"),
      (["exec", "--keep", "sometimes", "true"], "it is one of always, failure, never"),
      (["as"], "<name> is missing"), (["as", "alice"], "<command> is missing"),
      (["as", "alice", "--account", "bob", "true"], "give either <name> or --account, not both"),
      (["shell"], "no account acts"), (["shell", "--account", "alice"], "localcloud as alice COMMAND"),
    ])
  func wrongUsage(words: [String], message: String) throws {
    let run = try Cli("alice").run(words)
    #expect(run.code == .usage)
    #expect(run.error.contains(message), "\(run.error)")
    #expect(run.output == "")
  }

  @Test("as refuses an unknown person and a missing cloud with the status of a wrapper, and an exact code")
  func refusalsOfAs() throws {
    let cli = try Cli("alice")
    let unknown = try cli.error("--json", "as", "alcie", "true")
    #expect(unknown?["exitCode"] == 125)
    #expect(unknown?["cause"] == "unknownAccount")
    #expect(unknown?["hint"] == "did you mean \"alice\"?")
    let nowhere = cli.run("as", "alice", "true", variables: ["LOCALCLOUD_ROOT": "/nowhere/cloud"])
    #expect(nowhere.code == .wrapperFailed)
    #expect(nowhere.output == "")
  }
}

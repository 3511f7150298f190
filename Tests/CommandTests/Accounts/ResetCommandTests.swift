import LocalCloudCommands
import LocalCloudPlatform
import LocalCloudStorage
import Testing

@Suite("The commands reset")
struct ResetCommandTests {
  private let cli: Cli

  init() throws {
    cli = try Cli("alice", "bob")
    for account in ["alice", "bob"] {
      try cli.expect("zone", "save", "Notes", as: account)
      try cli.expect("record", "save", "Note", "--name", "milk", "--zone", "Notes", as: account)
    }
  }

  private func hasRecord(_ account: String) -> Bool {
    cli.run("record", "get", "milk", "--zone", "Notes", as: account).code == .success
  }

  @Test("reset container prints the counts and the zones; a second one finds no data")
  func container() {
    let container = "iCloud.example.Commands"
    let text = """
      reset the container \(container): 2 zones, 2 records
      - Notes of alice, development of \(container): 1 record
      - Notes of bob, development of \(container): 1 record

      """
    #expect(cli.run("reset", "container", "--dry-run").output == "would " + text)
    #expect(hasRecord("alice"))
    #expect(cli.run("reset", "container", "--yes").output == text)
    #expect(!hasRecord("alice"))
    #expect(!hasRecord("bob"))
    #expect(cli.run("reset", "container", "--yes").output == "reset the container \(container): no data\n")
    #expect(cli.run("reset", "container", "--yes", "--quiet").output == "")
  }

  @Test("each scope asks for confirmation, and deletes nothing without it")
  func confirmation() throws {
    for words in [["all"], ["container"], ["environment"], ["account", "alice"], ["zone", "Notes"]] {
      let unasked = cli.run(["reset"] + words, as: "alice")
      #expect(unasked.code == .usage)
      #expect(unasked.error.contains("add --yes"))
      let declined = cli.run(["reset"] + words, as: "alice", answers: [.text("n")])
      #expect(declined.code == .failure)
      #expect(declined.error.contains("delete all data of "))
    }
    #expect(try cli.error("reset", "all")?["code"] == "confirmationNeeded")
    #expect(hasRecord("alice"))
    #expect(cli.run(["reset", "account", "alice"], answers: [.text("y")]).code == .success)
    #expect(!hasRecord("alice"))
    #expect(hasRecord("bob"))
  }

  @Test("a scope has to be named as a word: no variable and no option picks one")
  func wrongInput() {
    _ = cli.run("reset", "--yes", as: "alice", variables: ["LOCALCLOUD_ENVIRONMENT": "development"])
    _ = cli.run("reset", "--yes", "--account", "alice", "--environment", "development")
    #expect(cli.run("reset", "everything", "--yes").code == .usage)
    #expect(cli.run("reset", "account", "--yes", as: "alice").code == .usage)
    #expect(cli.run("reset", "zone", "--yes", as: "alice").code == .usage)
    #expect(cli.run("reset", "container", "--accounts", "--yes").code == .usage)
    #expect(cli.run("reset", "zone", "Notes", "--schema", "--yes", as: "alice").code == .usage)
    let shared = cli.run("reset", "zone", "Notes", "--database", "shared", "--yes", as: "alice")
    #expect(shared.code == .usage)
    #expect(shared.error.contains("zone delete"))
    #expect(cli.run("reset", "account", "dave", "--yes").code == .notFound)
    #expect(cli.run("reset", "zone", "None", "--yes", as: "alice").code == .notFound)
    #expect(hasRecord("alice"))
  }

  @Test("reset environment takes the environment of the settings")
  func environment() throws {
    let production = cli.run(
      "reset", "environment", "--dry-run", variables: ["LOCALCLOUD_ENVIRONMENT": "production"])
    #expect(production.output == "would reset production of iCloud.example.Commands: no data\n")
    let development = try cli.json("reset", "environment", "--dry-run")
    #expect(development["recordCount"] == 2)
    #expect(development["dryRun"] == true)
  }

  @Test("reset zone deletes a zone of the acting account")
  func zone() throws {
    try cli.expect("reset", "zone", "Notes", "--yes", as: "alice")
    #expect(!hasRecord("alice"))
    #expect(hasRecord("bob"))
  }

  @Test("reset all with --accounts and --schema leaves an empty cloud, and says so as JSON")
  func all() throws {
    let reset = try cli.json("reset", "all", "--accounts", "--schema", "--yes", as: "alice")
    #expect(reset["accounts"]?.array?.compactMap(\.string) == ["alice", "bob"])
    #expect(reset["recordCount"] == 2)
    #expect(reset["zones"]?.array?.count == 2)
    #expect(reset["zones"]?.array?.first?["containerIdentifier"] == "iCloud.example.Commands")
    #expect(reset["zones"]?.array?.first?["recordCount"] == 1)
    #expect(reset["schemas"]?.array?.first?["environment"] == "development")
    #expect(try cli.json("account", "list")["accounts"] == [])
    #expect(cli.run("check").code == .success)
  }

  @Test("a result that can't be written is an error, and the reset is done")
  func closedOutput() {
    let run = cli.run(["reset", "all", "--yes"], failWith: SystemError.noSpace)
    #expect(run.code == .storage)
    #expect(!hasRecord("alice"))
  }
}

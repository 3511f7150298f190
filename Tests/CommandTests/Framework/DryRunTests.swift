import FaultInjection
import Foundation
import LocalCloudCommands
import LocalCloudObjectStore
import LocalCloudStorage
import LocalCloudStore
import Testing

@Suite("Dry runs of the commands that delete")
struct DryRunTests {
  private let cli: Cli
  private let folder: TemporaryFolder
  private let schema: String
  private var store: String { folder.path + "/private.sqlite" }
  private static let container = "iCloud.example.Commands"

  init() throws {
    cli = try Cli("alice", "bob", "carol")
    folder = try TemporaryFolder("dry-runs")
    var entity = StoreSchema.Declaration(name: "Person")
    entity.attributes = [.init(name: "name", type: .string)]
    _ = try ObjectStore(folder.path + "/private.sqlite", schema: StoreSchema([entity]))
    try cli.expect("zone", "save", "Notes", "Empty", as: "alice")
    for name in ["milk", "tea"] {
      try cli.expect("record", "save", "Note", "-z", "Notes", "-n", name, "count:int64=2", as: "alice")
    }
    try cli.expect("subscription", "create", "zone", "notes", "--zone", "Notes", as: "alice")
    let url = try cli.expect("share", "create", "milk", "-z", "Notes", "--with", "bob", as: "alice").output.dropLast()
    try cli.expect("share", "accept", String(url), as: "bob")
    schema = try cli.expect("schema", "export", as: "alice").output
    try cli.expect("snapshot", "save", "before")
  }

  /// The words of each deleting command.
  private var words: [String: [String]] {
    let tool = ["--container-id", Self.container]
    let development = tool + ["--environment", "development"]
    let records = development + ["--database-type", "private", "--zone", "Notes"]
    return [
      "account purge": ["alice"], "account remove": ["carol"], "account reset-keys": ["alice"],
      "cktool delete-record": records + ["--record-name", "milk"],
      "cktool delete-records": records + ["--record-type", "Note", "--filters", "count > 1"],
      "cktool import-schema": development + ["--file", "-"], "cktool reset-schema": tool,
      "record delete": ["tea", "none", "-z", "Notes"], "repair": [], "reset account": ["alice"], "reset all": [],
      "reset container": [], "reset environment": [], "reset zone": ["Notes"], "schema import": ["-"],
      "schema reset": [],
      "share leave": ["milk", "-z", "Notes"], "share remove": ["milk", "-z", "Notes", "--participant", "bob"],
      "share stop": ["milk", "-z", "Notes"], "snapshot delete": ["before"], "snapshot restore": ["before"],
      "store destroy": [store], "store repair": [store],
      "subscription delete": ["notes"], "zone delete": ["Empty"],
    ]
  }

  private func account(of command: String) -> String { command == "share leave" ? "bob" : "alice" }

  @Test("every command that deletes has a dry run, that changes no byte of the cloud and of stores")
  func changesNothing() throws {
    let before = try TreeContents(of: cli.root)
    let storeBefore = try TreeContents(of: folder.path)
    for command in CommandRegistry.standard.commands where command.description.deletesData {
      let name = command.description.name
      guard let words = words[name] else {
        Issue.record("this test lacks words for \(name)")
        continue
      }
      let flag = name == "cktool delete-records" ? ["--dry-run", "true"] : ["--dry-run", "--json"]
      // The device has not been used before: a dry run does not sign in on it.
      for device in [[], ["--device", "tablet"]] where device.isEmpty || !name.hasPrefix("cktool") {
        let run = cli.run(
          command.description.path + words + flag + device, as: account(of: name), input: schema)
        #expect(run.code == .success, "\(name): \(run.error)")
        if flag.contains("--json") {
          #expect(try JSONValue(parsing: run.output)["dryRun"] == true, "\(name)")
        }
        let changed = try TreeContents(of: cli.root) - before
        #expect(changed == [], "\(name)")
        let changedInStore = try TreeContents(of: folder.path) - storeBefore
        #expect(changedInStore == [], "\(name)")
      }
    }
  }

  @Test("a command with a verb of deletion is described as one that deletes")
  func verbs() {
    let verbs: Set = ["delete", "destroy", "leave", "purge", "remove", "repair", "reset", "stop", "reset-keys"]
    for command in CommandRegistry.standard.commands where verbs.contains(command.description.path.last ?? "") {
      // A rule for faults is no data of an app.
      if command.description.name == "fault remove" { continue }
      #expect(command.description.deletesData, "\(command.description.name)")
    }
  }

  @Test("a deleting command without --dry-run is a mistake in its description")
  func missingFlag() {
    #expect(
      CommandRegistry([WipeCommand.self]).problems == ["wipe: it deletes data and has no --dry-run"])
  }

  private struct WipeCommand: Command {
    static let description = CommandDescription("wipe", summary: "Wipe", deletesData: true)

    func run(_ context: CommandContext) throws {}
  }

  @Test(
    "the document of a dry run is that of the run, with dryRun",
    arguments: [
      "account purge", "account remove", "account reset-keys", "record delete", "reset account",
      "reset all", "reset container", "reset environment", "reset zone", "schema reset", "share leave", "share stop",
      "snapshot delete", "store destroy", "subscription delete", "zone delete",
    ])
  func sameDocument(command: String) throws {
    let line = command.split(separator: " ").map(String.init) + (words[command] ?? []) + ["--json"]
    let dry = cli.run(line + ["--dry-run"], as: account(of: command))
    let real = cli.run(line + ["--yes"], as: account(of: command))
    #expect(dry.code == .success, "\(dry.error)")
    #expect(real.code == .success, "\(real.error)")
    var document = try JSONValue(parsing: dry.output).object
    #expect(document?["dryRun"] == true)
    document?["dryRun"] = nil
    #expect(try document == JSONValue(parsing: real.output).object)
  }

  @Test("a dry run prints a sentence, asks nothing, and finds that nothing is there")
  func text() throws {
    #expect(cli.run("record", "delete", "tea", "-z", "Notes", "--dry-run", as: "alice").output == "would delete tea\n")
    let zone = cli.run("zone", "delete", "Empty", "--dry-run", "--quiet", as: "alice")
    #expect(zone.output.hasPrefix("would delete zone Empty"))
    #expect(cli.run("zone", "delete", "None", "--dry-run", as: "alice").code == .notFound)
    #expect(cli.run("subscription", "delete", "none", "--dry-run", as: "alice").code == .notFound)
    #expect(cli.run("snapshot", "delete", "none", "--dry-run").code == .notFound)
    #expect(cli.run("snapshot", "restore", "none", "--dry-run").code == .notFound)
    #expect(cli.run("account", "remove", "dave", "--dry-run", as: "alice").code == .notFound)
    #expect(cli.run("store", "destroy", folder.path + "/none", "--dry-run", as: "alice").code == .notFound)
  }

  @Test("a dry run finds damage that repair would mend, and leaves it")
  func repair() throws {
    let file = cli.root + "/containers/\(Self.container)/development/private/alice/zones/Notes/records/tea.json"
    try Data("{".utf8).write(to: URL(fileURLWithPath: file))
    let before = try TreeContents(of: cli.root)
    let run = cli.run("repair", "--dry-run", "--json", as: "alice")
    #expect(run.code == .problemsFound)
    #expect(try JSONValue(parsing: run.output)["problems"]?.array?.contains { $0["state"] == "found" } == true)
    #expect(try TreeContents(of: cli.root) - before == [])
  }
}

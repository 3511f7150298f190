import FaultInjection
import LocalCloudCommands
import LocalCloudPlatform
import LocalCloudStorage
import Testing

@Suite("The commands snapshot save, list, show, restore and delete")
struct SnapshotCommandTests {
  private let cli: Cli

  init() throws {
    cli = try Cli("alice", "bob")
    try cli.expect("zone", "save", "Notes", as: "alice")
    // The first listing of a database makes its default zone.
    try cli.expect("zone", "list", as: "alice")
    try save("milk", 3)
  }

  private func save(_ name: String, _ quantity: Int) throws {
    try cli.expect(
      "record", "save", "Note", "--name", name, "-z", "Notes", "--policy", "all", "quantity:int64=\(quantity)",
      as: "alice")
  }

  private func quantity() throws -> String {
    try cli.expect("record", "get", "milk", "-z", "Notes", "--value", "quantity", as: "alice").output
  }

  private func token() throws -> String {
    try #require(cli.json("changes", "--zone", "Notes", as: "alice")["token"]?.string)
  }

  private func names() throws -> [String] {
    try #require(cli.json("snapshot", "list")["snapshots"]?.array).compactMap { $0["name"]?.string }
  }

  @Test("a snapshot has a name, a note, a time, the accounts, and the zones with their numbers of records")
  func contents() throws {
    let saved = try cli.json("snapshot", "save", "before", "--note", "two people")
    #expect(saved["name"] == "before")
    #expect(saved["note"] == "two people")
    #expect(saved["created"] == "2026-01-31T12:00:00.000Z")
    #expect(saved["accounts"] == ["alice", "bob"])
    let zone = try #require(saved["zones"]?.array?.first { $0["zoneID"]?["zoneName"] == "Notes" })
    #expect(zone["records"] == 1)
    #expect(zone["account"] == "alice")
    #expect(zone["containerIdentifier"] == "iCloud.example.Commands")
    #expect(zone["database"] == "private")
    #expect(zone["environment"] == "development")
    #expect(try cli.json("snapshot", "show", "before") == saved)
    #expect(try cli.json("snapshot", "list")["snapshots"]?.array?.count == 1)
    let text = try cli.expect("snapshot", "show", "before").output
    #expect(text.hasPrefix("snapshot before\n  note      two people\n"))
    #expect(text.contains("  accounts  alice, bob\n"))
    #expect(text.contains("Notes"))
    #expect(try cli.expect("snapshot", "save", "after").output.hasPrefix("saved snapshot after: "))
    #expect(try names() == ["after", "before"])
    #expect(try cli.expect("snapshot", "list", "--count").output == "2\n")
    #expect(
      try cli.expect("snapshot", "list", "--format", "tsv").output
        .hasPrefix("snapshot\tcreated\taccounts\tzones\trecords\tnote\nafter\t2026-01-31T12:00:00.000Z\t2\t"))
    let empty = try Cli().expect("snapshot", "list")
    #expect(empty.output == "")
    #expect(empty.error.contains("localcloud snapshot save NAME"))
  }

  @Test("a restore brings records, zones and accounts back, and removes later ones")
  func restore() throws {
    try cli.expect("snapshot", "save", "before")
    try save("milk", 4)
    try save("tea", 1)
    try cli.expect("zone", "save", "Later", as: "alice")
    try cli.expect("account", "add", "carol")
    let dry = try cli.json("snapshot", "restore", "before", "--dry-run")
    #expect(dry["dryRun"] == true)
    #expect(dry["effect"]?["records"] == ["changed": 1, "lost": 1, "returning": 0])
    #expect(dry["effect"]?["accounts"]?["lost"] == 1)
    #expect(dry["effect"]?["zones"]?["lost"] == 1)
    let text = try cli.expect("snapshot", "restore", "before", "--dry-run").output
    #expect(
      text == """
        would restore snapshot before: 1 account is lost, 1 zone is lost, 1 record is lost, \
        1 record gets its earlier contents

        """)
    #expect(try quantity() == "4\n")

    let restored = try cli.json("snapshot", "restore", "before", "--yes")
    #expect(restored["restored"] == true)
    #expect(restored["name"] == "before")
    #expect(try quantity() == "3\n")
    #expect(cli.run("record", "get", "tea", "-z", "Notes", as: "alice").code == .notFound)
    #expect(cli.run("record", "list", "-z", "Later", as: "alice").code == .notFound)
    #expect(cli.run("account", "show", "carol").code == .notFound)
    #expect(cli.run("check").output == "no problems found\n")
    // The snapshots stay.
    #expect(try names() == ["before"])
    try cli.expect("record", "delete", "milk", "-z", "Notes", as: "alice")
    #expect(
      try cli.expect("snapshot", "restore", "before", "--dry-run").output
        == "would restore snapshot before: 1 record comes back\n")
    let again = try cli.expect("snapshot", "restore", "before", "--yes")
    #expect(again.output.hasPrefix("restored snapshot before: "))
    #expect(try quantity() == "3\n")
    #expect(try cli.expect("snapshot", "restore", "before", "--yes", "-q").output == "")
  }

  @Test("the preview of a restore counts schemas, and zones with other properties")
  func schemasAndProperties() throws {
    try cli.expect("snapshot", "save", "before")
    try cli.expect("record", "save", "Price", "--name", "price", "-z", "Notes", as: "alice")
    try cli.expect("share", "create", "-z", "Notes", as: "alice")
    let effect = try cli.json("snapshot", "restore", "before", "--dry-run")["effect"]
    #expect(effect?["schemas"] == ["changed": 1, "lost": 0, "returning": 0])
    #expect(effect?["zones"] == ["changed": 1, "lost": 0, "returning": 0])
    let text = try cli.expect("snapshot", "restore", "before", "--dry-run").output
    #expect(text.contains(": 1 schema gets its earlier contents, 1 zone gets its earlier properties, "))
  }

  @Test("change tokens from after the snapshot are refused, those from before it continue")
  func histories() throws {
    let early = try token()
    try cli.expect("snapshot", "save", "before")
    try save("milk", 4)
    let late = try token()
    try cli.expect("snapshot", "restore", "before", "--yes")
    // The sequence of the late token is used again.
    try save("tea", 1)
    let refused = try cli.error("changes", "--zone", "Notes", "--since", late, as: "alice")
    #expect(refused?["code"] == "changeTokenExpired")
    let changes = try cli.json("changes", "--zone", "Notes", "--since", early, as: "alice")
    #expect(changes["records"]?.array?.map { $0["recordName"] } == ["tea"])
  }

  @Test("a restore and a deletion ask first, and do nothing without an answer")
  func questions() throws {
    try cli.expect("snapshot", "save", "before")
    try save("milk", 4)
    let untold = cli.run("snapshot", "restore", "before")
    #expect(untold.code == .usage)
    #expect(untold.error.contains("will not restore snapshot before (1 record gets its earlier contents) without"))
    #expect(cli.run("snapshot", "delete", "before").code == .usage)
    for verb in ["restore", "delete"] {
      let declined = cli.run(["snapshot", verb, "before"], answers: [.text("n")])
      #expect(declined.code == .failure)
      #expect(declined.error.contains("\(verb) snapshot before ("))
    }
    #expect(try quantity() == "4\n")
    #expect(cli.run(["snapshot", "restore", "before"], answers: [.text("y")]).code == .success)
    #expect(try quantity() == "3\n")
    #expect(cli.run(["snapshot", "delete", "before"], answers: [.text("yes")]).code == .success)
    #expect(try names() == [])
    #expect(try quantity() == "3\n")
  }

  @Test("a name that is taken is refused, unless it is replaced")
  func replacing() throws {
    try cli.expect("snapshot", "save", "before")
    try save("milk", 4)
    let taken = try cli.error("snapshot", "save", "before")
    #expect(taken?["code"] == "serverRejectedRequest")
    #expect(taken?["hint"]?.string?.contains("--replace") == true)
    #expect(taken?["exitCode"] == 1)
    try cli.expect("snapshot", "restore", "before", "--yes")
    #expect(try quantity() == "3\n")
    try save("milk", 5)
    try cli.expect("snapshot", "save", "before", "--replace", "--note", "five")
    try save("milk", 6)
    try cli.expect("snapshot", "restore", "before", "--yes")
    #expect(try quantity() == "5\n")
    #expect(try cli.json("snapshot", "show", "before")["note"] == "five")
  }

  @Test(
    "names with spaces, slashes, quotes and characters outside of ASCII",
    arguments: [
      "vor dem Öffnen: ½/2", "\"x\" $(touch y) 🎉%41", "~", "-dash", "a\\b", "a..", String(repeating: "ü", count: 100),
    ])
  func strangeNames(name: String) throws {
    #expect(cli.run("snapshot", "save", "--", name).code == .success)
    #expect(try names() == [name])
    #expect(cli.run("snapshot", "show", "--", name).output.hasPrefix("snapshot \(name)\n"))
    try save("milk", 4)
    #expect(cli.run("snapshot", "diff", "--", name).output.contains("quantity: 3 → 4"))
    #expect(cli.run("snapshot", "restore", "--yes", "--", name).code == .success)
    #expect(try quantity() == "3\n")
    #expect(cli.run("snapshot", "delete", "--yes", "--", name).code == .success)
    #expect(try names() == [])
  }

  @Test(
    "names that are empty, too long, hidden or hold control characters are refused",
    arguments: ["", ".", "..", ".hidden", "a\nb", "a\u{1B}[31m", "a\u{202E}b", String(repeating: "ü", count: 101)])
  func wrongNames(name: String) throws {
    let run = cli.run(["snapshot", "save", "--json", "--", name])
    #expect(run.code == .failure)
    #expect(try JSONValue(parsing: run.error)["error"]?["code"] == "invalidArguments")
    #expect(try names() == [])
  }

  @Test("wrong usage, snapshots that do not exist, no cloud, and a closed standard output")
  func refusals() throws {
    for verb in ["save", "show", "restore", "delete", "diff", "export", "import"] {
      #expect(cli.run("snapshot", verb).code == .usage, "\(verb)")
    }
    #expect(cli.run("snapshot").code == .usage)
    #expect(cli.run("snapshot", "save", "a", "b").code == .usage)
    try cli.expect("snapshot", "save", "before")
    for words in [["show"], ["restore", "--yes"], ["delete", "--yes"], ["diff", "before"], ["diff"], ["export"]] {
      let error = try JSONValue(parsing: cli.run(["snapshot"] + words + ["none", "--json"]).error)["error"]
      #expect(error?["exitCode"] == 13, "\(words)")
      #expect(error?["hint"]?.string?.contains("snapshot list") == true, "\(words)")
    }
    for words in [["save", "a"], ["list"], ["show", "before"], ["restore", "before", "--yes"], ["diff", "before"]] {
      #expect(cli.run(["snapshot"] + words + ["--root", cli.root + "-none"]).code == .noStore, "\(words)")
    }
    for words in [["list"], ["show", "before"], ["save", "a"]] {
      #expect(cli.run(["snapshot"] + words, failWith: SystemError.brokenPipe).code == .success, "\(words)")
    }
  }
}

import LocalCloudCommands
import LocalCloudStorage
import Testing

@Suite("The command diff")
struct DiffCommandTests {
  private let cli: Cli
  private let folder: TransferFolder

  init() throws {
    cli = try Cli("alice", "bob")
    folder = try TransferFolder()
    try cli.expect("zone", "save", "Notes", as: "alice")
    try save("milk", "count:int64=1")
    try cli.expect("snapshot", "save", "before")
  }

  private func save(_ name: String, _ fields: String...) throws {
    try cli.saveNote(name, fields)
  }

  private func output(_ words: [String], as account: String? = nil) throws -> String {
    try cli.expect(words, as: account).output
  }

  private func token() throws -> String {
    try #require(try cli.json("changes", "-z", "Notes", as: "alice")["token"]?.string)
  }

  @Test("snapshots and now are compared as by snapshot diff, in every format")
  func sameAsSnapshotDiff() throws {
    try save("milk", "count:int64=2")
    try cli.expect("account", "add", "carol")
    try cli.expect("share", "create", "milk", "-z", "Notes", as: "alice")
    try cli.expect("snapshot", "save", "after")
    for format in ["table", "tsv", "json"] {
      let text = try output(["diff", "before", "after", "--format", format])
      #expect(try text == output(["snapshot", "diff", "before", "after", "--format", format]))
      #expect(try text == output(["diff", "before", "now", "--format", format]))
    }
    let text = try output(["diff", "before", "now"])
    #expect(text.contains("+ account carol\n"))
    #expect(text.contains("count: 1 → 2\n"))
    #expect(text.contains("  + cloudkit.share Share-"))
    #expect(try output(["diff", "now", "before"]).contains("count: 2 → 1\n"))
    #expect(cli.run("diff", "before", "now", "--exit-code").code == .failure)
    #expect(cli.run("diff", "before", "before", "--exit-code").code == .success)
    #expect(cli.run("diff", "now", "now").error == "no differences\n")
  }

  @Test("subscriptions are compared")
  func subscriptions() throws {
    try cli.expect("subscription", "create", "zone", "news", "--zone", "Notes", as: "alice")
    let text = "+ subscription news of alice's private database, iCloud.example.Commands, development\n"
    #expect(try output(["diff", "before", "now"]) == text)
    let line = try JSONValue(parsing: output(["diff", "before", "now", "--json"]))
    #expect(line["kind"] == "subscription" && line["subscriptionID"] == "news" && line["change"] == "added")
    #expect(line["database"] == "private" && line["account"] == "alice")
    let cells = try output(["diff", "before", "now", "--format", "tsv"])
      .split(separator: "\t", omittingEmptySubsequences: false)
    #expect(cells.count == 10 && cells[8] == "news")
    let dry = try cli.json("snapshot", "restore", "before", "--dry-run")
    #expect(dry["effect"]?["subscriptions"]?["lost"] == 1)
  }

  @Test("the file of an exported snapshot is a state; a name comes first, and a path with a slash is the file")
  func files() throws {
    let path = folder.path + "/state.jsonl"
    try cli.expect("snapshot", "export", "before", path)
    try save("milk", "count:int64=2")
    #expect(try output(["diff", path, "now"]) == output(["diff", "before", "now"]))
    #expect(try output(["diff", "now", path]) == output(["diff", "now", "before"]))
    #expect(try output(["snapshot", "list", "--count"]) == "1\n")
    let garbage = try folder.write("garbage", Array("{}\n".utf8))
    let run = cli.run("diff", garbage, "now")
    #expect(run.code == .failure && run.output == "")
    #expect(try output(["snapshot", "list", "--count"]) == "1\n")
  }

  @Test("two tokens of a zone, or one and now, give the records that changed in between")
  func tokens() throws {
    let start = try token()
    try save("milk", "count:int64=2")
    try save("tea", "text=a")
    let middle = try token()
    try cli.expect("record", "delete", "tea", "-z", "Notes", as: "alice")
    let zone = "zone Notes of alice, iCloud.example.Commands, development\n"
    let both = zone + "  ~ Note milk\n      count\n  + Note tea\n      text\n"
    #expect(try output(["diff", start, middle], as: "alice") == both)
    #expect(try output(["diff", start, "now"], as: "alice") == zone + "  ~ Note milk\n      count\n")
    #expect(try output(["diff", middle, "now"], as: "alice") == zone + "  - Note tea\n")
    let line = try JSONValue(parsing: output(["diff", start, "now", "--json"], as: "alice"))
    #expect(line["recordName"] == "milk" && line["fields"] == ["count"] && line["before"] == nil)
    #expect(cli.run("diff", middle, "now", "--exit-code", as: "alice").code == .failure)
    #expect(cli.run("diff", "now", start, as: "alice").code == .usage)
    #expect(cli.run("diff", start, "before", as: "alice").code == .usage)
    #expect(cli.run("diff", start, "now", as: "bob").code != .success)
  }

  @Test("a word that is no state ends with the exit code of a missing thing")
  func missing() throws {
    for word in ["none", "../none", "two\nlines\u{1B}[31m"] {
      let run = cli.run("diff", "--", word, "now")
      #expect(run.code == .notFound, "\(word)")
      #expect(run.output == "" && !run.error.contains("\u{1B}"))
      #expect(run.error.contains("there is no snapshot, no file and no change token"))
    }
    #expect(cli.run("diff", "before").code == .usage)
  }
}

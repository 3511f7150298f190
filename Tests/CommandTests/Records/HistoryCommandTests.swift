import LocalCloudCommands
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("The command history")
struct HistoryCommandTests {
  private let cli: Cli

  init() throws {
    cli = try Cli("alice", "bob")
    try cli.expect("zone", "save", "Notes", as: "alice")
  }

  private func save(_ name: String, _ fields: String..., as account: String = "alice", shared: Bool = false) throws {
    let options = shared ? ["-z", "Notes", "--database", "shared"] : ["-z", "Notes"]
    let run = cli.run(
      ["record", "save", "Note", "--name=\(name)", "--policy", "all"] + options + fields, as: account)
    try #require(run.code == .success, "\(run.error)")
  }

  private func versions(_ name: String = "milk", _ options: String..., as account: String = "alice") throws
    -> [JSONValue]
  {
    let run = try cli.expect(["history", "-z", "Notes", "--json"] + options + ["--", name], as: account)
    return try #require(JSONValue(parsing: run.output)["versions"]?.array)
  }

  private func rows(_ name: String = "milk", _ options: String..., as account: String = "alice") throws -> [[String]] {
    let run = try cli.expect(["history", "-z", "Notes", "--format", "tsv"] + options + ["--", name], as: account)
    return run.output.split(separator: "\n").dropFirst()
      .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
  }

  private func share(_ name: String) throws {
    let url = try cli.expect(
      "share", "create", name, "-z", "Notes", "--person", "bob", "--permission", "readWrite", "--quiet", as: "alice"
    ).output
    try cli.expect("share", "accept", String(url.dropLast()), as: "bob")
  }

  @Test("the versions of two people on two devices, newest last, with tag, time, account, device and fields")
  func twoPeople() throws {
    try save("milk", "count:int64=2", "text=a")
    try share("milk")
    let run = cli.run(
      "record", "update", "milk", "-z", "Notes", "--database", "shared", "count:int64=3", as: "bob",
      variables: ["LOCALCLOUD_DEVICE": "bobs-laptop"])
    try #require(run.code == .success, "\(run.error)")
    let versions = try versions()
    #expect(versions.first?["change"] == "created")
    #expect(versions.first?["fields"] == ["count", "text"])
    #expect(versions.first?["modified"]?["deviceID"] == "alice-device")
    let last = try #require(versions.last)
    #expect(last["change"] == "changed")
    #expect(last["fields"] == ["count"])
    #expect(last["modified"]?["deviceID"] == "bobs-laptop")
    #expect(last["modified"]?["timestamp"] == 1_769_860_800_000)
    let record = try cli.json("record", "get", "milk", "-z", "Notes", as: "alice")
    #expect(last["recordChangeTag"] == record["recordChangeTag"])
    #expect(last["modified"]?["userRecordName"] == record["modified"]?["userRecordName"])
    #expect(last["after"]?["count"]?["value"] == 3)
    let row = try #require(try rows().last)
    #expect(row[0] == "changed")
    #expect(row[2...4] == ["2026-01-31T12:00:00.000Z", "bob", "bobs-laptop"])
    #expect(row[5] == "count: (not kept) → 3")
    // The version with which the record entered the share is the first that bob may see.
    let seen = try self.versions("milk", "--database", "shared", as: "bob")
    #expect(seen.count == versions.count - 1)
    #expect(seen.first?["members"]?.array?.contains("share") == true)
  }

  @Test("a snapshot still has the values of an older version")
  func snapshot() throws {
    try save("milk", "count:int64=2", "text=a")
    #expect(try rows().map { $0[5] } == ["count: 2; text: a"])
    try cli.expect("snapshot", "save", "before")
    try save("milk", "count:int64=3")
    #expect(try rows().map { $0[5] } == ["count: 2; text: a", "count: 2 → 3"])
    let last = try #require(try versions().last)
    #expect(last["before"]?["count"]?["value"] == 2)
    #expect(last["after"]?["count"]?["value"] == 3)
    try cli.expect("snapshot", "delete", "before", "--yes")
    #expect(try rows().map { $0[5] } == ["count; text", "count: (not kept) → 3"])
    #expect(try versions().last?["before"] == nil)
  }

  @Test("a deleted record has a history, and one that was created again goes on with it")
  func recreated() throws {
    try save("milk", "count:int64=2")
    try cli.expect("record", "delete", "milk", "-z", "Notes", as: "alice")
    #expect(try rows().map { $0[0] } == ["created", "deleted"])
    try save("milk", "text=b")
    let rows = try rows()
    #expect(rows.map { $0[0] } == ["created", "deleted", "created"])
    #expect(rows.map { $0[5] } == ["count", "", "text: b"])
    #expect(rows.allSatisfy { $0[3] == "alice" })
    #expect(Set(rows.map { $0[1] }).count == 3)
  }

  @Test("a save of a child and a share are versions of their record")
  func childrenAndShares() throws {
    try save("milk", "text=a")
    try save("oat", "--parent", "milk")
    #expect(try rows().map { $0[0] } == ["created", "touched"])
    #expect(try rows().last?[2...] == ["", "", "", ""])
    #expect(try rows("oat").map { $0[5] } == ["parent"])
    try share("milk")
    let name = try #require(try cli.json("record", "get", "milk", "-z", "Notes", as: "alice")["share"]?["recordName"])
    let share = try rows(name.string ?? "")
    #expect(share.first?[0] == "created" && share.last?[0] == "changed")
    #expect(share.last?[3] == "bob")
    #expect(share.last?[5].contains("participants") == true)
    #expect(try rows("milk").contains { $0[5].hasSuffix("entered \(name.string ?? "")") })
    // A participant sees nothing of a record outside the share.
    try save("tea", "text=a")
    let run = cli.run("history", "tea", "-z", "Notes", "--database", "shared", as: "bob")
    #expect(run.code == .notFound)
  }

  /// [history-5]
  @Test("an encrypted value is shown to the accounts that have its key")
  func encrypted() throws {
    try save("milk", "secret:encrypted=hush")
    #expect(try rows().map { $0[5] } == ["secret: hush"])
    #expect(try versions().first?["after"]?["secret"]?["isEncrypted"] == true)
    // The key of a deleted record is deleted, too. A snapshot has the sealed value.
    try cli.expect("snapshot", "save", "before")
    try cli.expect("record", "delete", "milk", "-z", "Notes", as: "alice")
    #expect(try rows().first?[5] == "secret: (encrypted)")
    #expect(try versions().first?["after"]?["secret"] == ["isEncrypted": true])
  }

  @Test("lines from before authors and fields were logged are shown as not recorded")
  func olderLines() throws {
    try save("milk", "count:int64=2")
    let path = String(try cli.expect("path", "zone", "Notes", as: "alice").output.dropLast())
    let zone = try Directory.open(path: path, in: FileSystem())
    let log = String(decoding: try #require(try zone.contents("changes.jsonl")), as: UTF8.self)
    var object = try #require(JSONValue(parsing: String(log.dropLast())).object)
    for key in ["fields", "time"] { object[key] = nil }
    try zone.writeStaged("changes.jsonl", JSONValue.object(object).compact() + [0x0A])
    try save("milk", "count:int64=3")
    let rows = try rows()
    #expect(rows[0] == ["created", "1", "not recorded", "", "", "not recorded"])
    #expect(rows[1][5] == "count: (not kept) → 3")
    let first = try #require(try versions().first)
    #expect(first["modified"] == nil && first["fields"] == nil)
  }

  /// [history-6]
  @Test("after a compaction the history says that earlier versions are not kept, and since when")
  func compaction() throws {
    try save("milk", "count:int64=0")
    try save("tea", "count:int64=0")
    try cli.expect("record", "delete", "tea", "-z", "Notes", as: "alice")
    var settings = ServiceSettings()
    settings.limits.retainedChanges = 2
    let cloud = try CloudService.open(root: cli.root, settings: settings).cloud
    let database = DatabasePath(
      container: "iCloud.example.Commands", environment: "development", scope: ["private", "alice"])
    for number in 1...12 { try save("milk", "count:int64=\(number)") }
    let zone = try #require(try cloud.zone(ZonePath(database: database, zone: "Notes")))
    try zone.folder.compactBesideOthers(LockWaitPolicy())
    let document = try cli.json("history", "milk", "-z", "Notes", as: "alice")
    #expect(document["isComplete"] == false)
    #expect(document["completeAfter"] == 13)
    #expect(document["completeSince"] == "2026-01-31T12:00:00.000Z")
    // The log does not say whether the first of them created the record.
    #expect(document["versions"]?.array?.map { $0["change"] } == ["saved", "changed"])
    let run = cli.run("history", "milk", "-z", "Notes", as: "alice")
    #expect(run.error.contains("it has all versions since 2026-01-31T12:00:00.000Z, after its change 13"))
    let missing = cli.run("history", "tea", "-z", "Notes", as: "alice")
    #expect(missing.code == .notFound)
    #expect(missing.error.contains("was compacted"))
  }

  @Test("a record that never existed ends with the exit code of a missing thing")
  func missing() throws {
    let run = cli.run("history", "none", "-z", "Notes", as: "alice")
    #expect(run.code == .notFound)
    #expect(run.output == "")
    #expect(run.error.contains("Record not found: 'none'"))
    #expect(cli.run("history", "none", "-z", "Nowhere", as: "alice").code == .notFound)
    #expect(cli.run("history", as: "alice").code == .usage)
  }

  @Test("hostile names and values do not reach the terminal, and names of files lead nowhere")
  func hostileNames() throws {
    try save("two\nlines\u{1B}[31m", "text=\u{1B}]0;x")
    let run = cli.run("history", "-z", "Notes", "--", "two\nlines\u{1B}[31m", as: "alice")
    #expect(run.code == .success)
    #expect(!run.output.contains("\u{1B}"))
    #expect(run.output.contains("created"))
    for name in ["../zone", "..", "/etc/passwd", "milk.json", ""] {
      let run = cli.run("history", "-z", "Notes", "--", name, as: "alice")
      #expect(run.code != .success && run.code != .internalError, "\(name)")
    }
  }
}

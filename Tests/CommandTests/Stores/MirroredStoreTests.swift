import FaultInjection
import LocalCloudCommands
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage
import Testing

@Suite("The commands store sync and store events, and store show for mirrored objects")
struct MirroredStoreTests {
  private let cli: Cli
  private let folder: TemporaryFolder
  private let store: ObjectStore
  private var path: String { folder.path + "/private.sqlite" }

  init() throws {
    cli = try Cli("alice")
    folder = try TemporaryFolder("stores")
    store = try .ofNotes(folder.path + "/private.sqlite")
  }

  private func run(_ words: String...) -> ToolRun { cli.run(["store"] + words, as: "alice") }

  /// The rows after a mirroring: One and Two are exported, then Two changes, Three is new, Four's record is to be
  /// deleted.
  private func mirror() throws -> [RowID] {
    let ids = try store.insertNotes("One", "Two")
    let zone = ZoneLocation.private
    _ = try store.write { transaction in
      for (id, name) in zip(ids, ["A", "B"]) {
        var entry = RecordEntry(id: id, location: RecordLocation(zone, name))
        (entry.tag, entry.sent) = ("t1", id.number + 1)
        transaction.put(entry.row, in: .records)
      }
      var entry = ZoneEntry(number: transaction.newNumber(), location: zone)
      (entry.isMade, entry.token) = (true, "zone-token")
      transaction.put(entry.row, in: .zones)
    }
    try store.putState(StateKey.account, ["user": "_alice"])
    try store.putState(StateKey.database, ["token": "list-token"])
    try store.putState(StateKey.export, ["token": .integer(store.read { try $0.head() })])
    _ = try store.write { transaction in
      try transaction.update(
        StoredRow(id: ids[1], version: 1, attributes: [.integer(5), .string("Two")], toOnes: []), changed: ["stars"])
    }
    return try ids + store.insertNotes("Three")
  }

  @Test("store sync reports that a store is not mirrored")
  func storeSyncReportsThatAStore() throws {
    let id = try store.insertNotes("One")[0]
    #expect(run("sync", path).output == "The store is not mirrored.\n")
    #expect(try JSONValue(parsing: run("sync", path, "--json").output)["mirrored"] == false)
    let events = run("events", path, "--json")
    #expect(try JSONValue(parsing: events.output)["events"] == [])
    #expect(try JSONValue(parsing: run("show", path, store.text(id), "--json").output)["record"] == nil)
    #expect(run("sync", folder.path + "/none.sqlite").code == .notFound)
  }

  @Test("store sync lists the changes that wait for export with their properties, the zones and the tokens")
  func storeSyncListsTheChangesThatWait() throws {
    let ids = try mirror()
    let sync = try JSONValue(parsing: run("sync", path, "--json").output)
    #expect(sync["account"] == ["user": "_alice"])
    #expect(sync["token"]?.string == "list-token")
    let zone = try #require(sync["zones"]?.array?.first)
    #expect(zone["records"] == 2)
    #expect(zone["shared"] == false)
    #expect(zone["token"]?.string == "zone-token")
    let changed: JSONValue = [
      "change": "changed", "object": .string(store.text(ids[1])), "properties": ["stars"],
      "record": ["name": "B", "owner": "__defaultOwner__", "zone": .string(RecordNames.privateZone)],
    ]
    let new: JSONValue = ["change": "new", "object": .string(store.text(ids[2]))]
    #expect(sync["waiting"] == [changed, new])
    #expect(sync["turn"] == .null)
    #expect(!run("sync", path).output.contains("mirroring now"))
    #if os(Linux)
      // The output names the process that mirrors the store ([store-24]).
      let lease = MirroringLease(store)
      let held = try #require(try lease.acquireIfFree())
      defer { held.release() }
      #expect(run("sync", path).output.contains("(process \(HostProcess.identifier))"))
      #expect(try JSONValue(parsing: run("sync", path, "--json").output)["turn"]?.string == lease.holder())
    #endif
    let text = run("sync", path).output
    for part in ["_alice", "1 changed, 1 new", "stars", RecordNames.privateZone] { #expect(text.contains(part)) }
    let shown = try JSONValue(parsing: run("show", path, store.text(ids[0]), "--json").output)
    #expect(shown["record"]?["name"]?.string == "A")
    #expect(shown["record"]?["tag"]?.string == "t1")
    #expect(run("show", path, store.text(ids[2])).output.contains("record") == false)
  }

  @Test("report shows the changes that wait for export, and a store that no container mirrors")
  func reportShowsWhatWaits() throws {
    let plain = cli.run("report", "--output", "-", "--store", path)
    #expect(plain.output.contains("No container mirrors this store."))
    let ids = try mirror().map(store.text)
    let page = try cli.expect("report", "--output", "-", "--store", path).output
    #expect(page.contains("<h2>Waiting for export</h2>"))
    #expect(page.contains("<span class=\"chip warn\">changed</span></td><th>\(ids[1])</th>\n<td>stars</td>"))
    #expect(page.contains("<span class=\"chip warn\">new</span></td><th>\(ids[2])</th>"))
  }

  @Test("store sync prints an account for a user record, and JSON has the user record's name")
  func storeSyncPrintsAnAccount() throws {
    let name = try #require(cli.json("account", "show", "alice")["userRecordName"]?.string)
    try store.putState(StateKey.account, ["user": .string(name)])
    _ = try store.write { transaction in
      let id = transaction.newNumber()
      let zone = ZoneLocation(zone: "Shared", owner: name)
      transaction.put(ZoneEntry(number: id, location: zone).row, in: .zones)
    }
    let text = run("sync", path).output
    #expect(text.contains("user     alice\n"))
    #expect(text.contains("Shared  alice"))
    #expect(!text.contains(name))
    let sync = try JSONValue(parsing: run("sync", path, "--json").output)
    #expect(sync["account"]?["user"]?.string == name)
    #expect(sync["zones"]?.array?.first?["owner"]?.string == name)
  }

  @Test("a deleted object waits for export while its record is known, and a long list is cut")
  func deletedObjectWaitsForExport() throws {
    let ids = try mirror()
    _ = try store.write { try $0.delete(ids[0]) }
    let deleted = try JSONValue(parsing: run("sync", path, "--json").output)["waiting"]?.array?.last
    #expect(deleted?["change"]?.string == "deleted")
    #expect(deleted?["record"]?["name"]?.string == "A")
    for number in 0..<30 { try store.insertNotes("More \(number)") }
    #expect(run("sync", path).output.contains("and 13 more"))
  }

  @Test("store events prints start, duration and error of each event, the latest first")
  func storeEventsPrintsStartDurationAndError() throws {
    var failure = EventFailure(domain: "CKErrorDomain", code: 2, text: "Some items failed", reason: nil)
    failure.items = [
      .init(
        zone: .private, record: "B",
        failure: EventFailure(domain: "CKErrorDomain", code: 27, text: "Too large", reason: nil))
    ]
    _ = try store.write { transaction in
      for (number, failure) in [nil, failure].enumerated() {
        transaction.put(
          EventEntry(
            identifier: "E\(number)", kind: number == 0 ? .import : .export, start: 1_785_542_400 + Double(number),
            end: 1_785_542_400.25 + Double(number), failure: failure
          ).row(transaction.newNumber()), in: .events)
      }
    }
    let events = try JSONValue(parsing: run("events", path, "--json").output)["events"]?.array ?? []
    #expect(events.map { $0["event"]?.string } == ["export", "import"])
    #expect(events.map { $0["succeeded"] } == [false, true])
    #expect(events[0]["error"]?["items"]?.array?.first?["name"]?.string == "B")
    #expect(events[1]["start"]?.string == "2026-08-01T00:00:00.000Z")
    let text = run("events", path).output
    #expect(text.contains("250 ms"))
    #expect(text.contains("CKErrorDomain 2: Some items failed; B: CKErrorDomain 27: Too large"))
    #expect(try JSONValue(parsing: run("events", path, "--failed", "--json").output)["events"]?.array?.count == 1)
    #expect(try JSONValue(parsing: run("events", path, "--limit", "1", "--json").output)["events"]?.array?.count == 1)
  }
}

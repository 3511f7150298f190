import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Snapshots of the tree: saved, replaced, restored, deleted")
struct StoredSnapshotTests {
  let cloud: TemporaryCloud
  let alice: Person
  let wait = LockWaitPolicy()

  init() throws {
    cloud = try TemporaryCloud()
    alice = Person(cloud, "alice")
    try alice.makeZone()
    try alice.save(alice.note("a", "1"))
    try alice.save(alice.note("b", "1"))
  }

  @discardableResult
  private func save(_ name: String, note: String? = nil, replacing: Bool = false) throws -> Snapshot {
    try cloud.service.cloud.saveSnapshot(name, note: note, created: 1000, replacing: replacing, wait)
  }

  private func root() throws -> Directory { try Directory.open(path: cloud.path, in: FileSystem()) }

  /// Alice's requests by a process that opens the cloud now.
  private func reopened(
    _ branchName: @escaping Cloud.BranchName = { HostProcess.randomBytes($1) }
  ) throws -> Person {
    let store = try CloudService.openCloud(cloud.path, branchName: branchName)
    let service = CloudService(cloud: store, settings: TemporaryCloud.settings(ids: "other"))
    return Person(cloud, "alice", by: service)
  }

  private func texts(_ person: Person) throws -> [String: FieldValue?] {
    let records = try person.changes().changed
    return Dictionary(uniqueKeysWithValues: records.map { ($0.id.name.string, $0.fields["text"]) })
  }

  // MARK: Saving

  @Test("the number of records of a snapshot is limited, for any numbers in its description")
  func hugeZones() throws {
    var snapshot = try save("first")
    let path = try #require(snapshot.zones.first).path
    snapshot.zones = [Snapshot.Zone(path: path, records: .max), Snapshot.Zone(path: path, records: .max)]
    #expect(snapshot.records == .max)
    #expect(snapshot.object["records"] == .integer(.max))
  }

  // [snapshot-1] [snapshot-5]
  @Test("a snapshot holds the primary files of the cloud and no marker, and describes its zones")
  func describesZones() throws {
    let snapshot = try save("first", note: "before")
    let names = try #require(try root().directory(at: ["snapshots", "first"])).entries().map(\.name)
    #expect(names == ["accounts", "containers", "devices", "snapshot.json"])
    let zone = cloud.zonePath().dropFirst(cloud.path.utf8.count + 1).split(separator: "/").map(String.init)
    let folder = try #require(try root().directory(at: ["snapshots", "first"] + zone))
    #expect(try folder.entries().map(\.name) == ["changes.jsonl", "records", "shares", "zone.json"])
    #expect(snapshot.accounts == ["alice", "bob", "carol"])
    #expect(snapshot.note == "before")
    #expect(snapshot.zones.first { $0.path.zone == "Notes" }?.records == 2)
    #expect(try cloud.service.cloud.snapshots() == [snapshot])
    #expect(try cloud.service.cloud.snapshot("first") == snapshot)
    #expect(try cloud.service.cloud.snapshot("second") == nil)
    #expect(try cloud.service.checks.check() == [])
  }

  // [snapshot-4]
  @Test("records are second names of the cloud's files, logs and properties are copies")
  func links() throws {
    try save("first")
    let zone = cloud.zonePath().dropFirst(cloud.path.utf8.count + 1).split(separator: "/").map(String.init)
    func identity(_ path: [String], _ name: String) throws -> FileIdentity? {
      try root().directory(at: path)?.identity(of: name)
    }
    let saved = ["snapshots", "first"] + zone
    #expect(try identity(zone + ["records"], "a.json") == identity(saved + ["records"], "a.json"))
    for name in ["changes.jsonl", "zone.json"] {
      #expect(try identity(zone, name) != identity(saved, name), "\(name)")
      #expect(try identity(saved, name) != nil, "\(name)")
    }
  }

  @Test("changes of the cloud after a save do not change the snapshot")
  func snapshotStays() throws {
    try save("first")
    let before = try FolderImage(of: cloud.path + "/snapshots/first")
    try alice.save(alice.note("a", "2"), policy: .allKeys)
    try alice.save(alice.note("c", "1"))
    try alice.modify(delete: ["b"]).deletes[0].get()
    #expect(try FolderImage(of: cloud.path + "/snapshots/first") == before)
  }

  @Test("a name that is taken is refused, unless the snapshot is replaced")
  func takenName() throws {
    try save("first")
    try alice.save(alice.note("c", "1"))
    #expect { try save("first") } throws: { error in
      if case StoreError.snapshotExists("first") = error { true } else { false }
    }
    #expect(try cloud.service.cloud.snapshot("first")?.zones.first { $0.path.zone == "Notes" }?.records == 2)
    try save("first", replacing: true)
    #expect(try cloud.service.cloud.snapshot("first")?.zones.first { $0.path.zone == "Notes" }?.records == 3)
    #expect(try root().directory("snapshots").entries().map(\.name) == ["first"])
  }

  @Test(
    "names that are no file names are encoded", arguments: ["a/b", "..", "été", String(repeating: "x", count: 200)])
  func strangeNames(name: String) throws {
    try save(name)
    #expect(try cloud.service.cloud.snapshots().map(\.name) == [name])
    try cloud.service.cloud.deleteSnapshot(name, wait)
    #expect(try cloud.service.cloud.snapshots() == [])
    #expect(try root().directory("snapshots").entries() == [])
  }

  @Test("a missing snapshot can't be deleted, restored, exported or compared")
  func missing() throws {
    let store = cloud.service.cloud
    let calls: [() throws -> Void] = [
      { try store.deleteSnapshot("none", wait) }, { try store.restoreSnapshot("none", wait) },
      { try store.exportSnapshot("none") { _ in } },
      { try store.forEachDifference(from: .snapshot("none"), to: .present, wait) { _ in } },
    ]
    for call in calls {
      #expect(throws: StoreError.self) { try call() }
    }
    #expect(try texts(alice) == ["a": .string("1"), "b": .string("1")])
  }

  // [snapshot-3]
  @Test("a replacement that a process did not finish is undone, or finished")
  func interruptedReplacement() throws {
    try save("first")
    let folder = try root().directory("snapshots")
    try folder.rename("first", to: folder, as: ".replaced-first")
    #expect(try cloud.service.cloud.snapshots().map(\.name) == ["first"])
    try folder.makeDirectory(".replaced-first")
    #expect(try cloud.service.cloud.snapshots().map(\.name) == ["first"])
    #expect(try folder.entries().map(\.name) == ["first"])
  }

  // [snapshot-2]
  @Test("folders of dead processes are removed, those of living ones stay")
  func leftovers() throws {
    try save("first")
    let folder = try root().directory("snapshots")
    for name in [".7-1", ".7-2", ".7-3"] { try folder.makeDirectory(name) }
    _ = try folder.createFile(".7-1-lease")
    let lease = try Lease.make(".7-2-lease", in: folder)
    try save("second")
    #expect(try folder.entries().map(\.name) == [".7-2", ".7-2-lease", "first", "second"])
    try lease?.end()
  }

  // MARK: Restoring

  // [restore-1] [restore-4] [change-token-3]
  @Test("a restored cloud has the saved records, and accepts no token or tag of the discarded changes")
  func restore() throws {
    let past = try alice.changes().token
    let database = try alice.databaseChanges().token
    try save("first")
    let lost = try alice.save(alice.note("a", "2"), policy: .allKeys).changeTag
    try alice.modify(delete: ["b"]).deletes[0].get()
    try alice.save(alice.note("c", "1"))
    let future = try alice.changes().token
    try cloud.service.cloud.restoreSnapshot("first", wait)
    let again = try reopened()
    #expect(try texts(again) == ["a": .string("1"), "b": .string("1")])
    #expect(code { try again.changes(since: future) } == .changeTokenExpired)
    #expect(code { try again.databaseChanges(since: database) } == .changeTokenExpired)
    #expect(code { try again.save(again.note("a", "4", tag: lost)) } == .serverRecordChanged)
    #expect(try again.changes(since: past).changed == [])
    #expect(try again.service.checks.check() == [])
    #expect(try root().entries().map(\.name).filter { $0.hasPrefix(".re") } == [])
    #expect(try again.service.cloud.snapshots().map(\.name) == ["first"])
  }

  // [restore-4]
  @Test("two restores of one snapshot give different histories, with names drawn from the same source, too")
  func twice() throws {
    let draw: Cloud.BranchName = { history, count in
      Array(Digest.hex128(Array(history.utf8)).utf8.prefix(count))
    }
    let past = try alice.databaseChanges().token
    try save("first")
    var tokens: [String] = []
    var tags: [String] = []
    for _ in 0..<2 {
      try reopened(draw).service.cloud.restoreSnapshot("first", wait)
      let person = try reopened(draw)
      for token in tokens { #expect(code { try person.changes(since: token) } == .changeTokenExpired) }
      #expect(code { try person.databaseChanges(since: past) } == .changeTokenExpired)
      tags.append(try person.save(person.note("a", "2"), policy: .allKeys).changeTag)
      tokens.append(try person.changes().token)
    }
    #expect(Set(tags).count == 2)
  }

  // [restore-5]
  @Test("a process that opened the former cloud writes nothing more, and the next one goes on")
  func formerProcess() throws {
    try save("first")
    let other = try reopened()
    try other.save(other.note("c", "1"))
    try cloud.service.cloud.restoreSnapshot("first", wait)
    #expect(!other.service.cloud.isCurrent)
    #expect(code { try other.save(other.note("d", "1")) } == .zoneBusy)
    #expect(code { try other.service.accounts.addAccount("dora", AccountChanges()) } == .zoneBusy)
    #expect(throws: (any Error).self) {
      try other.service.cloud.saveSnapshot("second", note: nil, created: 0, replacing: false, wait)
    }
    let again = try reopened()
    try again.save(again.note("d", "1"))
    #expect(try texts(again).keys.sorted() == ["a", "b", "d"])
    #expect(try again.service.checks.check() == [])
  }

  @Test("shares, assets, keys and accounts are restored, private files stay private")
  func everything() throws {
    let file = try TemporaryFile("asset")
    var save = alice.note("picture", "1")
    save.fields["picture"] = .asset(AssetValue(file: file.path))
    try alice.save(save)
    try alice.save(alice.secret("hidden", "1"))
    let bob = try Person(cloud, "bob").inShared(zoneOf: alice)
    try bob.accept(try alice.share("a", with: ["bob"]))
    try self.save("first")
    try alice.modify(delete: ["Share-1"]).deletes[0].get()
    for deletion in try alice.modify(delete: ["picture", "hidden"]).deletes { try deletion.get() }
    try cloud.service.accounts.removeAccount("carol")
    try cloud.service.cloud.restoreSnapshot("first", wait)
    let again = try reopened()
    let guest = try Person(cloud, "bob", by: again.service).inShared(zoneOf: again)
    #expect(try guest.changes().changed.map(\.id.name).contains("a"))
    #expect(try again.fetch("picture").fields["picture"] != nil)
    #expect(try again.read("hidden") == "1")
    #expect(try again.service.accounts.listAccounts().accounts.map(\.name).contains("carol"))
    #expect(try root().directory(at: ["devices", "alice-device"])?.permissions(of: "keychain.json") == 0o600)
    #expect(try again.service.checks.check() == [])
  }

  // [restore-3]
  @Test("a process that may not write reports that a restore is not finished")
  func unfinishedForReader() throws {
    try save("first")
    let file = FileSystem { call in
      if case .rename(let from, _) = call, from.hasSuffix("/accounts") { return .stopBefore }
      return .proceed
    }
    let store = try CloudService.openCloud(cloud.path, in: file)
    #expect(throws: (any Error).self) { try store.restoreSnapshot("first", wait) }
    #expect(try root().exists(".restored"))
    #expect(try texts(reopened()) == ["a": .string("1"), "b": .string("1")])
    #expect(try !root().exists(".restored"))
  }

  // MARK: Comparing

  private func differences(from old: String, to new: String? = nil) throws -> [String] {
    var lines: [String] = []
    let after = new.map(CloudState.snapshot) ?? .present
    try cloud.service.cloud.forEachDifference(from: .snapshot(old), to: after, wait) { difference in
      switch difference {
      case .account(let name, let kind): lines.append("account \(name) \(kind)")
      case .schema(let container, let environment, let kind):
        lines.append("schema \(container.string) \(environment) \(kind)")
      case .subscription(let database, let id, let kind):
        lines.append("subscription \(database.scope.joined(separator: "/")) \(id) \(kind)")
      case .loggedRecord: Issue.record("states have records")
      case .zone(let zone, let kind): lines.append("zone \(zone.zone.string) \(kind)")
      case .record(let zone, let before, let after):
        func text(_ object: JSONObject?) -> String { object?["fields"]?["text"]?["value"]?.string ?? "-" }
        let name = (before ?? after)?["recordName"]?.string ?? "?"
        lines.append("record \(zone.zone.string) \(name) \(text(before)) \(text(after))")
      }
    }
    return lines
  }

  @Test("the differences to the present state name accounts, schemas, zones and records, and leave nothing behind")
  func comparesWithNow() throws {
    try save("first")
    #expect(try differences(from: "first") == [])
    try alice.save(alice.note("a", "2"), policy: .allKeys)
    try alice.modify(delete: ["b"]).deletes[0].get()
    try alice.save(alice.note("c", "3"))
    var other = alice
    other.zone = ZoneIdentifier(name: "Later")
    try other.makeZone()
    try other.save(other.note("x", "1", type: "Page"))
    _ = try cloud.service.accounts.addAccount("dora", AccountChanges())
    try cloud.service.accounts.removeAccount("carol")
    #expect(
      try differences(from: "first") == [
        "account carol removed", "account dora added", "schema iCloud.test development changed", "zone Later added",
        "record Later x - 1", "record Notes a 1 2", "record Notes b 1 -", "record Notes c - 3",
      ])
    #expect(try root().directory("snapshots").entries().map(\.name) == ["first"])
    try save("second")
    #expect(try differences(from: "second", to: "first").contains("record Notes c 3 -"))
    #expect(try differences(from: "second", to: "second") == [])
  }
}

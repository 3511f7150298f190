import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("System calls of a commit")
struct CostTests {
  @Test("a save needs one fdatasync for any number of records, and a read needs none")
  func syncs() throws {
    let fileSystem = FileSystem()
    let cloud = try TemporaryCloud(fileSystem: fileSystem)
    let alice = Person(cloud, "alice")
    try alice.makeZone()
    // The first save of a type creates the type and its fields.
    try alice.save(alice.note("first", "text"))
    func syncs(_ body: () throws -> Void) rethrows -> Int {
      let before = fileSystem.fileSyncs.load(ordering: .relaxed)
      try body()
      return fileSystem.fileSyncs.load(ordering: .relaxed) - before
    }
    for size in [1, 10, 100, 400] {
      let saves = (0..<size).map { alice.note(ExactName("\(size)-\($0)"), "text") }
      #expect(try syncs { for save in try alice.modify(saves).saves { _ = try save.get() } } == 1)
    }
    #expect(try syncs { _ = try alice.modify(delete: ["1-0", "10-0"]) } == 1)
    #expect(try syncs { _ = try alice.changes() } == 0)
    #expect(try syncs { _ = try alice.fetch("10-1") } == 0)
    #expect(try syncs { _ = try alice.modify([alice.note("10-1", "conflict")]) } == 0)
  }

  @Test("a checkpoint drops journal entries only after they are durable, and no data is lost")
  func checkpointDropsJournalEntriesOnlyAfterThey() throws {
    let fileSystem = FileSystem()
    let cloud = try TemporaryCloud(fileSystem: fileSystem) { $0.limits.checkpointBytes = 4 << 20 }
    let alice = Person(cloud, "alice")
    try alice.makeZone()
    let text = String(repeating: "x", count: 900_000)
    var token: String?
    for round in 0..<12 {
      try alice.save(alice.note(ExactName("n\(round % 4)"), "\(round) \(text)"), policy: .allKeys)
      token = try alice.changes(since: token).token
    }
    let journal = try cloud.zoneFolder().directory(".journal")
    #expect(try journal.file("log").size() < 8 << 20)
    #expect(try alice.changes().changed.map(\.id.name) == ["n0", "n1", "n2", "n3"])
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("many zones need few descriptors")
  func manyZonesNeedFewDescriptors() async {
    await #expect(processExitsWith: .success) {
      let cloud = try TemporaryCloud()
      let alice = Person(cloud, "alice")
      let zones = (0..<150).map { ZoneIdentifier(name: ExactName("Z\($0)")) }
      let made = try alice.service.zones.modifyZones(
        ModifyZonesRequest(scope: .private, saves: zones), by: alice.caller)
      for zone in made.saves { _ = try zone.get() }
      #expect(try alice.service.zones.list(nil, in: .private, by: alice.caller).count == 151)
      let open = try? Directory.open(path: "/proc/self/fd", in: FileSystem()).entries().count
      #expect(open ?? 0 < 150 * 8)
      #expect(try cloud.service.checks.check() == [])
    }
  }
}

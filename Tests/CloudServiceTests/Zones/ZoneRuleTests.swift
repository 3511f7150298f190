import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import Synchronization
import TestSupport
import Testing

@Suite("Deletion of the default zone")
struct ZoneRuleTests {
  @Test("deleting a default zone deletes its records, and the zone stays ([zone-delete-4])")
  func defaultZone() throws {
    let cloud = try TemporaryCloud()
    var alice = Person(cloud, "alice")
    alice.zone = .default
    try alice.save(alice.note("a", "1"))
    let request = ModifyZonesRequest(scope: .private, deletes: [.default])
    try cloud.service.zones.modifyZones(request, by: alice.caller).deletes[0].get()
    #expect(code { try alice.fetch("a") } == .unknownItem)
    let zones = try cloud.service.zones.list(nil, in: .private, by: alice.caller)
    #expect(try zones.map { try $0.get().id.name } == ["_defaultZone"])
    try alice.save(alice.note("a", "2"))
    #expect(try alice.fetch("a").fields == ["text": .string("2")])
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a deletion of a default zone deletes at most 400 records in one commit ([zone-delete-4])")
  func manyRecords() throws {
    let syncs = Mutex(0)
    let cloud = try TemporaryCloud(
      fileSystem: FileSystem { call in
        if case .syncFile(let path) = call, path.hasSuffix("/.journal/log") { syncs.withLock { $0 += 1 } }
        return .proceed
      })
    var alice = Person(cloud, "alice")
    alice.zone = .default
    for start in [0, 400, 800] {
      let saves = (start..<min(start + 400, 850)).map { alice.note(ExactName("n\($0)"), "1") }
      let request = ModifyRecordsRequest(scope: .private, saves: saves)
      for result in try cloud.service.records.modifyRecords(request, by: alice.caller).saves { _ = try result.get() }
    }
    let before = syncs.withLock { $0 }
    let request = ModifyZonesRequest(scope: .private, deletes: [.default])
    try cloud.service.zones.modifyZones(request, by: alice.caller).deletes[0].get()
    #expect(syncs.withLock { $0 } - before >= 3)
    #expect(code { try alice.fetch("n0") } == .unknownItem)
    #expect(code { try alice.fetch("n849") } == .unknownItem)
    let listed = ListRecordsRequest(scope: .private, zone: .default, type: "Note")
    #expect(try cloud.service.records.listRecords(listed, by: alice.caller).records.isEmpty)
    #expect(try cloud.service.checks.check() == [])
  }
}

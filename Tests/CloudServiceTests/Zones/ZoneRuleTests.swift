import LocalCloudModel
import LocalCloudService
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
}

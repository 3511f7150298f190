import CloudKit
import Foundation
import LocalCloudObjectStore
import Testing

@testable import LocalCloudCoreDataMirroring

/// Devices that imported a record before a participant made it malformed have the same objects as a device that imports
/// the malformed record first.
@Suite("Malformed records of a participant")
struct MalformedRecordTests {
  private let people: HostileStage
  private var phone: Device { people.phone }

  init() async throws { people = try await HostileStage() }

  private func name(_ entity: String, _ title: String) throws -> String {
    try people.location(of: try #require(try phone.find(entity, title))).name
  }

  /// The record name of the pair of the shared post and its tag.
  private func pair() async throws -> String {
    let changes = try await people.bob().recordZoneChanges(inZoneWith: try await people.bobsZone(), since: nil)
    let records = try changes.modificationResultsByID.values.map { try $0.get().record }
    return try #require(records.first { $0.recordType == "CDMR" }).recordID.recordName
  }

  @Test(
    "a record with an unknown entity removes its object and relations until the entity is known again [mirror-44]",
    arguments: ["Post", "Tag", "Attachment"])
  func unknownEntity(_ entity: String) async throws {
    let before = try phone.lines()
    let title = entity == "Post" ? "shared" : entity == "Tag" ? "shared-tag" : "shared-file"
    let name = try name(entity, title)
    try await people.expectContained { try await people.change(name) { $0["CD_entityName"] = "Unknown" } }
    #expect(try phone.find(entity, title) == nil)
    #expect(try people.carol.lines().count == 4)
    // The devices export no change because of this.
    #expect(
      try await people.bob().record(for: CKRecord.ID(recordName: name, zoneID: people.bobsZone()))["CD_title"] == title)
    try await people.expectContained { try await people.change(name) { $0["CD_entityName"] = entity } }
    #expect(try phone.lines() == before)
  }

  @Test("an object becomes one of another entity if its record names that entity [mirror-44]")
  func otherEntity() async throws {
    let name = try name("Post", "shared")
    try await people.expectContained { try await people.change(name) { $0["CD_entityName"] = "ImagePost" } }
    #expect(
      try phone.lines().contains {
        $0.hasPrefix("ImagePost shared attachments=[\"shared-file\"] tags=[\"shared-tag\"]")
      })
    #expect(try phone.find("Post", "shared") == nil)
  }

  @Test("a pair follows its record to other objects [mirror-44]")
  func otherPair() async throws {
    // An export between the two edits would send the tag to the private zone permanently.
    phone.stop()
    let other = try phone.insert("Tag", "other")
    try phone.link(people.shared, "tags", to: other)
    try phone.start()
    await phone.drain()
    #expect(try people.location(of: other).zone == people.location(of: people.shared).zone)
    try phone.link(people.shared, "tags", to: other, false)
    await phone.drain()
    let (pair, post, tag) = (try await pair(), try name("Post", "shared"), try name("Tag", "other"))
    try await people.expectContained {
      try await people.change(pair) { $0["CD_recordNames"] = "\(post):\(tag)" }
    }
    #expect(try phone.lines().contains { $0.hasPrefix("Post shared") && $0.contains("tags=[\"other\"]") })
  }

  @Test("a pair is ended if its record has no valid relationship [mirror-44]", arguments: ["tags:nothing", "x"])
  func noPair(_ relationships: String) async throws {
    let pair = try await pair()
    try await people.expectContained {
      try await people.change(pair) { $0["CD_relationships"] = relationships }
    }
    #expect(try phone.lines().contains { $0.hasPrefix("Tag shared-tag") && !$0.contains("posts") })
  }

  @Test("a share of a single record is not used as the zone's share [mirror-44]")
  func recordShare() async throws {
    let database = try people.stage.container(of: "alice").privateCloudDatabase
    let record = CKRecord(
      recordType: "Other", recordID: CKRecord.ID(recordName: "other", zoneID: ZoneLocation.private.zoneID))
    _ = try await database.modifyRecords(saving: [record, CKShare(rootRecord: record)], deleting: [])
    await phone.drain()
    #expect(
      try phone.require().shares().map(\.recordID.zoneID.zoneName).sorted()
        == [people.zone, people.readableZone].map(\.zoneName).sorted())
  }
}

import CloudKit
import Foundation
import LocalCloud
import Testing

@Suite("A whole zone shared, as apps do it")
struct ZoneWideShareTests {
  let cloud: TestCloud
  let alice: CKContainer
  let bob: CKContainer

  init() throws {
    cloud = try TestCloud()
    alice = try cloud.container(of: "alice")
    bob = try cloud.container(of: "bob")
  }

  private func share(_ permission: CKShare.ParticipantPermission = .none) async throws -> CKShare {
    let share = CKShare(recordZoneID: testZoneID)
    share.publicPermission = permission
    return try #require(try await alice.privateCloudDatabase.save(share) as? CKShare)
  }

  @Test("a zone-wide share is saved without a root and found by its zone, and records have no share")
  func zoneWideShareIsSaved() async throws {
    let database = alice.privateCloudDatabase
    let made = try await database.save(CKRecordZone(zoneID: testZoneID))
    #expect(made.share == nil)
    #expect(made.capabilities.contains(.zoneWideSharing))
    let record = try await database.save(note("a", "A"))
    let share = CKShare(recordZoneID: testZoneID)
    #expect(share.recordID.recordName == CKRecordNameZoneWideShare)
    #expect(share.url == nil)
    try await database.save(share)
    #expect(share.url != nil)
    #expect(share.recordChangeTag != nil)
    #expect(share.participants == [share.owner])

    let zone = try await database.recordZone(for: testZoneID)
    #expect(zone.share?.recordID == share.recordID)
    let all = try await database.allRecordZones()
    let shares = all.map { "\($0.zoneID.zoneName) \($0.share?.recordID.recordName ?? "none")" }
    #expect(Set(shares) == ["_defaultZone none", "Home cloudkit.zoneshare"])
    #expect(try await database.record(for: record.recordID).share == nil)
    let shareID = try #require(zone.share?.recordID)
    let fetched = try #require(try await database.record(for: shareID) as? CKShare)
    #expect(fetched.url == share.url)
    #expect(fetched.recordID.recordName == CKRecordNameZoneWideShare)
    #expect(try await database.records(for: [shareID, record.recordID]).count == 2)
  }

  @Test("a participant of a zone-wide share can see and change all records, and its metadata has no root")
  func participantOfAZoneWideShare() async throws {
    try await alice.privateCloudDatabase.save(CKRecordZone(zoneID: testZoneID))
    try await alice.privateCloudDatabase.save(note("a", "A"))
    let share = try await share(.readWrite)
    let url = try #require(share.url)
    let fetch = CKFetchShareMetadataOperation(shareURLs: [url])
    fetch.shouldFetchRootRecord = true
    let found = Collector<CKShare.Metadata>()
    fetch.perShareMetadataResultBlock = { _, result in if let value = result.value { found.append(value) } }
    await withCheckedContinuation { continuation in
      fetch.completionBlock = { continuation.resume() }
      bob.add(fetch)
    }
    let metadata = try #require(found.values.first)
    #expect(metadata.hierarchicalRootRecordID == nil)
    #expect(metadata.rootRecord == nil)
    #expect(metadata.participantRole == .publicUser)
    #expect(metadata.participantPermission == .readWrite)
    #expect(metadata.share.recordID.recordName == CKRecordNameZoneWideShare)
    let joined = try await bob.accept(metadata)

    let database = bob.sharedCloudDatabase
    let zones = try await database.allRecordZones()
    let zone = try #require(zones.first)
    #expect(zones.count == 1)
    #expect(zone.zoneID == joined.recordID.zoneID)
    #expect(zone.share?.recordID == joined.recordID)
    #expect(zone.capabilities == [.fetchChanges, .atomic])
    let changes = try await database.recordZoneChanges(inZoneWith: zone.zoneID, since: nil)
    #expect(Set(changes.modificationResultsByID.keys.map(\.recordName)) == ["a", CKRecordNameZoneWideShare])
    try await database.save(note("b", "Bob's", in: zone.zoneID))
    let theirs = try await alice.privateCloudDatabase.record(for: CKRecord.ID(recordName: "b", zoneID: testZoneID))
    #expect(theirs["title"] as? String == "Bob's")

    share.publicPermission = .readOnly
    let current = try #require(try await alice.privateCloudDatabase.record(for: share.recordID) as? CKShare)
    current.publicPermission = .readOnly
    try await alice.privateCloudDatabase.save(current)
    #expect(await code { try await database.save(note("c", "C", in: zone.zoneID)) } == .permissionFailure)
    try await alice.privateCloudDatabase.deleteRecord(withID: share.recordID)
    #expect(try await database.allRecordZones().isEmpty)
    #expect(
      await code { _ = try await database.record(for: CKRecord.ID(recordName: "a", zoneID: zone.zoneID)) }
        == .zoneNotFound)
    #expect(try await alice.privateCloudDatabase.recordZone(for: testZoneID).share == nil)
  }

  @Test("conflicts of zone-wide and hierarchical shares have three error codes")
  func conflictsOfZoneWideAndHierarchicalShares() async throws {
    let database = alice.privateCloudDatabase
    try await database.save(CKRecordZone(zoneID: testZoneID))
    let root = try await database.save(note("root", "R"))
    _ = try await share()
    #expect(await code { _ = try await share() } == .serverRecordChanged)
    let hierarchical = CKShare(rootRecord: root)
    let (saves, _) = try await database.modifyRecords(saving: [root, hierarchical])
    #expect(saves[hierarchical.recordID]?.code == .serverRejectedRequest)
    #expect(saves[root.recordID]?.code == .batchRequestFailed)

    let other = CKRecordZone.ID(zoneName: "Other")
    try await database.save(CKRecordZone(zoneID: other))
    let parent = note("root", "R", in: other)
    _ = try await database.modifyRecords(saving: [parent, CKShare(rootRecord: parent)])
    #expect(await code { try await database.save(CKShare(recordZoneID: other)) } == .invalidArguments)
    let inDefault = CKShare(recordZoneID: CKRecordZone.default().zoneID)
    #expect(await code { try await database.save(inDefault) } == .invalidArguments)
    let inPublic = CKShare(recordZoneID: CKRecordZone.default().zoneID)
    #expect(await code { try await alice.publicCloudDatabase.save(inPublic) } == .badDatabase)
  }
}

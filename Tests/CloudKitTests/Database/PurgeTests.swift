import CloudKit
import LocalCloud
import TestSupport
import Testing

@Suite("Purge of an app's data in Settings, through Apple's API")
struct PurgeTests {
  let stage: SharingStage

  init() async throws { stage = try await SharingStage() }

  private func purge(_ account: String = "alice") throws {
    try LocalCloud.acting(as: account, root: stage.cloud.cloud.path, container: "iCloud.test") {
      try LocalCloud.purgeData(of: account)
    }
  }

  // [zone-purge-1]
  @Test(
    "after a purge each use of the zone fails with userDeletedZone, until the zone is created again or deleted",
    arguments: [true, false])
  func afterAPurgeEachUse(deleting: Bool) async throws {
    try purge()
    let attempts: [() async throws -> Void] = [
      { _ = try await stage.record("item") }, { try await stage.mine.save(note("new")) },
      { _ = try await stage.mine.recordZone(for: testZoneID) }, { _ = try await stage.changesForAlice() },
      { try await stage.mine.deleteRecord(withID: note("item").recordID) },
    ]
    for attempt in attempts { #expect(await code(attempt) == .userDeletedZone) }
    #expect(try await stage.mine.allRecordZones().map(\.zoneID.zoneName) == [CKRecordZone.ID.defaultZoneName])
    if deleting {
      try await stage.mine.deleteRecordZone(withID: testZoneID)
      for attempt in attempts { #expect(await code(attempt) == .zoneNotFound) }
    }
    try await stage.mine.save(CKRecordZone(zoneID: testZoneID))
    try await stage.mine.save(note("new"))
    #expect(try await stage.changesForAlice().changed == ["new"])
  }

  // [change-database-3]
  @available(*, deprecated)
  @Test("a purged zone is reported to the purge block, or to the deletion block if the purge block is not set")
  func purgedZoneIsReportedToThePurge() async throws {
    let token = try await stage.mine.databaseChanges(since: nil).changeToken
    try purge()
    let deletions = try await stage.mine.databaseChanges(since: token).deletions
    #expect(deletions.map(\.reason) == [.purged])
    #expect(deletions.map(\.zoneID) == [testZoneID])
    #expect(deletions.first?.purged == true)
    for isSet in [true, false] {
      let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: token)
      let (ordinary, special) = (Collector<CKRecordZone.ID>(), Collector<CKRecordZone.ID>())
      operation.recordZoneWithIDWasDeletedBlock = { ordinary.append($0) }
      if isSet { operation.recordZoneWithIDWasPurgedBlock = { special.append($0) } }
      await withCheckedContinuation { done in
        operation.fetchDatabaseChangesResultBlock = { _ in done.resume() }
        stage.mine.add(operation)
      }
      #expect((isSet ? special : ordinary).values == [testZoneID])
      #expect((isSet ? ordinary : special).values.isEmpty)
    }
  }

  @Test("a purge empties the default zone, and leaves other people's shared zones and the public database")
  func purgeEmptiesTheDefaultZoneAndLeaves() async throws {
    let mine = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "mine"))
    let open = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "open"))
    let bob = stage.bob
    try await stage.join(bob, stage.share(with: ["bob"]))
    try await bob.privateCloudDatabase.save(mine)
    try await bob.publicCloudDatabase.save(open)
    try purge("bob")
    #expect(await code { _ = try await bob.privateCloudDatabase.record(for: mine.recordID) } == .unknownItem)
    #expect(try await bob.publicCloudDatabase.record(for: open.recordID).recordType == "Note")
    #expect(await stage.writing("item", by: bob) == nil)
  }
}

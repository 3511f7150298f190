import CloudKit
import Testing

@Suite("Sharing rules, 2.4 and 3: ending a share, and sharing a whole zone") struct EndingRowsTests {
  let stage: SharingStage

  init() async throws { stage = try await SharingStage() }

  @Test("2.4 Delete the share record: sharing ends for all, the data stays, and the root's tag changes ([share-end-1])")
  func deleteShare() async throws {
    let share = try await stage.share(with: ["bob"])
    try await stage.join(stage.bob, share)
    let before = try await stage.record("list")
    try await stage.mine.deleteRecord(withID: share.recordID)
    let after = try await stage.record("list")
    #expect(after.share == nil)
    #expect(after.recordChangeTag != before.recordChangeTag)
    #expect(after["title"] as? String == "Groceries")
    #expect(try await stage.record("item")["title"] as? String == "Milk")
    #expect(await code { _ = try await stage.current(share) } == .unknownItem)
    #expect(try await stage.bob.sharedCloudDatabase.allRecordZones().isEmpty)
  }

  @Test("2.4 Delete the share record: a root in the same batch is returned with share nil ([share-end-1])")
  func deleteShareWithRoot() async throws {
    let share = try await stage.share()
    let root = try await stage.record("list")
    root["title"] = "Alone"
    let (saves, deletes) = try await stage.mine.modifyRecords(saving: [root], deleting: [share.recordID])
    #expect(deletes[share.recordID]?.code == nil)
    #expect(saves[root.recordID]?.value?["title"] as? String == "Alone")
    #expect(saves[root.recordID]?.value?.share == nil)
    #expect(root.share == nil)
    #expect(try await stage.record("list").recordChangeTag == root.recordChangeTag)
  }

  @Test("2.4 Delete the root: the share is deleted too, and the children must be in the batch ([share-end-2])")
  func deleteRoot() async throws {
    let share = try await stage.share(with: ["bob"])
    try await stage.join(stage.bob, share)
    let root = note("list").recordID
    #expect(await code { try await stage.mine.deleteRecord(withID: root) } == .referenceViolation)
    #expect(try await stage.current(share).recordID == share.recordID)
    let (_, deletes) = try await stage.mine.modifyRecords(saving: [], deleting: [root, note("item").recordID])
    #expect(deletes.values.allSatisfy { $0.code == nil })
    #expect(await code { _ = try await stage.current(share) } == .unknownItem)
    #expect(try await stage.bob.sharedCloudDatabase.allRecordZones().isEmpty)
  }

  @Test("2.4 Delete root and share together: succeeds ([share-end-2])")
  func deleteBoth() async throws {
    let share = try await stage.share()
    let recordIDs = [share.recordID, note("list").recordID, note("item").recordID]
    let (_, deletes) = try await stage.mine.modifyRecords(saving: [], deleting: recordIDs)
    #expect(deletes.count == 3)
    #expect(deletes.values.allSatisfy { $0.code == nil })
    let left = try await stage.mine.records(for: recordIDs)
    #expect(left.values.allSatisfy { $0.code == .unknownItem })
  }

  @Test("2.4 The URL belongs to the root record, and is the same after sharing again ([share-end-4])")
  func urlBelongsToTheRootRecord() async throws {
    let first = try await stage.share(with: ["bob"])
    let url = try #require(first.url)
    try await stage.mine.deleteRecord(withID: first.recordID)
    #expect(await code { _ = try await stage.bob.shareMetadata(for: url) } == .unknownItem)
    let second = try await stage.share(with: ["bob"])
    #expect(second.recordID != first.recordID)
    #expect(second.url == url)
    #expect(try await stage.bob.shareMetadata(for: url).share.recordID.recordName == second.recordID.recordName)
  }

  // MARK: A whole zone

  // [share-zone-1]
  @Test("3 CKShare(recordZoneID:): is saved without a root; a missing zone and the default zone are refused")
  func zoneWide() async throws {
    let share = try await stage.shareZone(open: .none)
    let shareID = CKRecord.ID(recordName: CKRecordNameZoneWideShare, zoneID: testZoneID)
    #expect(share.recordID == shareID)
    #expect(share.url != nil)
    #expect((try await stage.mine.record(for: shareID) as? CKShare)?.url == share.url)
    let missing = CKShare(recordZoneID: CKRecordZone.ID(zoneName: "Missing"))
    #expect(await code { try await stage.mine.save(missing) } == .zoneNotFound)
    let inDefault = CKShare(recordZoneID: CKRecordZone.default().zoneID)
    #expect(await code { try await stage.mine.save(inDefault) } == .invalidArguments)
  }

  @Test("3 Every record in the zone is shared, present and future, with any parent")
  func everyRecord() async throws {
    try await stage.join(stage.bob, stage.shareZone(open: .readOnly))
    try await stage.mine.save(note("later", "L"))
    #expect(try await stage.record("item", seenBy: stage.bob)["title"] as? String == "Milk")
    #expect(try await stage.record("later", seenBy: stage.bob)["title"] as? String == "L")
  }

  @Test("3 CKRecordZone.share: is set only in fetched zones with a zone-wide share ([share-zone-2])")
  func zoneShare() async throws {
    #expect(try await stage.mine.recordZone(for: testZoneID).share == nil)
    let share = try await stage.shareZone(open: .none)
    #expect(try await stage.mine.recordZone(for: testZoneID).share?.recordID == share.recordID)
    #expect(CKRecordZone(zoneID: testZoneID).share == nil)
  }

  @Test("3 Zone already has a zone-wide share: a second one fails with serverRecordChanged ([share-zone-3])")
  func secondZoneWide() async throws {
    let share = try await stage.shareZone(open: .readOnly)
    do {
      try await stage.mine.save(CKShare(recordZoneID: testZoneID))
      Issue.record("saved")
    } catch let error as CKError {
      #expect(error.code == .serverRecordChanged)
      #expect((error.serverRecord as? CKShare)?.url == share.url)
    }
    #expect(try await stage.current(share).publicPermission == .readOnly)
  }

  @Test("3 Hierarchical share in a zone with a zone-wide share: fails with serverRejectedRequest")
  func hierarchicalInZoneWide() async throws {
    _ = try await stage.shareZone(open: .none)
    let root = note("new")
    let share = CKShare(rootRecord: root)
    let (saves, _) = try await stage.mine.modifyRecords(saving: [root, share])
    #expect(saves[share.recordID]?.code == .serverRejectedRequest)
    #expect(saves[root.recordID]?.code == .batchRequestFailed)
  }

  @Test("3 Zone-wide share in a zone that holds any hierarchical share: fails with invalidArguments")
  func zoneWideBesideHierarchical() async throws {
    try await stage.share("item")
    #expect(await code { _ = try await stage.shareZone(open: .none) } == .invalidArguments)
    #expect(try await stage.mine.recordZone(for: testZoneID).share == nil)
  }

  @Test("3 Ending: the share record is deleted, the records stay and become private ([share-zone-4])")
  func endingZoneWide() async throws {
    let share = try await stage.shareZone(open: .readWrite)
    try await stage.join(stage.bob, share)
    try await stage.mine.deleteRecord(withID: share.recordID)
    #expect(try await stage.record("item")["title"] as? String == "Milk")
    #expect(await code { _ = try await stage.record("item", seenBy: stage.bob) } == .zoneNotFound)
  }

  @Test("3 Telling the kinds apart: by the record's name")
  func tellingTheKindsApart() async throws {
    let share = try await stage.share()
    #expect(share.recordID.recordName != CKRecordNameZoneWideShare)
    try await stage.mine.deleteRecord(withID: share.recordID)
    #expect(try await stage.shareZone(open: .none).recordID.recordName == CKRecordNameZoneWideShare)
  }
}

import CloudKit
import Testing

@Suite("Sharing rules, 9.3 and 9.4: leaving a share, and the owner's changes") struct LeavingRowsTests {
  let stage: SharingStage
  let share: CKShare

  init() async throws {
    stage = try await SharingStage()
    share = try await stage.share(with: ["bob", "carol"])
    try await stage.join(stage.bob, share)
    try await stage.join(stage.carol, share)
  }

  private var database: CKDatabase { stage.bob.sharedCloudDatabase }

  /// Expects that Bob has lost access, Carol has not, and Alice's records are unchanged.
  private func expectBobLeft() async throws {
    #expect(try await database.allRecordZones().isEmpty)
    #expect(await code { _ = try await stage.record("item", seenBy: stage.bob) } == .zoneNotFound)
    #expect(try await stage.record("item", seenBy: stage.carol)["title"] as? String == "Milk")
    #expect(try await stage.record("list").share?.recordID == share.recordID)
    let left = try await stage.current(share)
    #expect(left.participants.filter { $0.acceptanceStatus == .accepted }.count == 2)
  }

  // [share-leave-1]
  @Test("9.3 delete the CKShare record in the shared database: that person leaves, and the share stays")
  func byShare() async throws {
    try await database.deleteRecord(withID: stage.there(share.recordID.recordName))
    try await expectBobLeft()
  }

  @Test("9.3 delete the root in the shared database: that person leaves, and the share stays ([share-leave-1])")
  func byRoot() async throws {
    try await database.deleteRecord(withID: stage.there("list"))
    try await expectBobLeft()
  }

  @Test("9.3 removeParticipant(self) and saving the share: that person leaves, and the share stays ([share-leave-1])")
  func byList() async throws {
    let own = try await stage.current(share, seenBy: stage.bob)
    own.removeParticipant(try #require(own.currentUserParticipant))
    try await database.save(own)
    try await expectBobLeft()
  }

  // [zone-delete-5]
  @Test("9.3 delete the zone in the shared database: leaves all of its shares, and the owner's data is unchanged")
  func byZone() async throws {
    try await stage.mine.save(note("second", "S"))
    try await stage.join(stage.bob, stage.share("second", with: ["bob"]))
    try await database.deleteRecordZone(withID: stage.theirs)
    try await expectBobLeft()
    #expect(await code { _ = try await stage.record("second", seenBy: stage.bob) } == .zoneNotFound)
    #expect(try await stage.record("second")["title"] as? String == "S")
  }

  // MARK: 9.4

  @Test("9.4 lowers a permission to readOnly: the next write fails, and the share appears as changed")
  func lowersAPermissionToReadOnly() async throws {
    let token = try await stage.changes(for: stage.bob).token
    try await stage.edit(share) { $0.participants[1].permission = .readOnly }
    #expect(await stage.writing("item", by: stage.bob) == .permissionFailure)
    #expect(try await stage.changes(for: stage.bob, since: token).changed == [share.recordID.recordName])
    #expect(try await stage.current(share, seenBy: stage.bob).currentUserParticipant?.permission == .readOnly)
  }

  // [share-leave-5]
  @Test("9.4 removes a person: access ends with the save, and only database changes report it; the URL is unknown")
  func removesAPerson() async throws {
    let token = try await database.databaseChanges(since: nil).changeToken
    try await stage.edit(share) { $0.removeParticipant($0.participants[1]) }
    #expect(await code { _ = try await stage.record("item", seenBy: stage.bob) } == .zoneNotFound)
    let changes = try await database.databaseChanges(since: token)
    #expect(changes.deletions.map(\.zoneID) == [stage.theirs])
    #expect(changes.modifications.isEmpty)
    let stranger = try stage.cloud.container(of: "bob")
    #expect(await code { _ = try await stage.metadata(share, for: stranger) } == .unknownItem)
  }

  @Test("9.4 deletes share or root: all participants lose access", arguments: [true, false])
  func deletesShareOrRoot(_ isRoot: Bool) async throws {
    let recordIDs = isRoot ? [note("list").recordID, note("item").recordID] : [share.recordID]
    let (_, deletes) = try await stage.mine.modifyRecords(saving: [], deleting: recordIDs)
    #expect(deletes.values.allSatisfy { $0.code == nil })
    for person in [stage.bob, stage.carol] {
      #expect(try await person.sharedCloudDatabase.allRecordZones().isEmpty)
    }
  }

  @Test("9.4 moves a record out of the tree: it and its subtree disappear for the participants")
  func movesARecordOutOfTheTree() async throws {
    try await stage.mine.save(stage.child("leaf", of: "item"))
    let item = try await stage.record("item")
    item.parent = nil
    try await stage.mine.save(item)
    for name in ["item", "leaf"] {
      #expect(await code { _ = try await stage.record(name, seenBy: stage.bob) } == .unknownItem)
    }
    #expect(try await stage.record("list", seenBy: stage.bob)["title"] as? String == "Groceries")
  }
}

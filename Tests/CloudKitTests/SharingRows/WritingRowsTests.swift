import CloudKit
import Testing

@Suite("Sharing rules, 9.2: participants' write permissions") struct WritingRowsTests {
  let stage: SharingStage

  init() async throws { stage = try await SharingStage() }

  private var database: CKDatabase { stage.bob.sharedCloudDatabase }

  private func save(_ record: CKRecord) async -> CKError.Code? { await code { try await database.save(record) } }

  private func delete(_ name: String) async -> CKError.Code? {
    await code { try await database.deleteRecord(withID: stage.there(name)) }
  }

  private func joined(_ permission: CKShare.ParticipantPermission) async throws -> CKShare {
    let share = try await stage.share(with: ["bob"], permission)
    try await stage.join(stage.bob, share)
    return share
  }

  @Test("9.2 modify a visible record: succeeds for readWrite, permissionFailure for readOnly ([share-write-1])")
  func modifyAVisibleRecord() async throws {
    let share = try await joined(.readWrite)
    #expect(await stage.writing("item", by: stage.bob) == nil)
    #expect(try await stage.record("item")["title"] as? String == "By somebody else")
    try await stage.edit(share) { $0.participants[1].permission = .readOnly }
    #expect(await stage.writing("list", by: stage.bob) == .permissionFailure)
    #expect(try await stage.record("list")["title"] as? String == "Groceries")
  }

  // [share-write-2]
  @Test("9.2 create with a parent inside the tree: succeeds for readWrite in the owner's zone, or permissionFailure")
  func createInside() async throws {
    let share = try await joined(.readWrite)
    #expect(await save(stage.child("bobs", "Bread", of: "list", in: stage.theirs)) == nil)
    let bobs = try await stage.record("bobs")
    #expect(bobs["title"] as? String == "Bread")
    #expect(bobs.parent?.recordID == note("list").recordID)
    #expect(bobs.creatorUserRecordID == (try await stage.bob.userRecordID()))
    try await stage.edit(share) { $0.participants[1].permission = .readOnly }
    #expect(await save(stage.child("more", of: "list", in: stage.theirs)) == .permissionFailure)
  }

  @Test(
    "9.2 create without parent, or with a parent outside: fails with permissionFailure",
    arguments: [CKShare.ParticipantPermission.readWrite, .readOnly])
  func createOutside(_ permission: CKShare.ParticipantPermission) async throws {
    try await stage.mine.save(note("hidden"))
    _ = try await joined(permission)
    #expect(await save(note("bobs", in: stage.theirs)) == .permissionFailure)
    #expect(await save(stage.child("bobs", of: "hidden", in: stage.theirs)) == .permissionFailure)
    #expect(await code { _ = try await stage.record("bobs") } == .unknownItem)
  }

  // [share-write-2]
  @Test("9.2 create anywhere in the zone, zone-wide: succeeds for readWrite, permissionFailure for readOnly")
  func createZoneWide() async throws {
    let share = try await stage.shareZone(open: .readWrite)
    try await stage.join(stage.bob, share)
    #expect(await save(note("bobs", "Bread", in: stage.theirs)) == nil)
    #expect(try await stage.record("bobs")["title"] as? String == "Bread")
    try await stage.edit(share) { $0.publicPermission = .readOnly }
    #expect(await save(note("more", in: stage.theirs)) == .permissionFailure)
  }

  // [share-write-4]
  @Test(
    "9.2 delete a non-root record: succeeds for readWrite with any creator and without children, or permissionFailure")
  func deleteANonRootRecord() async throws {
    let share = try await joined(.readWrite)
    try await stage.mine.save(stage.child("leaf", of: "item"))
    #expect(await delete("item") == .referenceViolation)
    let (_, deletes) = try await database.modifyRecords(
      saving: [], deleting: [stage.there("item"), stage.there("leaf")])
    #expect(deletes.values.allSatisfy { $0.code == nil })
    #expect(await code { _ = try await stage.record("item") } == .unknownItem)
    try await stage.mine.save(stage.child("item", of: "list"))
    try await stage.edit(share) { $0.participants[1].permission = .readOnly }
    #expect(await delete("item") == .permissionFailure)
    #expect(try await stage.record("item").recordID == note("item").recordID)
  }

  @Test("9.2 delete the root: the participant leaves with success, and the root stays with the owner")
  func deletingTheRoot() async throws {
    let share = try await joined(.readWrite)
    #expect(await delete("list") == nil)
    #expect(try await stage.record("list").share?.recordID == share.recordID)
    #expect(try await stage.record("item")["title"] as? String == "Milk")
    #expect(try await database.allRecordZones().isEmpty)
  }

  // [share-leave-3]
  @Test("9.2 One batch that deletes share or root and children fails for the children", arguments: [true, false])
  func leavingAndDeleting(_ byRoot: Bool) async throws {
    let share = try await joined(.readWrite)
    let left = byRoot ? stage.there("list") : stage.there(share.recordID.recordName)
    let (_, deletes) = try await database.modifyRecords(
      saving: [], deleting: [left, stage.there("item")], atomically: false)
    #expect(deletes[left]?.code == nil)
    #expect(deletes[stage.there("item")]?.code == .permissionFailure)
    #expect(try await stage.record("item")["title"] as? String == "Milk")
  }

  // [share-write-5]
  @Test("9.2 Rules use the permissions on the server at the time of the save, not those of the app's cached share")
  func serversPermission() async throws {
    let share = try await joined(.readOnly)
    let item = try await stage.record("item", seenBy: stage.bob)
    item["title"] = "Oat milk"
    try await stage.edit(share) { $0.participants[1].permission = .readWrite }
    #expect(await save(item) == nil)
    #expect(try await stage.record("item")["title"] as? String == "Oat milk")
  }

  @Test("9.2 Effective write access: is the larger of the own and the public permission ([share-write-5])")
  func effectiveWriteAccess() async throws {
    let share = try await joined(.readOnly)
    #expect(await stage.writing("item", by: stage.bob) == .permissionFailure)
    try await stage.edit(share) { $0.publicPermission = .readWrite }
    let own = try await stage.current(share, seenBy: stage.bob).currentUserParticipant
    #expect(own?.permission == .readOnly)
    #expect(await stage.writing("item", by: stage.bob) == nil)
  }

  @Test(
    "9.2 Writes keep normal tags and conflicts: owner and participant see one record with one tag ([share-write-6])")
  func writesKeepNormalTagsAndConflicts() async throws {
    _ = try await joined(.readWrite)
    let seen = try await stage.record("item", seenBy: stage.bob)
    let own = try await stage.record("item")
    #expect(seen.recordChangeTag == own.recordChangeTag)
    own["title"] = "Oat milk"
    try await stage.mine.save(own)
    seen["title"] = "Soy milk"
    do {
      try await database.save(seen)
      Issue.record("no conflict")
    } catch let error as CKError {
      #expect(error.code == .serverRecordChanged)
      #expect(error.serverRecord?["title"] as? String == "Oat milk")
      #expect(error.serverRecord?.recordID == stage.there("item"))
    }
  }
}

import CloudKit
import Testing

@Suite("Undocumented sharing rules, 9 and 10: assumptions") struct AssumedWindowRuleTests {
  let stage: SharingStage

  init() async throws { stage = try await SharingStage() }

  private var database: CKDatabase { stage.bob.sharedCloudDatabase }

  @discardableResult
  private func joined(
    _ name: String = "list", _ permission: CKShare.ParticipantPermission = .readWrite
  ) async throws -> CKShare {
    let share = try await stage.share(name, with: ["bob"], permission)
    try await stage.join(stage.bob, share)
    return share
  }

  @Test("9.1 record in a visible zone but outside the visible trees: is treated as missing ([share-window-2])")
  func recordInAVisibleZoneButOutside() async throws {
    try await stage.mine.save(note("hidden", "H"))
    try await joined()
    #expect(await code { _ = try await stage.record("hidden", seenBy: stage.bob) } == .unknownItem)
    #expect(await code { try await database.deleteRecord(withID: stage.there("hidden")) } == nil)
    #expect(try await stage.record("hidden")["title"] as? String == "H")
  }

  @Test("9.1 zone of another owner not shared with the caller: fails with zoneNotFound ([zone-owner-3])")
  func notShared() async throws {
    #expect(await code { _ = try await stage.record("list", seenBy: stage.bob) } == .zoneNotFound)
    #expect(await code { _ = try await database.recordZone(for: stage.theirs) } == .zoneNotFound)
    #expect(await code { try await database.save(note("new", in: stage.theirs)) } == .zoneNotFound)
  }

  @Test("9.1 a foreign owner's zone ID in the private database: fails with invalidArguments")
  func foreignInPrivate() async throws {
    try await joined()
    let own = stage.bob.privateCloudDatabase
    #expect(await code { _ = try await own.record(for: stage.there("list")) } == .invalidArguments)
    #expect(await code { try await own.save(note("new", in: stage.theirs)) } == .invalidArguments)
  }

  @Test("9.1 saving a zone of another owner: fails with badDatabase")
  func savingZone() async throws {
    try await joined()
    #expect(await code { try await database.save(CKRecordZone(zoneID: stage.theirs)) } == .badDatabase)
  }

  // [share-write-3]
  @Test(
    "9.2 take a record out of the tree: fails with permissionFailure",
    arguments: [CKShare.ParticipantPermission.readWrite, .readOnly])
  func takeOut(_ permission: CKShare.ParticipantPermission) async throws {
    try await stage.mine.save(note("hidden"))
    try await joined("list", permission)
    let item = try await stage.record("item", seenBy: stage.bob)
    item.parent = nil
    #expect(await code { try await database.save(item) } == .permissionFailure)
    item.setParent(stage.there("hidden"))
    #expect(await code { try await database.save(item) } == .permissionFailure)
    #expect(try await stage.record("item").parent?.recordID == note("list").recordID)
  }

  @Test("9.2 delete the root, readOnly: the participant leaves the share ([share-leave-4])")
  func deletingTheRoot() async throws {
    let share = try await joined("list", .readOnly)
    try await database.deleteRecord(withID: stage.there("list"))
    #expect(try await database.allRecordZones().isEmpty)
    #expect(try await stage.record("list").share?.recordID == share.recordID)
  }

  @Test(
    "9.2 create a share inside someone else's zone: fails with permissionFailure ([share-create-6])",
    arguments: [CKShare.ParticipantPermission.readWrite, .readOnly])
  func createShare(_ permission: CKShare.ParticipantPermission) async throws {
    try await joined("list", permission)
    let item = try await stage.record("item", seenBy: stage.bob)
    let share = CKShare(rootRecord: item)
    let (saves, _) = try await database.modifyRecords(saving: [item, share])
    #expect(saves[share.recordID]?.code == .permissionFailure)
    let zoneWide = CKShare(recordZoneID: stage.theirs)
    #expect(await code { try await database.save(zoneWide) } == .permissionFailure)
    #expect(try await stage.record("item").share == nil)
  }

  // [share-leave-2]
  @Test("9.3 What the owner then sees: invited people pending again, public users removed; the same link works")
  func afterLeaving() async throws {
    let share = try await joined()
    try await database.deleteRecord(withID: stage.there("list"))
    #expect(try await stage.current(share).statuses == [.accepted, .pending])
    try await stage.join(stage.bob, share)
    try await stage.mine.save(note("second"))
    let open = try await stage.share("second", open: .readOnly)
    try await stage.join(stage.bob, open)
    try await database.deleteRecord(withID: stage.there("second"))
    #expect(try await stage.current(open).roles == [.owner])
    #expect(try await stage.record("item", seenBy: stage.bob)["title"] as? String == "Milk")
  }

  // MARK: 10

  @Test("10 second share in an already visible zone accepted: the old token gives its records as modifications")
  func secondShare() async throws {
    _ = try await stage.mine.modifyRecords(saving: [note("second"), stage.child("below", of: "second")])
    try await joined()
    let mine = try await stage.changesForAlice().token
    let zones = try await database.databaseChanges(since: nil).changeToken
    let token = try await stage.changes(for: stage.bob).token
    let name = try await joined("second").recordID.recordName
    #expect(try await database.databaseChanges(since: zones).modifications.map(\.zoneID) == [stage.theirs])
    let changes = try await stage.changes(for: stage.bob, since: token)
    #expect(changes.changed == ["second", "below", name])
    #expect(changes.deleted.isEmpty)
    #expect(try await stage.changesForAlice(since: mine).changed == ["second", name])
  }

  @Test("10 record enters or leaves a tree: its unchanged subtree is reported as modified or deleted too")
  func recordEntersOrLeavesATree() async throws {
    _ = try await stage.mine.modifyRecords(saving: [note("loose"), stage.child("leaf", of: "loose")])
    try await joined()
    let token = try await stage.changes(for: stage.bob).token
    let loose = try await stage.record("loose")
    loose.setParent(note("list").recordID)
    try await stage.mine.save(loose)
    let entered = try await stage.changes(for: stage.bob, since: token)
    #expect(entered.changed == ["loose", "leaf"])
    #expect(entered.deleted.isEmpty)
    loose.parent = nil
    try await stage.mine.save(loose)
    let left = try await stage.changes(for: stage.bob, since: entered.token)
    #expect(left.deleted == ["loose": "Note", "leaf": "Note"])
    #expect(left.changed.isEmpty)
  }

  @Test(
    "10 share deleted / person removed / left, other shares remain: its records are deletions, and the zone stays",
    arguments: 0..<3)
  func othersRemain(_ way: Int) async throws {
    try await stage.mine.save(note("second"))
    try await joined("second")
    let share = try await joined()
    let name = share.recordID.recordName
    let zones = try await database.databaseChanges(since: nil).changeToken
    let token = try await stage.changes(for: stage.bob).token
    switch way {
    case 0: try await stage.mine.deleteRecord(withID: share.recordID)
    case 1: try await stage.edit(share) { $0.removeParticipant($0.participants[1]) }
    default: try await database.deleteRecord(withID: stage.there(name))
    }
    let changes = try await stage.changes(for: stage.bob, since: token)
    #expect(changes.deleted == ["list": "Note", "item": "Note", name: "cloudkit.share"])
    #expect(changes.changed.isEmpty)
    let database = try await database.databaseChanges(since: zones)
    #expect(database.modifications.map(\.zoneID) == [stage.theirs])
    #expect(database.deletions.isEmpty)
  }

  @Test("10 participant rejoins later: the zone is changed again, and old zone tokens are expired ([change-shared-7])")
  func participantRejoinsLater() async throws {
    let share = try await joined()
    let token = try await stage.changes(for: stage.bob).token
    try await database.deleteRecordZone(withID: stage.theirs)
    let zones = try await database.databaseChanges(since: nil).changeToken
    let mine = try await stage.changesForAlice().token
    try await stage.join(stage.bob, share)
    #expect(try await database.databaseChanges(since: zones).modifications.map(\.zoneID) == [stage.theirs])
    #expect(await code { _ = try await stage.changes(for: stage.bob, since: token) } == .changeTokenExpired)
    #expect(try await stage.changesForAlice(since: mine).changed == [share.recordID.recordName])
  }
}

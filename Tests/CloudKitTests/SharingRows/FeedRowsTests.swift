import CloudKit
import Testing

@Suite("Sharing rules, 10: change feeds") struct FeedRowsTests {
  let stage: SharingStage

  init() async throws { stage = try await SharingStage() }

  private func zones(
    _ database: CKDatabase, since token: CKServerChangeToken?
  ) async throws -> (changed: [CKRecordZone.ID], deleted: [CKRecordZone.ID], token: CKServerChangeToken) {
    let changes = try await database.databaseChanges(since: token)
    #expect(changes.deletions.allSatisfy { $0.reason == .deleted })
    return (changes.modifications.map(\.zoneID), changes.deletions.map(\.zoneID), changes.changeToken)
  }

  @Test("10 share saved: the owner gets zone, share and root as changed; the participant nothing before acceptance")
  func shareSavedTheOwnerGetsZoneShare() async throws {
    let database = try await zones(stage.mine, since: nil).token
    let token = try await stage.changesForAlice().token
    let nothing = try await zones(stage.bob.sharedCloudDatabase, since: nil)
    let share = try await stage.share(with: ["bob"])
    #expect(try await zones(stage.mine, since: database).changed.map(\.zoneName) == ["Home"])
    #expect(try await stage.changesForAlice(since: token).changed == ["list", share.recordID.recordName])
    let after = try await zones(stage.bob.sharedCloudDatabase, since: nothing.token)
    #expect(after.changed.isEmpty)
    #expect(after.deleted.isEmpty)
  }

  // [change-shared-6]
  @Test("10 someone accepts, leaves, is added, changes permission: the share is modified for the owner and the others")
  func listChanges() async throws {
    let share = try await stage.share(with: ["bob", "carol"])
    let name = share.recordID.recordName
    try await stage.join(stage.carol, share)
    var mine = try await stage.changesForAlice().token
    var carols = try await stage.changes(for: stage.carol).token
    var tag = try await stage.current(share).recordChangeTag
    let steps: [() async throws -> Void] = [
      { try await stage.join(stage.bob, share) },
      { try await stage.edit(share) { $0.participants[1].permission = .readOnly } },
      { try await stage.edit(share) { $0.addParticipant(try await stage.invitation("dave")) } },
      { try await stage.bob.sharedCloudDatabase.deleteRecord(withID: stage.there(name)) },
    ]
    for step in steps {
      try await step()
      let forAlice = try await stage.changesForAlice(since: mine)
      let forCarol = try await stage.changes(for: stage.carol, since: carols)
      #expect(forAlice.changed == [name])
      #expect(forCarol.changed == [name])
      #expect(forAlice.deleted.isEmpty)
      #expect(forCarol.deleted.isEmpty)
      (mine, carols) = (forAlice.token, forCarol.token)
      let next = try await stage.current(share).recordChangeTag
      #expect(next != tag)
      tag = next
    }
  }

  // [change-shared-1]
  @Test(
    "10 first fetch after acceptance: the zone is changed; from nil it has the share, the root and all visible records")
  func firstFetch() async throws {
    let database = stage.bob.sharedCloudDatabase
    let token = try await zones(database, since: nil).token
    let share = try await stage.share(with: ["bob"])
    try await stage.join(stage.bob, share)
    let changes = try await zones(database, since: token)
    #expect(changes.changed == [stage.theirs])
    #expect(changes.deleted.isEmpty)
    let first = try await stage.changes(for: stage.bob)
    #expect(first.changed == ["list", "item", share.recordID.recordName])
    #expect(first.deleted.isEmpty)
  }

  @Test("10 record enters a tree: modified for the owner, a modification for the participant")
  func recordEntersATree() async throws {
    try await stage.join(stage.bob, stage.share(with: ["bob"]))
    try await stage.mine.save(note("loose"))
    let mine = try await stage.changesForAlice().token
    let bobs = try await stage.changes(for: stage.bob).token
    let loose = try await stage.record("loose")
    loose.setParent(note("list").recordID)
    _ = try await stage.mine.modifyRecords(saving: [loose, stage.child("new", of: "item")])
    #expect(try await stage.changesForAlice(since: mine).changed == ["loose", "new"])
    #expect(try await stage.changes(for: stage.bob, since: bobs).changed == ["loose", "new"])
  }

  @Test("10 record leaves a tree: it is modified for the owner, and deleted for the participant")
  func recordLeavesATree() async throws {
    try await stage.join(stage.bob, stage.share(with: ["bob"]))
    let mine = try await stage.changesForAlice().token
    let bobs = try await stage.changes(for: stage.bob).token
    let item = try await stage.record("item")
    item.parent = nil
    try await stage.mine.save(item)
    let forAlice = try await stage.changesForAlice(since: mine)
    #expect(forAlice.changed == ["item"])
    #expect(forAlice.deleted.isEmpty)
    let forBob = try await stage.changes(for: stage.bob, since: bobs)
    #expect(forBob.deleted == ["item": "Note"])
    #expect(forBob.changed.isEmpty)
  }

  @Test("10 share deleted / person removed / left: the owner gets the share as deleted and the root as modified")
  func shareDeletedPersonRemovedLeft() async throws {
    try await stage.mine.save(note("second"))
    let share = try await stage.share(with: ["bob"])
    try await stage.join(stage.bob, share)
    try await stage.join(stage.bob, stage.share("second", with: ["bob"]))
    let mine = try await stage.changesForAlice().token
    try await stage.mine.deleteRecord(withID: share.recordID)
    let forAlice = try await stage.changesForAlice(since: mine)
    #expect(forAlice.deleted == [share.recordID.recordName: "cloudkit.share"])
    #expect(forAlice.changed == ["list"])
    #expect(try await stage.bob.sharedCloudDatabase.allRecordZones().map(\.zoneID) == [stage.theirs])
  }

  // [change-shared-4]
  @Test("10 same, it was the last share of that zone: the zone is deleted, with the reason deleted", arguments: 0..<3)
  func sameItWasTheLastShare(_ way: Int) async throws {
    let share = try await stage.share(with: ["bob"])
    try await stage.join(stage.bob, share)
    let database = stage.bob.sharedCloudDatabase
    let token = try await zones(database, since: nil).token
    switch way {
    case 0: try await stage.mine.deleteRecord(withID: share.recordID)
    case 1: try await stage.edit(share) { $0.removeParticipant($0.participants[1]) }
    default: try await database.deleteRecord(withID: stage.there(share.recordID.recordName))
    }
    let changes = try await zones(database, since: token)
    #expect(changes.deleted == [stage.theirs])
    #expect(changes.changed.isEmpty)
    #expect(await code { _ = try await stage.changes(for: stage.bob) } == .zoneNotFound)
  }

  // [change-shared-5]
  @Test("10 owner's key reset: the owner gets the reason, the participant an ordinary deletion")
  func keyReset() async throws {
    let list = try await stage.record("list")
    list.encryptedValues["secret"] = "hidden"
    try await stage.mine.save(list)
    let share = try await stage.share(with: ["bob"])
    try await stage.join(stage.bob, share)
    let mine = try await zones(stage.mine, since: nil).token
    let bobs = try await zones(stage.bob.sharedCloudDatabase, since: nil).token
    _ = try stage.cloud.cloud.service.keys.resetKeys(of: "alice", container: "iCloud.test")
    let deletions = try await stage.mine.databaseChanges(since: mine).deletions
    #expect(deletions.map(\.reason) == [.encryptedDataReset])
    #expect(deletions.map(\.zoneID) == [testZoneID])
    #expect(try await zones(stage.bob.sharedCloudDatabase, since: bobs).deleted == [stage.theirs])
    #expect(await code { _ = try await stage.changes(for: stage.bob) } == .zoneNotFound)
  }

  @Test("10 owner's purge: the owner gets the reason, the participant an ordinary deletion ([change-shared-5])")
  func ownersPurgeTheOwnerGetsTheReason() async throws {
    try await stage.join(stage.bob, stage.share(with: ["bob"]))
    let mine = try await zones(stage.mine, since: nil).token
    let bobs = try await zones(stage.bob.sharedCloudDatabase, since: nil).token
    _ = try stage.cloud.cloud.service.zones.purgeData(of: "alice", container: "iCloud.test")
    let deletions = try await stage.mine.databaseChanges(since: mine).deletions
    #expect(deletions.map(\.reason) == [.purged])
    #expect(deletions.map(\.zoneID) == [testZoneID])
    let theirs = try await stage.bob.sharedCloudDatabase.databaseChanges(since: bobs).deletions
    #expect(theirs.map(\.reason) == [.deleted])
    #expect(theirs.map(\.zoneID) == [stage.theirs])
    #expect(await code { _ = try await stage.changesForAlice() } == .userDeletedZone)
    #expect(await code { _ = try await stage.changes(for: stage.bob) } == .zoneNotFound)
  }

  // [change-shared-4]
  @Test("10 owner deletes every shared record: deletions, and the zone is deleted with the last shared record")
  func everyRecord() async throws {
    let share = try await stage.share(with: ["bob"])
    try await stage.join(stage.bob, share)
    let mine = try await stage.changesForAlice().token
    let bobs = try await stage.changes(for: stage.bob).token
    let token = try await zones(stage.bob.sharedCloudDatabase, since: nil).token
    try await stage.mine.deleteRecord(withID: note("item").recordID)
    #expect(try await stage.changes(for: stage.bob, since: bobs).deleted == ["item": "Note"])
    #expect(try await zones(stage.bob.sharedCloudDatabase, since: token).deleted.isEmpty)
    try await stage.mine.deleteRecord(withID: note("list").recordID)
    #expect(try await zones(stage.bob.sharedCloudDatabase, since: token).deleted == [stage.theirs])
    let gone = try await stage.changesForAlice(since: mine).deleted
    #expect(gone == ["item": "Note", "list": "Note", share.recordID.recordName: "cloudkit.share"])
  }

  // [push-fire-9]
  @Test(
    "10 Database subscriptions on both sides fire for these changes; a removed person gets one push for the removal")
  func databaseSubscriptionsOnBothSidesFire() async throws {
    let share = try await stage.share(with: ["bob", "carol"])
    try await stage.mine.save(CKDatabaseSubscription(subscriptionID: "mine"))
    for person in [stage.bob, stage.carol] {
      try await person.sharedCloudDatabase.save(CKDatabaseSubscription(subscriptionID: "shared"))
    }
    func count(_ account: String) throws -> Int {
      try stage.cloud.cloud.service.pushes.list(by: stage.cloud.cloud.caller(account)).all.count
    }
    try await stage.join(stage.bob, share)
    try await stage.join(stage.carol, share)
    #expect(try (count("alice"), count("bob"), count("carol")) == (2, 1, 0))
    #expect(await stage.writing("item", by: stage.carol) == nil)
    #expect(try (count("alice"), count("bob"), count("carol")) == (3, 2, 0))
    let item = try await stage.record("item")
    item["title"] = "Bread"
    try await stage.mine.save(item)
    #expect(try (count("alice"), count("bob"), count("carol")) == (3, 3, 1))
    try await stage.edit(share) { share in
      let bob = share.participants.first { $0.userIdentity.lookupInfo?.emailAddress == "bob@example.com" }
      share.removeParticipant(try #require(bob))
    }
    #expect(try (count("alice"), count("bob"), count("carol")) == (3, 4, 2))
    try await stage.mine.deleteRecord(withID: note("item").recordID)
    #expect(try (count("alice"), count("bob"), count("carol")) == (3, 4, 3))
  }
}

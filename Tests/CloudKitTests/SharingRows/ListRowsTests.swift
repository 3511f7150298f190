import CloudKit
import Testing

@Suite("Sharing rules, 4.2 and 4.3: the list of participants, and permissions to change it") struct ListRowsTests {
  let stage: SharingStage

  init() async throws { stage = try await SharingStage() }

  // [share-list-2]
  @Test("4.2 Participants come from lookups as readOnly private users, with an unknown status until the save")
  func lookedUp() async throws {
    let bob = try await stage.alice.shareParticipant(forEmailAddress: "bob@example.com")
    #expect(bob.role == .privateUser)
    #expect(bob.permission == .readOnly)
    #expect(bob.acceptanceStatus == .unknown)
    let share = try await stage.share()
    try await stage.edit(share) { $0.addParticipant(bob) }
    #expect(bob.acceptanceStatus == .pending)
    #expect(bob.permission == .readOnly)
  }

  @Test("4.2 Same person again: the existing entry is updated without an error ([share-list-3])")
  func samePerson() async throws {
    let share = try await stage.share(with: ["bob"], .readOnly)
    try await stage.join(stage.bob, share)
    let again = try await stage.invitation("bob", .readWrite)
    try await stage.edit(share) { $0.addParticipant(again) }
    let saved = try await stage.current(share)
    #expect(saved.participants.count == 2)
    #expect(saved.statuses == [.accepted, .accepted])
    #expect(saved.participants[1].permission == .readWrite)
    #expect(await stage.writing("item", by: stage.bob) == nil)
  }

  @Test("4.2 A participant on one share can't be added to another before it is removed: raises an exception")
  func otherShare() async {
    let ann = participant("a@x.y")
    let first = share(with: [])
    first.addParticipant(ann)
    first.removeParticipant(ann)
    let second = CKShare(rootRecord: savedRecord(name: "other"))
    second.addParticipant(ann)
    #expect(second.participants == [second.owner, ann])
    await expectException(
      "The participant is already on another share; remove it from there first",
      #expect(processExitsWith: .failure, observing: saying) {
        let ann = participant("a@x.y")
        share(with: []).addParticipant(ann)
        CKShare(rootRecord: savedRecord(name: "other")).addParticipant(ann)
      })
  }

  @Test("4.2 Removing someone who was never added, or the owner, raises an exception")
  func removingSomeoneWhoWasNeverAdded() async {
    await expectException(
      "The participant is not on this share",
      #expect(processExitsWith: .failure, observing: saying) {
        share(with: []).removeParticipant(participant("a@x.y"))
      })
    await expectException(
      "The owner cannot be removed from a share",
      #expect(processExitsWith: .failure, observing: saying) {
        let mine = share(with: [])
        mine.removeParticipant(mine.owner)
      })
  }

  // [share-list-4]
  @Test("4.2 Only private users and administrators can be added: public users and owners raise an exception")
  func onlyPrivateUsersAndAdministrators() async {
    let mine = share(with: [])
    mine.addParticipant(participant("a@x.y", role: .administrator))
    #expect(mine.roles == [.owner, .administrator])
    await expectException(
      "Only private users and administrators can be added to a share",
      #expect(processExitsWith: .failure, observing: saying) {
        share(with: []).addParticipant(participant("a@x.y", role: .publicUser))
      })
    await expectException(
      "Only private users and administrators can be added to a share",
      #expect(processExitsWith: .failure, observing: saying) {
        share(with: []).addParticipant(participant("a@x.y", role: .owner))
      })
  }

  @Test("4.2 Adding and removing while publicPermission is not none raises an exception ([share-public-3])")
  func addingToPublic() async {
    await expectException(
      "Participants cannot be added to a share whose publicPermission is not CKShareParticipantPermissionNone",
      #expect(processExitsWith: .failure, observing: saying) {
        share(with: [], publicPermission: .readOnly).addParticipant(participant("a@x.y"))
      })
    await expectException(
      "Participants cannot be removed from a share whose publicPermission is not CKShareParticipantPermissionNone",
      #expect(processExitsWith: .failure, observing: saying) {
        let ann = participant("a@x.y", status: .accepted)
        share(with: [ann], publicPermission: .readOnly).removeParticipant(ann)
      })
  }

  @Test("4.2 Nothing happens before the share is saved with added, removed or changed participants ([share-list-1])")
  func nothingBeforeSaving() async throws {
    let share = try await stage.share(with: ["bob"])
    try await stage.join(stage.bob, share)
    let edited = try await stage.current(share)
    edited.participants[1].permission = .readOnly
    #expect(await stage.writing("item", by: stage.bob) == nil)
    edited.removeParticipant(edited.participants[1])
    edited.addParticipant(try await stage.invitation("carol"))
    #expect(try await stage.record("list", seenBy: stage.bob)["title"] as? String == "Groceries")
    #expect(await code { _ = try await stage.metadata(share, for: stage.carol) } == .unknownItem)
    try await stage.mine.save(edited)
    #expect(await code { _ = try await stage.record("list", seenBy: stage.bob) } == .zoneNotFound)
    #expect(try await stage.metadata(share, for: stage.carol).participantStatus == .pending)
  }

  // [share-list-5]
  @Test("4.2 Nothing happens before the share is saved; a person removed and added again is then pending")
  func removedAndAdded() async throws {
    let share = try await stage.share(with: ["bob"])
    try await stage.join(stage.bob, share)
    let invitation = try await stage.invitation("bob", .readOnly)
    try await stage.edit(share) {
      $0.removeParticipant($0.participants[1])
      $0.addParticipant(invitation)
    }
    #expect(try await stage.current(share).statuses == [.accepted, .pending])
    #expect(await code { _ = try await stage.record("list", seenBy: stage.bob) } == .zoneNotFound)
    try await stage.join(stage.bob, share)
    #expect(await stage.writing("item", by: stage.bob) == .permissionFailure)
    #expect(try stage.cloud.cloud.service.checks.check() == [])
  }

  // MARK: 4.3

  // [share-manage-1]
  @Test("4.3 owner: can change list, permissions, public permission and title; deleting ends the share for all")
  func ownerCanChangeListPermissionsPublic() async throws {
    let share = try await stage.share(with: ["bob"], .readOnly)
    try await stage.join(stage.bob, share)
    let carol = try await stage.invitation("carol", .readOnly)
    try await stage.edit(share) {
      $0.participants[1].permission = .readWrite
      $0.addParticipant(carol)
      $0[CKShare.SystemFieldKey.title] = "Title"
    }
    let saved = try await stage.current(share)
    #expect(saved.participants.map(\.permission) == [.readWrite, .readWrite, .readOnly])
    #expect(saved[CKShare.SystemFieldKey.title] as? String == "Title")
    try await stage.mine.deleteRecord(withID: share.recordID)
    #expect(try await stage.bob.sharedCloudDatabase.allRecordZones().isEmpty)
  }

  @Test("4.3 administrator: can add, remove, change permissions and handle access requests ([share-manage-1])")
  func administratorCanAddRemoveChangePermissions() async throws {
    let share = try await stage.share(with: ["bob"])
    try await stage.edit(share) {
      $0.participants[1].role = .administrator
      $0.allowsAccessRequests = true
    }
    try await stage.join(stage.bob, share)
    let database = stage.bob.sharedCloudDatabase
    let added = try await stage.current(share, seenBy: stage.bob)
    added.addParticipant(try await stage.bob.shareParticipant(forEmailAddress: "carol@example.com"))
    try await database.save(added)
    try await stage.join(stage.carol, share)
    #expect(await stage.writing("item", by: stage.carol) == .permissionFailure)
    let changed = try await stage.current(share, seenBy: stage.bob)
    changed.participants[2].permission = .readWrite
    try await database.save(changed)
    #expect(await stage.writing("item", by: stage.carol) == nil)
    changed.removeParticipant(changed.participants[2])
    changed.allowsAccessRequests = false
    try await database.save(changed)
    let saved = try await stage.current(share)
    #expect(saved.roles == [.owner, .administrator])
    #expect(saved.allowsAccessRequests == false)
  }

  @Test(
    "4.3 readWrite or readOnly participant: can only remove themselves from the list, and leaves by deleting the share",
    arguments: [CKShare.ParticipantPermission.readWrite, .readOnly])
  func participants(_ permission: CKShare.ParticipantPermission) async throws {
    let share = try await stage.share(with: ["bob", "carol"], permission)
    try await stage.join(stage.bob, share)
    let database = stage.bob.sharedCloudDatabase
    let edits: [(CKShare) -> Void] = [
      { $0.participants[1].permission = permission == .readOnly ? .readWrite : .readOnly },
      { $0.removeParticipant($0.participants[2]) },
      { $0.addParticipant(participant("dave@example.com")) },
      { $0.publicPermission = .readWrite },
    ]
    for edit in edits {
      let edited = try await stage.current(share, seenBy: stage.bob)
      edit(edited)
      #expect(await code { try await database.save(edited) } == .permissionFailure)
    }
    #expect(try await stage.current(share).participants.map(\.permission) == [.readWrite, permission, permission])
    let own = try await stage.current(share, seenBy: stage.bob)
    own.removeParticipant(try #require(own.currentUserParticipant))
    try await database.save(own)
    #expect(try await database.allRecordZones().isEmpty)
    try await stage.join(stage.bob, share)
    try await database.deleteRecord(withID: own.recordID)
    #expect(try await database.allRecordZones().isEmpty)
    #expect(try await stage.current(share).participants.count == 3)
  }
}

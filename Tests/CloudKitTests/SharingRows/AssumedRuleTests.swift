import CloudKit
import Foundation
import LocalCloud
import Testing

@Suite("Undocumented sharing rules, 2 to 5: assumptions") struct AssumedRuleTests {
  let stage: SharingStage

  init() async throws { stage = try await SharingStage() }

  @Test("2.1 A cycle of parents is refused with invalidArguments")
  func cycleOfParentsIsRefusedWithInvalidArguments() async throws {
    let list = try await stage.record("list")
    list.setParent(note("item").recordID)
    #expect(await code { try await stage.mine.save(list) } == .invalidArguments)
    #expect(try await stage.record("list").parent == nil)
  }

  // [share-zone-5]
  @Test("2.2 Zone uses encryptionScope perZone: a hierarchical share gets invalidArguments, a zone-wide one is allowed")
  func perZone() async throws {
    let zone = CKRecordZone(zoneName: "Sealed")
    zone.encryptionScope = .perZone
    try await stage.mine.save(zone)
    let root = note("root", in: zone.zoneID)
    let share = CKShare(rootRecord: root)
    let (saves, _) = try await stage.mine.modifyRecords(saving: [root, share])
    #expect(saves[share.recordID]?.code == .invalidArguments)
    try await stage.mine.save(CKShare(recordZoneID: zone.zoneID))
    #expect(try await stage.mine.recordZone(for: zone.zoneID).share != nil)
  }

  @Test("2.3 Moving a record with a share of its own, or above one, into a shared tree: alreadyShared ([share-tree-7])")
  func movingRoots() async throws {
    _ = try await stage.mine.modifyRecords(saving: [note("top"), stage.child("second", of: "top")])
    try await stage.share()
    try await stage.share("second")
    for name in ["top", "second"] {
      let moved = try await stage.record(name)
      moved.setParent(note("list").recordID)
      #expect(await code { try await stage.mine.save(moved) } == .alreadyShared, "\(name)")
    }
  }

  @Test("2.4 Delete the zone: its shares and their links are deleted too ([zone-delete-1])")
  func deleteZone() async throws {
    let share = try await stage.share(with: ["bob"])
    try await stage.join(stage.bob, share)
    try await stage.mine.deleteRecordZone(withID: testZoneID)
    #expect(await code { _ = try await stage.current(share) } == .zoneNotFound)
    #expect(try await stage.bob.sharedCloudDatabase.allRecordZones().isEmpty)
    #expect(await code { _ = try await stage.metadata(share, for: stage.bob) } == .unknownItem)
  }

  @Test("2.4 Remove all participants: the share stays with its owner ([share-end-3])")
  func removeAll() async throws {
    let share = try await stage.share(with: ["bob", "carol"])
    try await stage.edit(share) {
      for participant in $0.participants.dropFirst() { $0.removeParticipant(participant) }
    }
    let left = try await stage.current(share)
    #expect(left.participants == [left.owner])
    #expect(left.url == share.url)
  }

  @Test("2.4 Old links work again after resharing; a private share's link only for people added again ([share-end-4])")
  func oldLinks() async throws {
    let share = try await stage.share(with: ["bob", "carol"])
    let url = try #require(share.url)
    try await stage.mine.deleteRecord(withID: share.recordID)
    try await stage.share(with: ["carol"])
    #expect(await code { _ = try await stage.bob.shareMetadata(for: url) } == .unknownItem)
    #expect(try await stage.carol.shareMetadata(for: url).participantStatus == .pending)
    let zoneWide = CKRecordZone.ID(zoneName: "Whole")
    try await stage.mine.save(CKRecordZone(zoneID: zoneWide))
    let first = try #require(try await stage.mine.save(CKShare(recordZoneID: zoneWide)) as? CKShare)
    try await stage.mine.deleteRecord(withID: first.recordID)
    #expect((try await stage.mine.save(CKShare(recordZoneID: zoneWide)) as? CKShare)?.url == first.url)
  }

  // [share-zone-2]
  @Test("3 record.share stays nil in a zone shared as a whole, and CKRecordZone.share in one with hierarchical shares")
  func shareOfRecordsAndZones() async throws {
    try await stage.share()
    #expect(try await stage.mine.recordZone(for: testZoneID).share == nil)
    let list = try await stage.record("list")
    try await stage.mine.deleteRecord(withID: try #require(list.share?.recordID))
    try await stage.join(stage.bob, stage.shareZone(open: .readOnly))
    #expect(try await stage.record("list").share == nil)
    #expect(try await stage.record("list", seenBy: stage.bob).share == nil)
  }

  // [zone-save-3]
  @Test("3 Capabilities of a zone: all for custom private zones, none for the default zone, two for shared zones")
  func capabilitiesOfAZone() async throws {
    try await stage.join(stage.bob, stage.shareZone(open: .readOnly))
    #expect(try await stage.mine.recordZone(for: testZoneID).capabilities.rawValue == 15)
    #expect(try await stage.mine.recordZone(for: .default).capabilities == [])
    let shared = try await stage.bob.sharedCloudDatabase.recordZone(for: stage.theirs)
    #expect(shared.capabilities == [.fetchChanges, .atomic])
  }

  // [share-field-2]
  @Test(
    "4 owner, participants, currentUserParticipant of a new share: only the creator, accepted, with readWrite"
  )
  func newShare() {
    let share = CKShare(rootRecord: note("a"))
    #expect(share.participants == [share.owner])
    #expect(share.currentUserParticipant === share.owner)
    #expect(share.owner.role == .owner)
    #expect(share.owner.permission == .readWrite)
    #expect(share.owner.acceptanceStatus == .accepted)
  }

  @Test("4 currentUserParticipant: is nil for a person who is not on the list of a public share ([share-field-4])")
  func notOnTheList() async throws {
    let share = try await stage.share(open: .readOnly)
    let metadata = try await stage.metadata(share, for: stage.bob)
    #expect(metadata.share.currentUserParticipant == nil)
    #expect(metadata.share.owner.userIdentity.nameComponents?.givenName == "Alice")
  }

  @Test("4 participants order: the owner first, then in the order of being added ([share-field-2])")
  func participantsOrderTheOwnerFirst() async throws {
    let share = try await stage.share(with: ["carol"])
    let bob = try await stage.invitation("bob")
    try await stage.edit(share) { $0.addParticipant(bob) }
    try await stage.join(stage.bob, share)
    let names = try await stage.current(share).participants.map { $0.userIdentity.nameComponents?.givenName }
    #expect(names == ["Alice", "Carol", "Bob"])
  }

  @Test("4.1 unknown is not settable, and raises an exception ([share-public-4])")
  func unknownPermission() async {
    await expectException(
      "publicPermission cannot be set to CKShareParticipantPermissionUnknown",
      #expect(processExitsWith: .failure, observing: saying) { share(with: []).publicPermission = .unknown })
  }

  @Test("4.3 administrator: can change the title, and leaves by deleting the share")
  func administratorCanChangeTheTitleAndLeaves() async throws {
    let share = try await stage.share(with: ["bob"])
    try await stage.edit(share) { $0.participants[1].role = .administrator }
    let seen = try await stage.join(stage.bob, share)
    seen[CKShare.SystemFieldKey.title] = "Bob's"
    try await stage.bob.sharedCloudDatabase.save(seen)
    #expect(try await stage.current(share)[CKShare.SystemFieldKey.title] as? String == "Bob's")
    try await stage.bob.sharedCloudDatabase.deleteRecord(withID: seen.recordID)
    #expect(try await stage.bob.sharedCloudDatabase.allRecordZones().isEmpty)
    #expect(try await stage.current(share).statuses == [.accepted, .pending])
  }

  @Test(
    "4.3 Title and other fields: a participant's change fails with permissionFailure ([share-manage-2])",
    arguments: [CKShare.ParticipantPermission.readWrite, .readOnly])
  func titleAndOtherFields(_ permission: CKShare.ParticipantPermission) async throws {
    let share = try await stage.share(with: ["bob"], permission)
    let seen = try await stage.join(stage.bob, share)
    for key in [CKShare.SystemFieldKey.title, "color"] {
      seen[key] = "Bob's"
      #expect(await code { try await stage.bob.sharedCloudDatabase.save(seen) } == .permissionFailure)
    }
    #expect(try await stage.current(share).allKeys().isEmpty)
  }

  @Test("5 acceptanceStatus removed: never appears in a list")
  func acceptanceStatusRemovedNeverAppearsInAList() async throws {
    let share = try await stage.share(with: ["bob"])
    try await stage.join(stage.bob, share)
    try await stage.edit(share) { $0.removeParticipant($0.participants[1]) }
    #expect(try await stage.current(share).statuses == [.accepted])
  }
}

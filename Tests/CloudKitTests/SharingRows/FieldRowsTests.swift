import CloudKit
import Foundation
import Testing

@Suite("Sharing rules, 4 and 4.1: the fields of a share") struct FieldRowsTests {
  let stage: SharingStage

  init() async throws { stage = try await SharingStage() }

  @Test("4 url: is nil in a new share, and set and stable after saving ([share-field-1])")
  func urlIsNilInANewShare() async throws {
    let root = try await stage.record("list")
    let share = CKShare(rootRecord: root)
    #expect(share.url == nil)
    _ = try await stage.mine.modifyRecords(saving: [root, share])
    let url = try #require(share.url)
    #expect(url.absoluteString.hasPrefix("https://www.icloud.com/share/"))
    #expect(try await stage.edit(share) { $0["note"] = "x" }.url == url)
  }

  @Test("4 publicPermission: is none in a new share, then the saved value")
  func publicPermission() async throws {
    #expect(CKShare(rootRecord: note("a")).publicPermission == CKShare.ParticipantPermission.none)
    let share = try await stage.share(open: .readOnly)
    #expect(try await stage.current(share).publicPermission == .readOnly)
  }

  @Test("4 owner: is the same after saving")
  func ownerIsTheSameAfterSaving() async throws {
    let share = try await stage.share()
    let owner = try await stage.current(share).owner
    #expect(owner.role == .owner)
    #expect(owner.permission == .readWrite)
    #expect(owner.acceptanceStatus == .accepted)
    #expect(owner.userIdentity.nameComponents?.givenName == "Alice")
  }

  @Test("4 participants: are those that the caller may see, at least the owner and the caller")
  func participantsAreThoseThatTheCaller() async throws {
    let share = try await stage.share(open: .readOnly)
    for person in [stage.bob, stage.carol] { try await stage.join(person, share) }
    #expect(try await stage.current(share).roles == [.owner, .publicUser, .publicUser])
    let seen = try await stage.current(share, seenBy: stage.bob)
    #expect(seen.participants.contains(seen.owner))
    #expect(seen.participants.contains { $0.userIdentity.nameComponents?.givenName == "Bob" })
  }

  @Test("4 currentUserParticipant: is the caller's entry ([share-field-4])")
  func currentUser() async throws {
    let share = try await stage.share(with: ["bob"], .readOnly)
    let joined = try await stage.join(stage.bob, share)
    #expect(joined.currentUserParticipant?.userIdentity.nameComponents?.givenName == "Bob")
    #expect(joined.currentUserParticipant?.permission == .readOnly)
    let own = try await stage.current(share)
    #expect(own.currentUserParticipant === own.owner)
  }

  @Test("4 recordChangeTag, dates, creator: are nil before saving and set after it")
  func systemFields() async throws {
    let root = try await stage.record("list")
    let share = CKShare(rootRecord: root)
    #expect(share.recordChangeTag == nil)
    #expect(share.creationDate == nil)
    #expect(share.modificationDate == nil)
    #expect(share.creatorUserRecordID == nil)
    _ = try await stage.mine.modifyRecords(saving: [root, share])
    #expect(share.recordChangeTag != nil)
    #expect(share.creationDate != nil)
    #expect(share.modificationDate != nil)
    #expect(share.creatorUserRecordID?.recordName == CKCurrentUserDefaultName)
  }

  @Test("4 title, thumbnail, type: have the values that were set, and are optional ([share-field-3])")
  func titleThumbnailType() async throws {
    let share = try await stage.share()
    #expect(share.allKeys().isEmpty)
    try await stage.edit(share) {
      $0[CKShare.SystemFieldKey.title] = "Our list"
      $0[CKShare.SystemFieldKey.thumbnailImageData] = Data([1, 2])
      $0[CKShare.SystemFieldKey.shareType] = "com.example.list"
    }
    let fetched = try await stage.current(share)
    #expect(fetched[CKShare.SystemFieldKey.title] as? String == "Our list")
    #expect(fetched[CKShare.SystemFieldKey.thumbnailImageData] as? Data == Data([1, 2]))
    #expect(fetched[CKShare.SystemFieldKey.shareType] as? String == "com.example.list")
  }

  @Test("4 A share is a record: custom keys can be saved and fetched ([share-field-3])")
  func customKeys() async throws {
    let share = try await stage.share(with: ["bob"])
    try await stage.edit(share) { $0["color"] = 5 }
    #expect(try await stage.join(stage.bob, share)["color"] as? Int == 5)
  }

  // MARK: 4.1

  @Test("4.1 none to readOnly or readWrite: pending participants are removed, accepted ones stay ([share-public-1])")
  func noneToReadOnlyOrReadWrite() async throws {
    let share = try await stage.share(with: ["bob", "carol"], .readWrite)
    try await stage.join(stage.bob, share)
    let open = try await stage.edit(share) {
      $0.publicPermission = .readOnly
      #expect($0.statuses == [.accepted, .accepted])
    }
    let saved = try await stage.current(open)
    #expect(saved.roles == [.owner, .privateUser])
    #expect(saved.participants[1].permission == .readWrite)
    let carols = try await stage.metadata(share, for: stage.carol)
    #expect(carols.participantRole == .publicUser)
    #expect(carols.participantPermission == .readOnly)
    #expect(await stage.writing("item", by: stage.bob) == nil)
  }

  @Test(
    "4.1 readOnly to readWrite and back: pending ones leave, public users get the new permission ([share-public-1])"
  )
  func readOnlyToReadWriteAndBack() async throws {
    let share = try await stage.share(with: ["bob"])
    try await stage.join(stage.bob, share)
    try await stage.edit(share) { $0.publicPermission = .readOnly }
    try await stage.join(stage.carol, share)
    #expect(await stage.writing("item", by: stage.carol) == .permissionFailure)
    // After leaving, an invited participant is pending again.
    try await stage.bob.sharedCloudDatabase.deleteRecordZone(withID: stage.theirs)
    #expect(try await stage.current(share).statuses == [.accepted, .pending, .accepted])
    try await stage.edit(share) { $0.publicPermission = .readWrite }
    #expect(try await stage.current(share).roles == [.owner, .publicUser])
    #expect(await stage.writing("item", by: stage.carol) == nil)
    try await stage.edit(share) { $0.publicPermission = .readOnly }
    #expect(await stage.writing("item", by: stage.carol) == .permissionFailure)
  }

  @Test("4.1 readOnly or readWrite to none: only the owner and people added before saving remain ([share-public-2])")
  func readOnlyOrReadWriteToNone() async throws {
    let share = try await stage.share(open: .readWrite)
    try await stage.join(stage.bob, share)
    let invitation = try await stage.invitation("carol")
    try await stage.edit(share) {
      $0.publicPermission = .none
      #expect($0.participants == [$0.owner])
      $0.addParticipant(invitation)
    }
    let saved = try await stage.current(share)
    #expect(saved.roles == [.owner, .privateUser])
    #expect(saved.statuses == [.accepted, .pending])
    #expect(await code { _ = try await stage.record("item", seenBy: stage.bob) } == .zoneNotFound)
    try await stage.join(stage.carol, share)
    #expect(try await stage.record("item", seenBy: stage.carol)["title"] as? String == "Milk")
  }

  @Test(
    "4.1 readOnly or readWrite to none: accepted participants are removed too, or pending if added again"
  )
  func closingAroundTheInvited() async throws {
    let share = try await stage.share(with: ["bob", "carol"])
    for person in [stage.bob, stage.carol] { try await stage.join(person, share) }
    try await stage.edit(share) { $0.publicPermission = .readOnly }
    try await stage.edit(share) { share in
      let carol = share.participants[2]
      share.publicPermission = .none
      #expect(share.participants == [share.owner])
      share.addParticipant(carol)
    }
    let saved = try await stage.current(share)
    #expect(saved.roles == [.owner, .privateUser])
    #expect(saved.statuses == [.accepted, .pending])
    for person in [stage.bob, stage.carol] {
      #expect(await code { _ = try await stage.record("item", seenBy: person) } == .zoneNotFound)
    }
    try await stage.join(stage.carol, share)
    #expect(try await stage.record("item", seenBy: stage.carol)["title"] as? String == "Milk")
  }

  @Test("4.1 readOnly or readWrite to none: a public user who is added before saving becomes an invited participant")
  func closingAroundPublicUser() async throws {
    let share = try await stage.share(open: .readWrite)
    try await stage.join(stage.bob, share)
    let invitation = try await stage.invitation("bob", .readOnly)
    try await stage.edit(share) {
      $0.publicPermission = .none
      $0.addParticipant(invitation)
    }
    let saved = try await stage.current(share)
    #expect(saved.roles == [.owner, .privateUser])
    #expect(saved.statuses == [.accepted, .pending])
    #expect(await code { _ = try await stage.record("item", seenBy: stage.bob) } == .zoneNotFound)
    try await stage.join(stage.bob, share)
    #expect(await stage.writing("item", by: stage.bob) == .permissionFailure)
  }
}

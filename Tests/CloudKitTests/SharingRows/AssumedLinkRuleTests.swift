import CloudKit
import Foundation
import LocalCloud
import Testing

@Suite("Undocumented sharing rules, 6 to 8 and 11: assumptions") struct AssumedLinkRuleTests {
  let stage: SharingStage

  init() async throws { stage = try await SharingStage() }

  @Test(
    "6 A malformed address fails with invalidArguments, an unknown user record ID with unknownItem ([share-people-2])"
  )
  func malformedAddressFailsWithInvalidArguments() async throws {
    #expect(await code { _ = try await stage.alice.shareParticipant(forEmailAddress: "nobody") } == .invalidArguments)
    #expect(await code { _ = try await stage.alice.shareParticipant(forPhoneNumber: "none") } == .invalidArguments)
    let unknown = CKRecord.ID(recordName: "_0")
    #expect(await code { _ = try await stage.alice.shareParticipant(forUserRecordID: unknown) } == .unknownItem)
  }

  @Test("6 Looking up oneself gives a participant equal to the owner, and adding it changes no role ([share-people-3])")
  func lookingUpOneselfGivesAParticipantEqual() async throws {
    let me = try await stage.invitation("alice", .readOnly)
    let share = try await stage.edit(stage.share()) {
      #expect(me == $0.owner)
      $0.addParticipant(me)
    }
    #expect(share.roles == [.owner])
    #expect(share.owner.permission == .readWrite)
  }

  @Test("7 The caller's own entry shows the default owner's name, and all others their real names")
  func callersOwnEntryShowsTheDefaultOwners() async throws {
    let share = try await stage.share(with: ["bob"])
    let seen = try await stage.join(stage.bob, share)
    let alice = try await stage.alice.userRecordID().recordName
    let bob = try await stage.bob.userRecordID().recordName
    #expect(alice.hasPrefix("_"))
    #expect(alice.count == 33)
    let forAlice = try await stage.current(share).participants.map(\.userIdentity.userRecordID?.recordName)
    #expect(forAlice == [CKCurrentUserDefaultName, bob])
    let forBob = seen.participants.map(\.userIdentity.userRecordID?.recordName)
    #expect(forBob == [alice, CKCurrentUserDefaultName])
    #expect(await stage.writing("item", by: stage.bob) == nil)
    let item = try await stage.record("item")
    #expect(item.creatorUserRecordID?.recordName == CKCurrentUserDefaultName)
    #expect(item.lastModifiedUserRecordID?.recordName == bob)
    let his = try await stage.record("item", seenBy: stage.bob)
    #expect(his.creatorUserRecordID?.recordName == alice)
    #expect(his.lastModifiedUserRecordID?.recordName == CKCurrentUserDefaultName)
  }

  @Test("7 lookupInfo is nil for people who joined by a public link or a one-person link")
  func lookupInfoIsNilForPeopleWhoJoined() async throws {
    let share = try await stage.share()
    let entry = CKShare.Participant.oneTimeURLParticipant()
    let saved = try await stage.edit(share) { $0.addParticipant(entry) }
    let link = try #require(saved.oneTimeURL(for: entry.participantID))
    try await stage.bob.accept(try await stage.bob.shareMetadata(for: link))
    try await stage.edit(share) { $0.publicPermission = .readOnly }
    try await stage.join(stage.carol, share)
    let people = try await stage.current(share).participants.map(\.userIdentity)
    #expect(people.map { $0.nameComponents?.givenName } == ["Alice", "Bob", "Carol"])
    #expect(people.dropFirst().allSatisfy { $0.lookupInfo == nil && $0.userRecordID != nil })
  }

  // [share-people-4]
  @Test("7 Private share: all see all entries but only their own address; in a public share only owner and themselves")
  func privateShareAllSeeAllEntries() async throws {
    let share = try await stage.share(with: ["bob", "carol"])
    let seen = try await stage.join(stage.bob, share)
    #expect(seen.participants.map { $0.userIdentity.nameComponents?.givenName } == ["Alice", "Bob", "Carol"])
    #expect(seen.participants.map { $0.userIdentity.lookupInfo?.emailAddress } == [nil, "bob@example.com", nil])
    try await stage.join(stage.carol, share)
    try await stage.edit(share) { $0.publicPermission = .readOnly }
    let open = try await stage.current(share, seenBy: stage.bob)
    #expect(open.participants.map { $0.userIdentity.nameComponents?.givenName } == ["Alice", "Bob"])
    #expect(try await stage.current(share).participants.count == 3)
  }

  @Test("8.1 URL: its fragment has no effect")
  func urlItsFragmentHasNoEffect() async throws {
    let url = try #require(try await stage.share(with: ["bob"]).url)
    let plain = try #require(url.absoluteString.split(separator: "#").first.map(String.init))
    for text in [plain, plain + "#Anything"] {
      let metadata = try await stage.bob.shareMetadata(for: try #require(URL(string: text)))
      #expect(metadata.participantStatus == .pending)
      #expect(metadata.share.url == url)
    }
  }

  @Test("8.1 anyone, public share: is a pending publicUser ([share-link-7])")
  func anyonePublicShare() async throws {
    let metadata = try await stage.metadata(stage.share(open: .readOnly), for: stage.carol)
    #expect(metadata.participantRole == .publicUser)
    #expect(metadata.participantStatus == .pending)
    #expect(metadata.participantPermission == .readOnly)
  }

  @Test("8.1 not invited, private share, otherwise: metadata fails with unknownItem ([share-link-4])")
  func notInvited() async throws {
    let share = try await stage.share(with: ["bob"])
    #expect(await code { _ = try await stage.metadata(share, for: stage.carol) } == .unknownItem)
  }

  @Test("8.1 malformed, unknown, or revoked URL: metadata fails with unknownItem ([share-link-4])")
  func deadLinks() async throws {
    let share = try await stage.share(with: ["bob"])
    try await stage.mine.deleteRecord(withID: share.recordID)
    let urls = [
      share.url, URL(string: "https://www.icloud.com/share/0unknown"),
      URL(string: "https://example.com/share/0unknown"),
    ].compactMap(\.self)
    let results = try await stage.bob.shareMetadatas(for: urls)
    #expect(results.count == 3)
    #expect(results.values.allSatisfy { $0.code == .unknownItem })
  }

  @Test("8.3 second acceptance: succeeds without a change ([share-join-3])")
  func secondAcceptanceSucceedsWithoutAChange() async throws {
    let share = try await stage.share(with: ["bob"])
    try await stage.join(stage.bob, share)
    let tag = try await stage.current(share).recordChangeTag
    let again = try await stage.join(stage.bob, share)
    #expect(again.recordChangeTag == tag)
    #expect(again.currentUserParticipant?.acceptanceStatus == .accepted)
    #expect(try await stage.current(share).recordChangeTag == tag)
  }

  @Test("8.3 owner accepts their own share: fails with invalidArguments ([share-join-4])")
  func ownerAcceptsTheirOwnShare() async throws {
    let metadata = try await stage.metadata(stage.share(), for: stage.alice)
    #expect(await code { try await stage.alice.accept(metadata) } == .invalidArguments)
  }

  @Test("8.3 stale metadata of a share that was deleted since then: fails with unknownItem ([share-join-6])")
  func staleMetadataOfAShare() async throws {
    let share = try await stage.share(with: ["bob"])
    let metadata = try await stage.metadata(share, for: stage.bob)
    try await stage.mine.deleteRecord(withID: share.recordID)
    #expect(await code { try await stage.bob.accept(metadata) } == .unknownItem)
  }

  @Test("8.3 metadata of another container: fails with badContainer ([share-join-6])")
  func otherContainer() async throws {
    let metadata = try await stage.metadata(stage.share(with: ["bob"]), for: stage.bob)
    let elsewhere = try LocalCloud.acting(as: "bob", root: stage.cloud.cloud.path) {
      stage.cloud.container("iCloud.else")
    }
    #expect(await code { try await elsewhere.accept(metadata) } == .badContainer)
    #expect(await code { try await stage.bob.accept(metadata) } == nil)
  }

  @Test("11 CKSharingParticipantAccessOption, CKSharingParticipantPermissionOption: have the raw values 1, 2 and 3")
  func ckSharingParticipantAccessOptionCKSharingParticipantPermissionOptionHaveTheRaw() {
    typealias Access = CKSharingParticipantAccessOption
    typealias Permission = CKSharingParticipantPermissionOption
    #expect([Access.anyoneWithLink, .specifiedRecipientsOnly, .any].map(\.rawValue) == [1, 2, 3])
    #expect([Permission.readOnly, .readWrite, .any].map(\.rawValue) == [1, 2, 3])
  }
}

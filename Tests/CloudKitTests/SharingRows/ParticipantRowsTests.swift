import CloudKit
import Foundation
import Testing

@Suite("Sharing rules, 5 and 7: participants and identities") struct ParticipantRowsTests {
  let stage: SharingStage

  init() async throws { stage = try await SharingStage() }

  @Test("5 userIdentity: has the person's address and user record ID")
  func userIdentityHasThePersonsAddressAndUser() async throws {
    let share = try await stage.share(with: ["bob"])
    let identity = try await stage.current(share).participants[1].userIdentity
    #expect(identity.lookupInfo?.emailAddress == "bob@example.com")
    #expect(identity.userRecordID == (try await stage.bob.userRecordID()))
  }

  @Test("5 role, permission: assigning takes effect with the next save of the share")
  func rolePermissionAssigningTakesEffect() async throws {
    let share = try await stage.share(with: ["bob"], .readOnly)
    try await stage.join(stage.bob, share)
    let edited = try await stage.current(share)
    edited.participants[1].permission = .readWrite
    edited.participants[1].role = .administrator
    #expect(await stage.writing("item", by: stage.bob) == .permissionFailure)
    try await stage.mine.save(edited)
    #expect(await stage.writing("item", by: stage.bob) == nil)
    #expect(try await stage.current(share, seenBy: stage.bob).currentUserParticipant?.role == .administrator)
  }

  @Test("5 acceptanceStatus: is pending until accepted, and a pending participant sees no record")
  func acceptanceStatusIsPendingUntilAccepted() async throws {
    let share = try await stage.share(with: ["bob"])
    #expect(try await stage.current(share).participants[1].acceptanceStatus == .pending)
    #expect(await code { _ = try await stage.record("list", seenBy: stage.bob) } == .zoneNotFound)
    try await stage.join(stage.bob, share)
    #expect(try await stage.current(share).participants[1].acceptanceStatus == .accepted)
    #expect(try await stage.record("list", seenBy: stage.bob)["title"] as? String == "Groceries")
  }

  @Test("5 participantID: stays the same for an entry ([share-list-6])")
  func participantID() async throws {
    let share = try await stage.share(with: ["bob"])
    let participantID = share.participants[1].participantID
    let joined = try await stage.join(stage.bob, share)
    #expect(joined.currentUserParticipant?.participantID == participantID)
    let edited = try await stage.edit(share) { $0.participants[1].permission = .readOnly }
    #expect(edited.participants[1].participantID == participantID)
    #expect(edited.owner.participantID != participantID)
  }

  @Test("5 isApprovedRequester, dateAddedToShare: the date is set by the save that adds the entry ([share-list-6])")
  func isApprovedRequesterDateAddedToShareTheDate() async throws {
    let bob = try await stage.invitation("bob")
    #expect(bob.isApprovedRequester == false)
    #expect(bob.dateAddedToShare == nil)
    let share = try await stage.share()
    try await stage.edit(share) { $0.addParticipant(bob) }
    let added = try #require(bob.dateAddedToShare)
    #expect(abs(added.timeIntervalSince(try #require(share.creationDate))) < 3600)
    try await stage.join(stage.bob, share)
    #expect(try await stage.current(share).participants[1].dateAddedToShare == added)
  }

  @Test("5 oneTimeURLParticipant(): is an entry without a person")
  func oneTime() {
    let first = CKShare.Participant.oneTimeURLParticipant()
    #expect(first.role == .privateUser)
    #expect(first.userIdentity.hasiCloudAccount == false)
    #expect(first != CKShare.Participant.oneTimeURLParticipant())
  }

  // [share-people-7]
  @Test("5 equality and hash: use participantID, userRecordID or lookupInfo; never role, status or permission")
  func equalityAndHash() async throws {
    let first = try await stage.invitation("bob", .readOnly)
    let again = try await stage.invitation("bob", .readWrite)
    #expect(first == again)
    #expect(first.hash == again.hash)
    #expect(first.participantID != again.participantID)
    let byID = try await stage.alice.shareParticipant(forUserRecordID: try await stage.bob.userRecordID())
    #expect(byID.userIdentity.lookupInfo?.emailAddress == nil)
    #expect(byID == first)
    #expect(byID.hash == first.hash)
    #expect(try await stage.invitation("carol") != first)
    let share = try await stage.share(with: ["bob"])
    let pending = share.participants[1]
    try await stage.join(stage.bob, share)
    #expect(try await stage.current(share).participants[1] == pending)
  }

  // MARK: 7

  @Test("7 userRecordID: is set when an account is known for the entry, and nil before ([share-people-6])")
  func userRecordID() async throws {
    let share = try await stage.share(with: ["later"])
    #expect(share.participants[1].userIdentity.userRecordID == nil)
    try stage.verify("later@example.com", of: "bob")
    try await stage.join(stage.bob, share)
    let joined = try await stage.current(share).participants[1].userIdentity
    #expect(joined.userRecordID == (try await stage.bob.userRecordID()))
  }

  @Test("7 lookupInfo: is the address of the invitation, or nil for a pending one-time participant")
  func lookupInfo() async throws {
    let share = try await stage.share(with: ["bob"])
    let open = CKShare.Participant.oneTimeURLParticipant()
    let saved = try await stage.edit(share) { $0.addParticipant(open) }
    #expect(
      saved.participants.dropFirst().map(\.userIdentity.lookupInfo?.emailAddress) == ["bob@example.com", nil])
    #expect(saved.participants[2].userIdentity.lookupInfo == nil)
  }

  // [share-people-6]
  @Test("7 nameComponents: are the account's; nil or empty for pending entries without an account")
  func nameComponentsAreTheAccountSNil() async throws {
    let share = try await stage.share(with: ["bob", "later"])
    let open = CKShare.Participant.oneTimeURLParticipant()
    let saved = try await stage.edit(share) { $0.addParticipant(open) }
    let names = saved.participants.map { $0.userIdentity.nameComponents?.givenName }
    #expect(names == ["Alice", "Bob", nil, nil])
  }

  @Test("7 hasiCloudAccount: is true if an account has the address")
  func hasAccount() async throws {
    let share = try await stage.share(with: ["bob", "later"])
    #expect(share.participants.map(\.userIdentity.hasiCloudAccount) == [true, true, false])
  }

  @Test("7 Every participant sees the owner and themselves, in private and in public shares")
  func ownerAndSelf() async throws {
    let closed = try await stage.share(with: ["bob"])
    try await stage.mine.save(note("second"))
    let open = try await stage.share("second", open: .readOnly)
    for share in [closed, open] {
      let seen = try await stage.join(stage.bob, share)
      #expect(seen.owner.userIdentity.nameComponents?.givenName == "Alice")
      #expect(seen.participants.contains(seen.owner))
      #expect(seen.currentUserParticipant?.userIdentity.nameComponents?.givenName == "Bob")
    }
  }
}

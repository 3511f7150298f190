import CloudKit
import Foundation
import Testing

@Suite("Sharing rules, 11: one-person links, access requests, options") struct NewerRowsTests {
  let stage: SharingStage

  init() async throws { stage = try await SharingStage() }

  private func ask(_ person: CKContainer, _ urls: URL?...) async throws -> [URL: Result<Void, any Error>] {
    let operation = CKShareRequestAccessOperation(shareURLs: urls.compactMap(\.self))
    let items = Collector<(URL, Result<Void, any Error>)>()
    operation.perShareAccessRequestResultBlock = { items.append(($0, $1)) }
    let whole: Result<Void, any Error> = await withCheckedContinuation { continuation in
      operation.shareAccessRequestResultBlock = { continuation.resume(returning: $0) }
      person.add(operation)
    }
    try whole.get()
    return Dictionary(items.values, uniquingKeysWith: { first, _ in first })
  }

  /// A share that accepts requests, with a request by Carol.
  private func asked() async throws -> CKShare {
    let share = try await stage.edit(stage.share()) { $0.allowsAccessRequests = true }
    _ = try await ask(stage.carol, share.url)
    return try await stage.current(share)
  }

  @Test("11 oneTimeURLParticipant(): has no person and its own ID, takes a permission, and is added and saved")
  func oneTimeParticipant() async throws {
    let entry = CKShare.Participant.oneTimeURLParticipant()
    entry.permission = .readWrite
    let saved = try await stage.edit(stage.share()) { $0.addParticipant(entry) }
    #expect(saved.participants[1].participantID == entry.participantID)
    #expect(entry.acceptanceStatus == .pending)
    #expect(entry.permission == .readWrite)
    #expect(entry.userIdentity.userRecordID == nil)
    #expect(entry.userIdentity.lookupInfo == nil)
  }

  // [share-request-1]
  @Test("11 oneTimeURL(for:): is nil before saving and for other entries, then stable; its first user gets the entry")
  func oneTimeURL() async throws {
    let share = try await stage.current(stage.share(with: ["bob"]))
    let entry = CKShare.Participant.oneTimeURLParticipant()
    share.addParticipant(entry)
    #expect(share.oneTimeURL(for: entry.participantID) == nil)
    try await stage.mine.save(share)
    let link = try #require(share.oneTimeURL(for: entry.participantID))
    #expect(share.participants.prefix(2).allSatisfy { share.oneTimeURL(for: $0.participantID) == nil })
    try await stage.carol.accept(try await stage.carol.shareMetadata(for: link))
    let claimed = try await stage.current(share)
    #expect(claimed.oneTimeURL(for: entry.participantID) == link)
    #expect(claimed.participants[2].userIdentity.userRecordID == (try await stage.carol.userRecordID()))
    #expect(try await stage.record("item", seenBy: stage.carol)["title"] as? String == "Milk")
    // The claimed link acts like the share's own link: Bob gets his own invitation by it, and others are refused.
    #expect(try await stage.bob.shareMetadata(for: link).participantStatus == .pending)
    try await stage.edit(share) { $0.removeParticipant($0.participants[1]) }
    #expect(await code { _ = try await stage.bob.shareMetadata(for: link) } == .unknownItem)
  }

  // [share-request-3]
  @Test("11 allowsAccessRequests: is false at first; requests then have no effect and do not reveal the share")
  func allowsRequests() async throws {
    let share = try await stage.share()
    #expect(share.allowsAccessRequests == false)
    let unknown = URL(string: "https://www.icloud.com/share/0unknown")
    let results = try await ask(stage.carol, share.url, unknown)
    #expect(results.count == 2)
    #expect(results.values.allSatisfy { $0.code == nil })
    #expect(try await stage.current(share).requesters.isEmpty)
    let open = try await stage.edit(share) { $0.allowsAccessRequests = true }
    #expect(try await stage.current(open).allowsAccessRequests)
  }

  @Test("11 requesters: are pending requests; one is approved by adding the looked-up person, and marked as approved")
  func requestersArePendingRequestsOneIsApproved() async throws {
    let share = try await asked()
    let requester = try #require(share.requesters.first)
    #expect(share.requesters.count == 1)
    #expect(requester.userIdentity.nameComponents?.givenName == "Carol")
    let address = try #require(requester.participantLookupInfo.emailAddress)
    let found = try await stage.alice.shareParticipant(forEmailAddress: address)
    share.addParticipant(found)
    try await stage.mine.save(share)
    let saved = try await stage.current(share)
    #expect(saved.requesters.isEmpty && saved.participants[1].isApprovedRequester)
    #expect(saved.participants[1].acceptanceStatus == .pending)
    try await stage.join(stage.carol, share)
    #expect(try await stage.record("item", seenBy: stage.carol)["title"] as? String == "Milk")
  }

  @Test("11 blockedIdentities: contain a blocked person until unblocked")
  func blockedIdentitiesContainABlockedPerson() async throws {
    let share = try await asked()
    share.blockRequesters(share.requesters)
    try await stage.mine.save(share)
    let blocked = try await stage.current(share)
    #expect(blocked.blockedIdentities.map { $0.userIdentity.nameComponents?.givenName } == ["Carol"])
    _ = try await ask(stage.carol, share.url)
    #expect(try await stage.current(share).requesters.isEmpty)
    blocked.unblockIdentities(blocked.blockedIdentities)
    try await stage.mine.save(blocked)
    _ = try await ask(stage.carol, share.url)
    #expect(try await stage.current(share).requesters.count == 1)
  }

  @Test("11 denyRequesters, blockRequesters, unblockIdentities: take effect when saved; blocking removes a participant")
  func denyRequestersBlockRequesters() async throws {
    let share = try await asked()
    let requesters = share.requesters
    share.denyRequesters(requesters)
    #expect(share.requesters.isEmpty)
    #expect(try await stage.current(share).requesters.count == 1)
    try await stage.mine.save(share)
    _ = try await ask(stage.carol, share.url)
    #expect(try await stage.current(share).requesters.count == 1, "denied people may ask again")
    let carol = try await stage.invitation("carol")
    try await stage.edit(share) { $0.addParticipant(carol) }
    try await stage.join(stage.carol, share)
    try await stage.edit(share) { $0.blockRequesters(requesters) }
    #expect(try await stage.current(share).roles == [.owner])
    #expect(await code { _ = try await stage.record("item", seenBy: stage.carol) } == .zoneNotFound)
  }

  @Test("11 AccessRequester, BlockedIdentity: contain the person's identity and lookup info")
  func accessRequesterBlockedIdentityContain() async throws {
    let share = try await asked()
    let requester = try #require(share.requesters.first)
    #expect(requester.participantLookupInfo.emailAddress == "carol@example.com")
    #expect(requester.userIdentity.lookupInfo == requester.participantLookupInfo)
    share.blockRequesters([requester])
    #expect(share.blockedIdentities.map(\.userIdentity) == [requester.userIdentity])
  }

  @Test("11 CKShareRequestAccessOperation: has a result for each URL, and does not reveal if the share exists")
  func ckShareRequestAccessOperationHasAResult() async throws {
    #expect(CKShareRequestAccessOperation().shareURLs == nil)
    let share = try await stage.edit(stage.share()) { $0.allowsAccessRequests = true }
    let unknown = try #require(URL(string: "https://www.icloud.com/share/0unknown"))
    let url = try #require(share.url)
    let results = try await ask(stage.carol, url, unknown)
    #expect(Set(results.keys) == [url, unknown])
    #expect(results.values.allSatisfy { $0.code == nil })
  }

  // [share-request-6]
  @Test(
    "11 CKError.participantAlreadyInvited: is the error of an invited person's request; the invitation can be accepted")
  func alreadyInvited() async throws {
    let share = try await stage.share(with: ["carol"])
    let url = try #require(share.url)
    #expect(try await ask(stage.carol, url)[url]?.code == .participantAlreadyInvited)
    try await stage.join(stage.carol, share)
    #expect(try await stage.current(share).statuses == [.accepted, .accepted])
  }

  @Test("11 role administrator: can be assigned to an entry, and is stored by the server")
  func roleAdministratorCanBeAssigned() async throws {
    let share = try await stage.share(with: ["bob"])
    try await stage.edit(share) { $0.participants[1].role = .administrator }
    #expect(try await stage.join(stage.bob, share).currentUserParticipant?.role == .administrator)
    #expect(try await stage.current(share).roles == [.owner, .administrator])
  }

  @Test("11 CKAllowedSharingOptions: restrict only screens; inviting others and requests are off by default")
  func ckAllowedSharingOptionsRestrictOnlyScreens() {
    let options = CKAllowedSharingOptions(
      allowedParticipantPermissionOptions: .readOnly, allowedParticipantAccessOptions: .specifiedRecipientsOnly)
    #expect(options.allowedParticipantPermissionOptions == .readOnly)
    #expect(options.allowedParticipantAccessOptions == .specifiedRecipientsOnly)
    #expect(options.allowsParticipantsToInviteOthers == false)
    #expect(options.allowsAccessRequests == false)
    #expect(CKAllowedSharingOptions.standard.allowedParticipantPermissionOptions == .any)
    #expect(CKAllowedSharingOptions.standard.allowedParticipantAccessOptions == .any)
  }

  @Test("11 CKSharingParticipantAccessOption, CKSharingParticipantPermissionOption: are option sets")
  func optionSets() {
    #expect(CKSharingParticipantAccessOption.any == [.anyoneWithLink, .specifiedRecipientsOnly])
    #expect(CKSharingParticipantPermissionOption.any == [.readOnly, .readWrite])
    #expect(CKSharingParticipantAccessOption.anyoneWithLink.isDisjoint(with: .specifiedRecipientsOnly))
  }
}

import CloudKit
import Foundation
import LocalCloud
import Testing

@Suite("Apps with one-person links, access requests and administrators")
struct AccessRequestTests {
  let cloud: TestCloud
  let alice: CKContainer
  let bob: CKContainer
  let carol: CKContainer

  init() throws {
    cloud = try TestCloud()
    alice = try cloud.container(of: "alice")
    bob = try cloud.container(of: "bob")
    carol = try cloud.container(of: "carol")
  }

  private func share() async throws -> CKShare {
    let database = alice.privateCloudDatabase
    try await database.save(CKRecordZone(zoneID: testZoneID))
    let root = note("list", "Groceries")
    let share = CKShare(rootRecord: root)
    let (results, _) = try await database.modifyRecords(saving: [root, share])
    return try #require(try results[share.recordID]?.get() as? CKShare)
  }

  private func ask(_ container: CKContainer, _ urls: [URL]) async -> ([URL: Result<Void, any Error>], (any Error)?) {
    let operation = CKShareRequestAccessOperation(shareURLs: urls)
    let items = Collector<(URL, Result<Void, any Error>)>()
    operation.perShareAccessRequestResultBlock = { items.append(($0, $1)) }
    let error: (any Error)? = await withCheckedContinuation { continuation in
      operation.shareAccessRequestResultBlock = { result in
        if case .failure(let error) = result {
          continuation.resume(returning: error)
        } else {
          continuation.resume(returning: nil)
        }
      }
      container.add(operation)
    }
    return (Dictionary(items.values, uniquingKeysWith: { first, _ in first }), error)
  }

  @Test("a one-person link exists after saving, stays the same, and works once, also with archived metadata")
  func oneTimeURL() async throws {
    let share = try await share()
    let participant = CKShare.Participant.oneTimeURLParticipant()
    #expect(participant.role == .privateUser)
    #expect(participant.permission == .readOnly)
    #expect(participant.userIdentity.lookupInfo == nil)
    #expect(participant.userIdentity.nameComponents == nil)
    #expect(participant.userIdentity.hasiCloudAccount == false)
    #expect(participant.dateAddedToShare == nil)
    participant.permission = .readWrite
    share.addParticipant(participant)
    #expect(share.oneTimeURL(for: participant.participantID) == nil)
    try await alice.privateCloudDatabase.save(share)
    let link = try #require(share.oneTimeURL(for: participant.participantID))
    #expect(link != share.url)
    #expect(participant.acceptanceStatus == .pending)
    #expect(participant.dateAddedToShare != nil)
    #expect(share.oneTimeURL(for: share.owner.participantID) == nil)
    #expect(share.oneTimeURL(for: "else") == nil)
    #expect(try archived(share)?.oneTimeURL(for: participant.participantID) == link)

    let metadata = try #require(try archived(try await bob.shareMetadata(for: link)))
    #expect(metadata.participantStatus == .pending)
    #expect(metadata.participantPermission == .readWrite)
    #expect(metadata.share.url == share.url)
    let joined = try await bob.accept(metadata)
    #expect(joined.currentUserParticipant?.participantID == participant.participantID)
    #expect(joined.oneTimeURL(for: participant.participantID) == nil)
    #expect(await code { try await carol.accept(metadata) } == .permissionFailure)
    #expect(await code { _ = try await carol.shareMetadata(for: link) } == .unknownItem)
    let fresh = try #require(await alice.privateCloudDatabase.record(for: share.recordID) as? CKShare)
    #expect(fresh.oneTimeURL(for: participant.participantID) == link)
    #expect(fresh.participants[1].userIdentity.nameComponents?.givenName == "Bob")
  }

  @Test("an access request is approved by the requester's lookup info, and the operation reveals nothing of shares")
  func accessRequestIsApprovedByTheRequesters() async throws {
    let share = try await share()
    let url = try #require(share.url)
    let unknown = try #require(URL(string: "https://www.icloud.com/share/0unknown"))
    #expect(share.allowsAccessRequests == false)
    #expect(share.requesters.isEmpty)
    #expect(share.blockedIdentities.isEmpty)
    let (early, _) = await ask(carol, [url, unknown])
    #expect(early.count == 2)
    #expect(early.values.allSatisfy { $0.code == nil })
    share.allowsAccessRequests = true
    try await alice.privateCloudDatabase.save(share)
    #expect(share.allowsAccessRequests)
    #expect(share.requesters.isEmpty)

    #expect(await ask(carol, [url]).0[url]?.code == nil)
    let asked = try #require(await alice.privateCloudDatabase.record(for: share.recordID) as? CKShare)
    let requester = try #require(asked.requesters.first)
    #expect(requester.userIdentity.nameComponents?.givenName == "Carol")
    #expect(requester.participantLookupInfo.emailAddress == "carol@example.com")
    #expect(try archived(requester) == requester && archived(asked)?.requesters == asked.requesters)
    let found = try await participant(requester.participantLookupInfo)
    found.permission = .readWrite
    asked.addParticipant(found)
    try await alice.privateCloudDatabase.save(asked)
    #expect(asked.requesters.isEmpty)
    #expect(found.isApprovedRequester)
    #expect(found.acceptanceStatus == .pending)

    let (again, whole) = await ask(carol, [url])
    #expect(again[url]?.code == .participantAlreadyInvited)
    #expect(whole == nil)
    try await carol.accept(try await carol.shareMetadata(for: url))
    let nobody = try cloud.container(of: nil)
    let (none, error) = await ask(nobody, [url])
    #expect(none[url]?.code == .notAuthenticated || (error as? CKError)?.code == .notAuthenticated)
  }

  private func participant(_ info: CKUserIdentity.LookupInfo) async throws -> CKShare.Participant {
    let operation = CKFetchShareParticipantsOperation(userIdentityLookupInfos: [info])
    return try await withCheckedThrowingContinuation { continuation in
      operation.perShareParticipantResultBlock = { continuation.resume(with: $1) }
      alice.add(operation)
    }
  }

  @Test("denying, blocking and unblocking take effect when the share is saved")
  func denyingAndBlocking() async throws {
    var share = try await share()
    let url = try #require(share.url)
    let database = alice.privateCloudDatabase
    func reload() async throws { share = try #require(await database.record(for: share.recordID) as? CKShare) }
    share.allowsAccessRequests = true
    try await database.save(share)
    _ = await ask(carol, [url])
    try await reload()
    share.denyRequesters(share.requesters)
    #expect(share.requesters.isEmpty)
    try await reload()
    #expect(share.requesters.count == 1, "not saved")
    share.denyRequesters(share.requesters)
    try await database.save(share)

    _ = await ask(carol, [url])
    try await reload()
    share.blockRequesters(share.requesters)
    #expect(share.requesters.isEmpty)
    #expect(share.blockedIdentities.count == 1)
    try await database.save(share)
    _ = await ask(carol, [url])
    try await reload()
    #expect(share.requesters.isEmpty)
    #expect(share.blockedIdentities.first?.userIdentity.nameComponents?.givenName == "Carol")
    #expect(try archived(share)?.blockedIdentities == share.blockedIdentities)
    share.unblockIdentities(share.blockedIdentities)
    try await database.save(share)
    _ = await ask(carol, [url])
    try await reload()
    #expect(share.requesters.count == 1)
    #expect(share.blockedIdentities.isEmpty)

    // Blocking a requester also removes the participant, if the requester has joined.
    let old = share.requesters
    share.addParticipant(try await participant(old[0].participantLookupInfo))
    try await database.save(share)
    #expect(share.participants.count == 2)
    share.blockRequesters(old)
    #expect(share.participants.count == 1)
    try await database.save(share)
    #expect(await code { try await carol.accept(try await carol.shareMetadata(for: url)) } == .unknownItem)
  }

  @Test("an administrator can add people and handle access requests")
  func administratorCanAddPeopleAndHandleAccess() async throws {
    let share = try await share()
    let participant = try await alice.shareParticipant(forEmailAddress: "bob@example.com")
    participant.role = .administrator
    share.addParticipant(participant)
    share.allowsAccessRequests = true
    try await alice.privateCloudDatabase.save(share)
    #expect(participant.role == .administrator)
    let url = try #require(share.url)
    let joined = try await bob.accept(try await bob.shareMetadata(for: url))
    #expect(joined.currentUserParticipant?.role == .administrator)
    _ = await ask(carol, [url])
    let seen = try #require(await bob.sharedCloudDatabase.record(for: joined.recordID) as? CKShare)
    seen.denyRequesters(seen.requesters)
    seen[CKShare.SystemFieldKey.title] = "Bob's"
    seen.addParticipant(try await bob.shareParticipant(forEmailAddress: "carol@example.com"))
    try await bob.sharedCloudDatabase.save(seen)
    let atAlice = try #require(await alice.privateCloudDatabase.record(for: share.recordID) as? CKShare)
    #expect(atAlice.participants.map(\.role) == [.owner, .administrator, .privateUser])
    #expect(atAlice[CKShare.SystemFieldKey.title] as? String == "Bob's")
  }

  @Test("a participant who handles access requests raises an exception")
  func participantWhoHandlesAccessRequestsRaises() async throws {
    await expectException(
      Self.notManaged,
      #expect(processExitsWith: .failure, observing: saying) { Self.foreignShare().allowsAccessRequests = true })
    await expectException(
      Self.notManaged,
      #expect(processExitsWith: .failure, observing: saying) { Self.foreignShare().denyRequesters([]) })
    await expectException(
      Self.notManaged,
      #expect(processExitsWith: .failure, observing: saying) { Self.foreignShare().blockRequesters([]) })
    await expectException(
      Self.notManaged,
      #expect(processExitsWith: .failure, observing: saying) { Self.foreignShare().unblockIdentities([]) })
  }

  private static let notManaged = "Only the owner or an administrator of a share can handle requests for access"

  /// A share that belongs to another user.
  private static func foreignShare() -> CKShare {
    var state = CKShare(rootRecord: CKRecord(recordType: "Note")).state
    let nobody = CKUserIdentity(hasiCloudAccount: true)
    state.shareState?.participants[0] = CKShareParticipant(state: ParticipantState(userIdentity: nobody, role: .owner))
    return CKShare(state: state)
  }

  @Test("sharing options are copied and archived with all properties")
  func allowedOptions() throws {
    let options = CKAllowedSharingOptions.standard
    #expect(options.allowsParticipantsToInviteOthers == false)
    #expect(options.allowsAccessRequests == false)
    options.allowsParticipantsToInviteOthers = true
    options.allowsAccessRequests = true
    let copy = try #require(options.copy() as? CKAllowedSharingOptions)
    let read = try #require(try archived(options))
    for one in [copy, read] { #expect(one.allowsParticipantsToInviteOthers && one.allowsAccessRequests) }
  }
}

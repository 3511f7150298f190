import CloudKit
import Foundation
import Testing

@Suite("Values of the server and local changes in a share after a save")
struct ShareAdoptionTests {
  private func person(_ name: String) -> CKUserIdentity {
    CKUserIdentity(userRecordID: CKRecord.ID(recordName: name), hasiCloudAccount: true)
  }

  private func requester(_ name: String) -> CKShare.AccessRequester {
    CKShareAccessRequester(userIdentity: person(name))
  }

  private func blocked(_ name: String) -> CKShare.BlockedIdentity { CKShareBlockedIdentity(userIdentity: person(name)) }

  private func names(_ people: [CKUserIdentity]) -> [String?] { people.map { $0.userRecordID?.recordName } }

  @Test("a save adopts the server's public permission and request setting, unless they changed during the save")
  func saveAdoptsTheServersPublicPermission() {
    for isEdited in [false, true] {
      let share = share(with: [])
      let sent = share.state
      var answer = share.state
      answer.shareState?.publicPermission = .readOnly
      answer.shareState?.allowsAccessRequests = true
      if isEdited {
        share.publicPermission = .readWrite
        share.allowsAccessRequests = true
        answer.shareState?.allowsAccessRequests = false
      }
      share.adoptServerState(answer, sent: sent)
      #expect(share.publicPermission == (isEdited ? .readWrite : .readOnly))
      #expect(share.allowsAccessRequests)
    }
  }

  @Test("a save adopts the server's link and root; a root stays if the server names none")
  func saveAdoptsTheServersLinkAndRoot() {
    let share = share(with: [])
    let sent = share.state
    var answer = share.state
    answer.shareState?.url = URL(string: "https://www.icloud.com/share/x")
    answer.shareState?.rootRecordID = nil
    share.adoptServerState(answer, sent: sent)
    #expect(share.url?.absoluteString == "https://www.icloud.com/share/x")
    #expect(share.rootRecordID?.recordName == "n1")
    answer.shareState?.rootRecordID = CKRecord.ID(recordName: "other")
    answer.shareState?.url = nil
    share.adoptServerState(answer, sent: sent)
    #expect(share.url == nil)
    #expect(share.rootRecordID?.recordName == "other")
  }

  @Test("the server's requesters and blocked people are combined with local changes during the save")
  func serversRequestersAndBlockedPeopleAreCombined() throws {
    let share = share(with: [])
    share.withState { (state: inout RecordState) -> Void in
      state.shareState?.requesters = ["stays", "denied", "gone"].map(requester)
      state.shareState?.blockedIdentities = ["blocked", "freed", "forgotten"].map(blocked)
    }
    let sent = share.state
    var answer = share.state
    answer.shareState?.requesters = ["stays", "denied", "new"].map(requester)
    answer.shareState?.blockedIdentities = ["blocked", "freed", "late"].map(blocked)
    share.denyRequesters([requester("denied")])
    share.unblockIdentities([blocked("freed")])
    share.blockRequesters([requester("mine")])
    share.adoptServerState(answer, sent: sent)
    #expect(names(share.requesters.map(\.userIdentity)) == ["stays", "new"])
    #expect(names(share.blockedIdentities.map(\.userIdentity)) == ["blocked", "late", "mine"])
  }

  @Test("a participant removed during a save stays removed, and one that the server omits is on no share any more")
  func participantRemovedDuringASaveStaysRemoved() {
    let share = share(with: [participant("ann@x.y"), participant("bob@x.y"), participant("eve@x.y")])
    let (ann, bob) = (share.participants[1], share.participants[2])
    let sent = share.state
    var answer = share.state
    answer.shareState?.participants.remove(at: 2)
    share.removeParticipant(ann)
    share.adoptServerState(answer, sent: sent)
    #expect(
      share.participants.map { $0.userIdentity.lookupInfo?.emailAddress } == [nil, "eve@x.y"])
    // Both can be added to another share.
    let other = CKShare(rootRecord: savedRecord(name: "other"))
    other.addParticipant(ann)
    other.addParticipant(bob)
    #expect(other.participants.count == 3)
  }

  @Test("blocking a person removes the request and the participant, is stored once, and never removes the owner")
  func blockingAPersonRemovesTheRequest() {
    let ann = CKShareParticipant(state: ParticipantState(userIdentity: person("ann")))
    let share = share(with: [ann, participant("bob@x.y")])
    share.withState { (state: inout RecordState) -> Void in
      state.shareState?.requesters = ["ann", "eve"].map(requester)
    }
    share.blockRequesters([requester("ann"), requester("ann")])
    share.blockRequesters([requester("ann"), requester(CKCurrentUserDefaultName)])
    #expect(names(share.requesters.map(\.userIdentity)) == ["eve"])
    #expect(names(share.blockedIdentities.map(\.userIdentity)) == ["ann", CKCurrentUserDefaultName])
    #expect(share.participants.map(\.role) == [.owner, .privateUser])
    #expect(share.participants.last?.userIdentity.lookupInfo?.emailAddress == "bob@x.y")
    CKShare(rootRecord: savedRecord(name: "other")).addParticipant(ann)
    // Requesters and blocked identities are equal if they are the same person.
    #expect(requester("ann") == requester("ann"))
    #expect(requester("ann") != requester("eve"))
    #expect(blocked("ann") == blocked("ann"))
    #expect(blocked("ann").hash == blocked("eve").hash)
    #expect(requester("ann").participantLookupInfo.userRecordID?.recordName == "ann")
  }

  @Test("an archived share has its link, its requests, and its participants' dates and links")
  func archivedShareHasItsLinkItsRequests() throws {
    var state = ParticipantState(userIdentity: person("ann"), acceptanceStatus: .pending)
    state.oneTimeURL = URL(string: "https://www.icloud.com/share/once")
    state.isApprovedRequester = true
    state.dateAddedToShare = Date(timeIntervalSinceReferenceDate: 5)
    let share = share(with: [CKShareParticipant(state: state)])
    share.withState { (whole: inout RecordState) -> Void in
      whole.shareState?.url = URL(string: "https://www.icloud.com/share/x")
      whole.shareState?.allowsAccessRequests = true
      whole.shareState?.requesters = [requester("eve")]
      whole.shareState?.blockedIdentities = [blocked("dan")]
    }
    let copy = try #require(try archived(share))
    #expect(copy.url == share.url)
    #expect(copy.allowsAccessRequests)
    #expect(copy.requesters == [requester("eve")])
    #expect(copy.blockedIdentities == [blocked("dan")])
    let ann = try #require(copy.participants.last)
    #expect(ann.isApprovedRequester)
    #expect(ann.dateAddedToShare == Date(timeIntervalSinceReferenceDate: 5))
    #expect(copy.oneTimeURL(for: ann.participantID)?.absoluteString == "https://www.icloud.com/share/once")
    #expect(copy.oneTimeURL(for: copy.owner.participantID) == nil)
    #expect(copy.oneTimeURL(for: "nobody") == nil)
  }
}

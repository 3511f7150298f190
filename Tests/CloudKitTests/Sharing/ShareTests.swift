import CloudKit
import Testing

@Suite("Shares and participants")
struct ShareTests {
  @Test func hierarchicalShare() {
    let root = savedRecord()
    let share = CKShare(rootRecord: root)
    #expect(share.recordType == "cloudkit.share")
    #expect(share.recordID.recordName.hasPrefix("Share-"))
    #expect(share.recordID.zoneID == root.recordID.zoneID)
    #expect(root.share?.recordID == share.recordID)
    #expect(root.state.isShareChanged)
    #expect(root.changedKeys().isEmpty)
    #expect(share.rootRecordID == root.recordID)
    #expect(share.url == nil)
    #expect(share.publicPermission == CKShare.ParticipantPermission.none)
    #expect(share.participants.count == 1)
    #expect(share.owner == share.currentUserParticipant)
    #expect(share.owner.role == .owner)
    #expect(share.owner.permission == .readWrite)
    #expect(share.owner.acceptanceStatus == .accepted)
    #expect(share.owner.userIdentity.userRecordID?.recordName == CKCurrentUserDefaultName)
  }

  @Test func zoneWideShare() {
    let zoneID = CKRecordZone.ID(zoneName: "Home")
    let share = CKShare(recordZoneID: zoneID)
    #expect(share.recordID.recordName == CKRecordNameZoneWideShare)
    #expect(share.recordID.zoneID == zoneID)
    #expect(share.rootRecordID == nil)
  }

  @Test func namedShareAndFields() {
    let root = savedRecord()
    let share = CKShare(rootRecord: root, shareID: CKRecord.ID(recordName: "s", zoneID: root.recordID.zoneID))
    share[CKShare.SystemFieldKey.title] = "Title" as CKRecordValue
    share[CKShareThumbnailImageDataKey] = Data([1])
    share["own"] = 5
    #expect(share.changedKeys() == ["cloudkit.thumbnailImageData", "cloudkit.title", "own"])
  }

  @Test func participantsAreThePerson() {
    let ann = participant("ann@x.y")
    let again = participant("ann@x.y", permission: .readWrite)
    let bob = participant("bob@x.y")
    #expect(ann == again)
    #expect(ann.hash == again.hash)
    #expect(ann != bob)
    let account = CKUserIdentity(userRecordID: CKRecord.ID(recordName: "_a"), hasiCloudAccount: true)
    let first = CKShareParticipant(state: ParticipantState(userIdentity: account))
    let second = CKShareParticipant(state: ParticipantState(userIdentity: account, role: .publicUser))
    #expect(first == second)
    let nobody = CKUserIdentity(hasiCloudAccount: false)
    #expect(
      CKShareParticipant(state: ParticipantState(userIdentity: nobody))
        != CKShareParticipant(state: ParticipantState(userIdentity: nobody)))
    #expect(
      CKShareParticipant(state: ParticipantState(participantID: "p", userIdentity: nobody))
        == CKShareParticipant(state: ParticipantState(participantID: "p", userIdentity: account)))
  }

  @Test func addingAndRemoving() {
    let share = share(with: [])
    let ann = participant("ann@x.y")
    #expect(ann.permission == .readOnly)
    #expect(ann.role == .privateUser)
    #expect(ann.acceptanceStatus == .unknown)
    share.addParticipant(ann)
    #expect(share.participants.count == 2 && share.participants[1] === ann)
    share.addParticipant(participant("ann@x.y", permission: .readWrite))
    #expect(share.participants.count == 2)
    #expect(ann.permission == .readWrite)
    ann.permission = .readOnly
    #expect(share.participants[1].permission == .readOnly)
    share.removeParticipant(participant("ann@x.y"))
    #expect(share.participants == [share.owner])
    CKShare(rootRecord: savedRecord()).addParticipant(ann)
  }

  @Test func copiesHaveTheirOwnParticipants() throws {
    let share = share(with: [participant("ann@x.y")])
    let copy = try #require(share.copy() as? CKShare)
    copy.participants[1].permission = .readWrite
    #expect(share.participants[1].permission == .readOnly)
    copy.removeParticipant(copy.participants[1])
    #expect(share.participants.count == 2)
    #expect(copy.participants.count == 1)
    #expect(copy.rootRecordID == share.rootRecordID)
  }

  @Test(arguments: [CKShare.ParticipantPermission.readOnly, .readWrite])
  func openingRemovesThePending(_ permission: CKShare.ParticipantPermission) {
    let share = share(with: [
      participant("accepted@x.y", status: .accepted), participant("pending@x.y", status: .pending),
      participant("new@x.y"),
    ])
    share.publicPermission = permission
    #expect(share.participants.map(\.acceptanceStatus) == [.accepted, .accepted])
    #expect(share.participants[1] == participant("accepted@x.y"))
    #expect(share.participants[1].permission == .readOnly)
  }

  @Test func changingThePublicPermission() {
    let share = share(
      with: [
        participant("public@x.y", role: .publicUser, status: .accepted),
        participant("private@x.y", status: .accepted), participant("pending@x.y", status: .pending),
      ], publicPermission: .readOnly)
    share.publicPermission = .readWrite
    #expect(share.participants.map(\.role) == [.owner, .publicUser, .privateUser])
    #expect(share.participants.map(\.permission) == [.readWrite, .readWrite, .readOnly])
  }

  @Test func closingRemovesEverybody() {
    let share = share(
      with: [
        participant("public@x.y", role: .publicUser, status: .accepted), participant("private@x.y", status: .accepted),
      ], publicPermission: .readWrite)
    share.publicPermission = .none
    #expect(share.participants == [share.owner])
    share.addParticipant(participant("later@x.y"))
    #expect(share.participants.count == 2)
  }

  @Test func adoptingTheServersAnswer() {
    let share = share(with: [participant("ann@x.y"), participant("bob@x.y")])
    let ann = share.participants[1]
    let sent = share.state
    var answer = share.state
    answer.changeTag = "2"
    answer.shareState?.url = URL(string: "https://www.icloud.com/share/x")
    answer.shareState?.participants.removeLast()
    answer.shareState?.participants[1] = participant("ann@x.y", status: .pending)
    answer.shareState?.participants.append(participant("joined@x.y", status: .accepted))
    ann.permission = .readWrite
    share.addParticipant(participant("late@x.y"))
    share.adoptServerState(answer, sent: sent)
    #expect(share.recordChangeTag == "2")
    #expect(share.url != nil)
    #expect(
      share.participants.map { $0.userIdentity.lookupInfo?.emailAddress }
        == [nil, "ann@x.y", "joined@x.y", "late@x.y"])
    #expect(share.participants[1] === ann)
    #expect(ann.acceptanceStatus == .pending)
    #expect(ann.permission == .readWrite)
  }

  @Test func rawValues() {
    #expect(CKShare.ParticipantRole.privateUser.rawValue == 3)
    #expect(CKShare.ParticipantRole.administrator.rawValue == 2)
    #expect(CKShare.ParticipantPermission.readWrite.rawValue == 3)
    #expect(CKShare.ParticipantAcceptanceStatus.removed.rawValue == 3)
    #expect(CKDatabaseScope.private.rawValue == 2)
    #expect(CKAccountStatus.noAccount.rawValue == 3)
  }

  @Test func lookupInfos() {
    #expect(CKUserIdentity.LookupInfo.lookupInfos(withEmails: ["a", "b"]).map(\.emailAddress) == ["a", "b"])
    #expect(CKUserIdentity.LookupInfo.lookupInfos(withPhoneNumbers: ["1"]).map(\.phoneNumber) == ["1"])
    let recordID = CKRecord.ID(recordName: "_u")
    #expect(CKUserIdentity.LookupInfo.lookupInfos(with: [recordID]).map(\.userRecordID) == [recordID])
    #expect(CKUserIdentity.LookupInfo(emailAddress: "a") != CKUserIdentity.LookupInfo(phoneNumber: "a"))
  }
}

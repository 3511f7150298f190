import CloudKit
import Foundation
import Testing

@Suite("Sharing rules, 6: looking people up") struct LookupRowsTests {
  let stage: SharingStage

  init() async throws { stage = try await SharingStage() }

  @Test("6 CKUserIdentity.LookupInfo: is created from an address, a number or a user record, for one or several")
  func lookupInfo() {
    let recordID = CKRecord.ID(recordName: "_u")
    #expect(CKUserIdentity.LookupInfo(emailAddress: "a@x.y").emailAddress == "a@x.y")
    #expect(CKUserIdentity.LookupInfo(phoneNumber: "555").phoneNumber == "555")
    #expect(CKUserIdentity.LookupInfo(userRecordID: recordID).userRecordID == recordID)
    #expect(CKUserIdentity.LookupInfo.lookupInfos(withEmails: ["a", "b"]).map(\.emailAddress) == ["a", "b"])
    #expect(CKUserIdentity.LookupInfo.lookupInfos(withPhoneNumbers: ["1", "2"]).map(\.phoneNumber) == ["1", "2"])
    #expect(CKUserIdentity.LookupInfo.lookupInfos(with: [recordID]).map(\.userRecordID) == [recordID])
  }

  @Test("6 CKFetchShareParticipantsOperation: has a result for each person, and succeeds as a whole ([account-find-4])")
  func ckFetchShareParticipantsOperationHasAResult() async throws {
    let infos = CKUserIdentity.LookupInfo.lookupInfos(withEmails: ["bob@example.com", "no address"])
    let operation = CKFetchShareParticipantsOperation(userIdentityLookupInfos: infos)
    let found = Collector<String>()
    operation.perShareParticipantResultBlock = { info, result in
      found.append("\(info.emailAddress ?? "") \(result.value?.userIdentity.nameComponents?.givenName ?? "nobody")")
    }
    let whole: Result<Void, any Error> = await withCheckedContinuation { continuation in
      operation.fetchShareParticipantsResultBlock = { continuation.resume(returning: $0) }
      stage.alice.add(operation)
    }
    #expect(whole.code == nil)
    #expect(found.values == ["bob@example.com Bob", "no address nobody"])
  }

  @available(*, deprecated)
  @Test("6 CKFetchShareParticipantsOperation: the deprecated completion block gets a partialFailure")
  func oldOperation() async throws {
    let infos = CKUserIdentity.LookupInfo.lookupInfos(withEmails: ["bob@example.com", "no address"])
    let operation = CKFetchShareParticipantsOperation(userIdentityLookupInfos: infos)
    let found = Collector<CKShare.Participant>()
    operation.shareParticipantFetchedBlock = { found.append($0) }
    let error: (any Error)? = await withCheckedContinuation { continuation in
      operation.fetchShareParticipantsCompletionBlock = { continuation.resume(returning: $0) }
      stage.alice.add(operation)
    }
    let whole = try #require(error as? CKError)
    #expect(whole.code == .partialFailure)
    #expect(whole.partialErrorsByItemID?.count == 1)
    #expect((whole.partialErrorsByItemID?[infos[1]] as? CKError)?.code == .invalidArguments)
    #expect(found.values.count == 1)
  }

  @Test("6 CKContainer: functions return one person, or a dictionary from input to result ([share-people-1])")
  func ckContainerFunctionsReturnOnePerson() async throws {
    let bobsID = try await stage.bob.userRecordID()
    let bob = try await stage.alice.shareParticipant(forEmailAddress: "bob@example.com")
    #expect(try await stage.alice.shareParticipant(forUserRecordID: bobsID) == bob)
    #expect(try await stage.alice.shareParticipant(forPhoneNumber: "+15550100").userIdentity.userRecordID == nil)
    let found = try await stage.alice.shareParticipants(forEmailAddresses: ["bob@example.com", "no address"])
    #expect(found["bob@example.com"]?.value == bob)
    #expect(found["no address"]?.code == .invalidArguments)
    let byHandler: CKShare.Participant? = await withCheckedContinuation { continuation in
      stage.alice.fetchShareParticipant(withUserRecordID: bobsID) { person, _ in continuation.resume(returning: person)
      }
    }
    #expect(byHandler == bob)
  }

  @Test("6 No lookup infos set: the operation finishes without results and without an error")
  func noLookupInfosSet() async throws {
    let operation = CKFetchShareParticipantsOperation()
    let found = Collector<CKUserIdentity.LookupInfo>()
    operation.perShareParticipantResultBlock = { info, _ in found.append(info) }
    let whole: Result<Void, any Error> = await withCheckedContinuation { continuation in
      operation.fetchShareParticipantsResultBlock = { continuation.resume(returning: $0) }
      stage.alice.add(operation)
    }
    #expect(whole.code == nil)
    #expect(found.values.isEmpty)
  }

  @Test("6 An unknown e-mail address or phone number gives a participant without account, no error ([share-people-1])")
  func unknownEMailAddressOrPhoneNumber() async throws {
    for participant in [
      try await stage.alice.shareParticipant(forEmailAddress: "later@example.com"),
      try await stage.alice.shareParticipant(forPhoneNumber: "+15550199"),
    ] {
      #expect(participant.userIdentity.hasiCloudAccount == false)
      #expect(participant.userIdentity.userRecordID == nil)
      #expect(participant.userIdentity.lookupInfo != nil)
    }
    let share = try await stage.share(with: ["later"])
    try stage.verify("later@example.com", of: "carol")
    try await stage.join(stage.carol, share)
    #expect(try await stage.current(share).participants[1].userIdentity.hasiCloudAccount)
  }
}

import CloudKit
import LocalCloud
import Testing

@Suite("the five account states, and their errors")
struct AccountStateTests {
  @Test(
    "each call has the table's result for each account state ([account-state-1], [account-state-2])",
    arguments: AccountStateTable.State.allCases)
  func eachCallHasTheTablesResult(_ state: AccountStateTable.State) async throws {
    let stage = try await AccountStateStage(state)
    for row in AccountStateTable.rows {
      let expected = try #require(row.answers[state])
      let answer = try await stage.answer(row)
      #expect(answer == expected, "\(row) while \(state)")
    }
    #expect(try stage.cloud.cloud.service.checks.check() == [])
  }

  // [account-state-3]
  @Test(
    "accountStatus returns the state, and its error is set only together with couldNotDetermine",
    arguments: AccountStateTable.State.allCases)
  func accountStatusReturnsTheStateAndItsError(_ state: AccountStateTable.State) async throws {
    let stage = try await AccountStateStage(state)
    let expected: CKAccountStatus? =
      switch state {
      case .unknown: .couldNotDetermine
      case .available: .available
      case .restricted: .restricted
      case .noAccount, .nobody: .noAccount
      case .notReady: .temporarilyUnavailable
      case .stranger: nil
      }
    try await stage.acting { container in
      let status = try? await container.accountStatus()
      #expect(status == expected)
      let (reported, failed) = await withCheckedContinuation { done in
        container.accountStatus { status, error in done.resume(returning: (status, error != nil)) }
      }
      #expect(reported == expected ?? .couldNotDetermine)
      #expect(failed == (expected == nil))
    }
  }

  // [account-state-4]
  @Test("without an account, records of the public database have their creators' real names")
  func withoutAnAccountRecordsOfThePublic() async throws {
    for state in AccountStateTable.State.allCases where state != .stranger {
      let stage = try await AccountStateStage(state)
      let real = try stage.cloud.cloud.service.accounts.account("alice").userRecordName
      let isSignedIn = state == .available || state == .notReady
      try await stage.acting { container in
        let record = try await container.publicCloudDatabase.record(for: CKRecord.ID(recordName: "n"))
        #expect(record.creatorUserRecordID?.recordName == (isSignedIn ? CKCurrentUserDefaultName : real), "\(state)")
        #expect(record.recordID.zoneID == .default)
      }
    }
  }
}

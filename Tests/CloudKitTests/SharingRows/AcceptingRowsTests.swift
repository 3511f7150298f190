import CloudKit
import Foundation
import Testing

@Suite("Sharing rules, 8.3: accepting") struct AcceptingRowsTests {
  let stage: SharingStage

  init() async throws { stage = try await SharingStage() }

  @Test("8.3 pending private user: accepts with the account's record ID, and the zone appears ([share-join-1])")
  func pendingPrivateUser() async throws {
    let share = try await stage.share(with: ["later"])
    try stage.verify("later@example.com", of: "bob")
    let joined = try await stage.join(stage.bob, share)
    #expect(joined.currentUserParticipant?.acceptanceStatus == .accepted)
    let entry = try await stage.current(share).participants[1]
    #expect(entry.acceptanceStatus == .accepted)
    #expect(entry.role == .privateUser)
    #expect(entry.userIdentity.userRecordID == (try await stage.bob.userRecordID()))
    #expect(try await stage.bob.sharedCloudDatabase.allRecordZones().map(\.zoneID) == [stage.theirs])
  }

  @Test(
    "8.3 public share, new person: becomes an accepted publicUser with the public permission ([share-join-2])",
    arguments: [CKShare.ParticipantPermission.readOnly, .readWrite])
  func publicShare(_ permission: CKShare.ParticipantPermission) async throws {
    let share = try await stage.share(open: permission)
    try await stage.join(stage.bob, share)
    let entry = try await stage.current(share).participants[1]
    #expect(entry.role == .publicUser)
    #expect(entry.acceptanceStatus == .accepted)
    #expect(entry.permission == permission)
  }

  @Test("8.3 owner accepts their own share: fails with the item, and the text names the owner ([share-join-4])")
  func owner() async throws {
    let share = try await stage.share()
    let metadata = try await stage.metadata(share, for: stage.alice)
    let results = try await stage.alice.accept([metadata])
    guard case .failure(let error)? = results[metadata] else {
      Issue.record("accepted")
      return
    }
    #expect(error.localizedDescription.contains("owner participant tried to accept"))
  }

  // [share-join-5]
  @available(*, deprecated)
  @Test("8.3 private share, person not on it: permissionFailure; the deprecated block gets a partialFailure by URL")
  func notOnIt() async throws {
    let share = try await stage.share(with: ["bob"])
    let metadata = try await stage.metadata(share, for: stage.bob)
    let results = try await stage.carol.accept([metadata])
    #expect(results[metadata]?.code == .permissionFailure)
    let operation = CKAcceptSharesOperation(shareMetadatas: [metadata])
    let error: (any Error)? = await withCheckedContinuation { continuation in
      operation.acceptSharesCompletionBlock = { continuation.resume(returning: $0) }
      stage.carol.add(operation)
    }
    let whole = try #require(error as? CKError)
    let url = try #require(share.url)
    #expect(whole.code == .partialFailure)
    #expect((whole.partialErrorsByItemID?[url] as? CKError)?.code == .permissionFailure)
    #expect(try await stage.current(share).statuses == [.accepted, .pending])
  }

  @Test("8.3 Nothing of the share shows up in a participant's feeds before the acceptance ([change-shared-1])")
  func nothingBefore() async throws {
    try await stage.share(with: ["bob"])
    let changes = try await stage.bob.sharedCloudDatabase.databaseChanges(since: nil)
    #expect(changes.modifications.isEmpty)
    #expect(changes.deletions.isEmpty)
    #expect(await code { _ = try await stage.changes(for: stage.bob) } == .zoneNotFound)
  }
}

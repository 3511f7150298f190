import CloudKit
import Foundation
import LocalCloud
import Testing

@Suite("Sharing rules, 8.1 to 8.3: invitation and acceptance") struct LinkRowsTests {
  let stage: SharingStage

  init() async throws { stage = try await SharingStage() }

  private func metadata(
    _ share: CKShare, for person: CKContainer, keys: [CKRecord.FieldKey]? = nil
  ) async throws -> CKShare.Metadata {
    let operation = CKFetchShareMetadataOperation(shareURLs: [try #require(share.url)])
    operation.shouldFetchRootRecord = true
    operation.rootRecordDesiredKeys = keys
    return try await withCheckedThrowingContinuation { continuation in
      operation.perShareMetadataResultBlock = { continuation.resume(with: $1) }
      person.add(operation)
    }
  }

  // MARK: Contents of metadata

  @Test("8.1 containerIdentifier, share, ownerIdentity: are always set ([share-link-2])")
  func containerIdentifierShareOwnerIdentity() async throws {
    let share = try await stage.share(with: ["bob"])
    let elsewhere = try LocalCloud.acting(as: "bob", root: stage.cloud.cloud.path) {
      stage.cloud.container("iCloud.else")
    }
    for container in [stage.bob, elsewhere] {
      let metadata = try await stage.metadata(share, for: container)
      #expect(metadata.containerIdentifier == "iCloud.test")
      #expect(metadata.share.recordID == stage.there(share.recordID.recordName))
      #expect(metadata.share.url == share.url)
      #expect(metadata.ownerIdentity.nameComponents?.givenName == "Alice")
    }
  }

  @available(*, deprecated)
  @Test("8.1 hierarchicalRootRecordID: is the root's ID, or nil for a zone-wide share")
  func rootRecordID() async throws {
    let share = try await stage.share("item", with: ["bob"])
    let metadata = try await stage.metadata(share, for: stage.bob)
    #expect(metadata.hierarchicalRootRecordID == stage.there("item"))
    #expect(metadata.rootRecordID == metadata.hierarchicalRootRecordID)
    try await stage.mine.deleteRecord(withID: share.recordID)
    let zoneWide = try await stage.shareZone(open: .readOnly)
    #expect(try await stage.metadata(zoneWide, for: stage.bob).hierarchicalRootRecordID == nil)
  }

  // [share-link-3]
  @Test("8.1 rootRecord: is set on request for hierarchical shares, with the desired keys, before accepting")
  func rootRecord() async throws {
    try await stage.mine.save(stage.child("more", "Bread", of: "list"))
    let root = try await stage.record("list")
    root["count"] = 2
    try await stage.mine.save(root)
    let share = try await stage.share(with: ["bob"])
    #expect(try await stage.metadata(share, for: stage.bob).rootRecord == nil)
    let all = try await metadata(share, for: stage.bob).rootRecord
    #expect(all?["title"] as? String == "Groceries")
    #expect(all?["count"] as? Int == 2)
    #expect(try await metadata(share, for: stage.bob, keys: ["count"]).rootRecord?.allKeys() == ["count"])
    #expect(await code { _ = try await stage.record("list", seenBy: stage.bob) } == .zoneNotFound)
    try await stage.mine.deleteRecord(withID: share.recordID)
    let zoneWide = try await stage.shareZone(open: .readOnly)
    #expect(try await metadata(zoneWide, for: stage.bob).rootRecord == nil)
  }

  @available(*, deprecated)
  @Test("8.1 participantStatus, participantPermission, participantRole: are those of the caller ([share-link-2])")
  func participantStatusParticipantPermission() async throws {
    let share = try await stage.share(with: ["bob"], .readOnly)
    let metadata = try await stage.metadata(share, for: stage.bob)
    #expect(metadata.participantStatus == .pending)
    #expect(metadata.participantPermission == .readOnly)
    #expect(metadata.participantRole == .privateUser)
    #expect(metadata.participantType == .privateUser)
  }

  // MARK: Callers

  @Test("8.1 owner: gets metadata as owner, accepted, with readWrite")
  func ownerGetsMetadataAsOwnerAccepted() async throws {
    let metadata = try await stage.metadata(stage.share(), for: stage.alice)
    #expect(metadata.participantRole == .owner)
    #expect(metadata.participantStatus == .accepted)
    #expect(metadata.participantPermission == .readWrite)
  }

  @Test("8.1 invited, not yet accepted: gets metadata as pending privateUser with their own permission")
  func invitedNotYetAccepted() async throws {
    let metadata = try await stage.metadata(stage.share(with: ["bob"], .readOnly), for: stage.bob)
    #expect(metadata.participantRole == .privateUser)
    #expect(metadata.participantStatus == .pending)
    #expect(metadata.participantPermission == .readOnly)
  }

  @Test("8.1 accepted before: gets metadata with the status accepted")
  func acceptedBefore() async throws {
    let share = try await stage.share(with: ["bob"])
    try await stage.join(stage.bob, share)
    #expect(try await stage.metadata(share, for: stage.bob).participantStatus == .accepted)
  }

  @Test("8.1 anyone, public share: gets metadata with the public permission")
  func anyonePublicShare() async throws {
    let metadata = try await stage.metadata(stage.share(open: .readWrite), for: stage.carol)
    #expect(metadata.participantRole == .publicUser)
    #expect(metadata.participantPermission == .readWrite)
  }

  @Test("8.1 not invited, private share, some pending entry unmatched: participantMayNeedVerification ([share-link-5])")
  func mayNeedVerification() async throws {
    let share = try await stage.share(with: ["later"])
    #expect(await code { _ = try await stage.metadata(share, for: stage.bob) } == .participantMayNeedVerification)
  }

  @Test("8.1 not signed in: fails with notAuthenticated")
  func notSignedIn() async throws {
    let share = try await stage.share(open: .readOnly)
    let nobody = try stage.cloud.container(of: nil)
    #expect(await code { _ = try await stage.metadata(share, for: nobody) } == .notAuthenticated)
  }

  @Test("8.2 Verification: after the account has the address, metadata shows the invitation ([share-link-6])")
  func verificationAfterTheAccountHasTheAddress() async throws {
    let share = try await stage.share(with: ["later"], .readOnly)
    try stage.verify("later@example.com", of: "bob")
    let metadata = try await stage.metadata(share, for: stage.bob)
    #expect(metadata.participantStatus == .pending)
    #expect(metadata.participantPermission == .readOnly)
    #expect(await code { _ = try await stage.metadata(share, for: stage.carol) } != nil)
  }
}

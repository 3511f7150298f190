import CloudKit
import Foundation
import LocalCloud
import LocalCloudStorage
import Testing

/// Sharing with completion handlers and operations, as samples do it.
@Suite(.timeLimit(.minutes(30))) struct AppSharingTests {
  /// Waits for a function with a completion handler.
  private func awaiting<Value: Sendable>(
    _ start: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Void
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      start { value, error in
        if let value {
          continuation.resume(returning: value)
        } else {
          continuation.resume(throwing: error ?? CocoaError(.featureUnsupported))
        }
      }
    }
  }

  @Test func preparationHandlerAndAcceptance() async throws {
    let cloud = try TestCloud()
    let alice = try cloud.container(of: "alice")
    let bob = try cloud.container(of: "bob")
    let mine = alice.privateCloudDatabase
    let _: CKRecordZone = try await awaiting { mine.save(CKRecordZone(zoneID: testZoneID), completionHandler: $0) }
    let root: CKRecord = try await awaiting { mine.save(note("root", "Root"), completionHandler: $0) }
    let child = note("child", "Child")
    child.setParent(root)
    let _: CKRecord = try await awaiting { mine.save(child, completionHandler: $0) }

    // The child's save changed the parent's tag, so samples fetch the root again before they share it.
    let fresh: CKRecord = try await awaiting { mine.fetch(withRecordID: root.recordID, completionHandler: $0) }
    let share = CKShare(rootRecord: fresh)
    share[CKShare.SystemFieldKey.title] = "Title" as CKRecordValue
    share[CKShare.SystemFieldKey.shareType] = "com.example.note" as CKRecordValue
    share.publicPermission = .none
    #expect(share.url == nil)
    #expect(fresh.share?.recordID == share.recordID)
    #expect(share.owner.role == .owner)
    #expect(share.currentUserParticipant == share.owner)

    let person: CKShare.Participant = try await awaiting {
      alice.fetchShareParticipant(
        withEmailAddress: "bob@example.com", completionHandler: $0)
    }
    #expect(person.userIdentity.hasiCloudAccount)
    #expect(person.permission == .readOnly)
    #expect(person.role == .privateUser)
    person.permission = .readWrite
    share.addParticipant(person)

    let operation = CKModifyRecordsOperation(recordsToSave: [share, fresh], recordIDsToDelete: nil)
    operation.savePolicy = .ifServerRecordUnchanged
    let outcome: Result<Void, any Error> = await withCheckedContinuation { continuation in
      operation.modifyRecordsResultBlock = { continuation.resume(returning: $0) }
      mine.add(operation)
    }
    _ = try outcome.get()
    // The sample's controller continues with the share instance that it passed.
    let url = try #require(share.url)
    #expect(share.recordChangeTag != nil)
    #expect(share.participants.count == 2)
    #expect(share.participants.last?.acceptanceStatus == .pending)

    let metadata: CKShare.Metadata = try await awaiting { bob.fetchShareMetadata(with: url, completionHandler: $0) }
    #expect(metadata.participantStatus == .pending)
    #expect(metadata.participantPermission == .readWrite)
    #expect(metadata.hierarchicalRootRecordID?.recordName == "root")
    #expect(metadata.containerIdentifier == "iCloud.test")
    let accept = CKAcceptSharesOperation(shareMetadatas: [metadata])
    accept.qualityOfService = .userInteractive
    let accepted = Collector<String>()
    await withCheckedContinuation { continuation in
      accept.perShareResultBlock = { metadata, result in
        accepted.append("\(metadata.share.recordID.recordName == share.recordID.recordName) \(result.code == nil)")
      }
      accept.acceptSharesResultBlock = { _ in continuation.resume() }
      bob.add(accept)
    }
    #expect(accepted.values == ["true true"])

    let zones: [CKRecordZone] = try await awaiting {
      bob.sharedCloudDatabase.fetchAllRecordZones(completionHandler: $0)
    }
    let zoneID = try #require(zones.first?.zoneID)
    #expect(zoneID.zoneName == "Home")
    #expect(zoneID.ownerName.hasPrefix("_"))
    #expect(zoneID.ownerName.count == 33)
    let theirs: CKRecord = try await awaiting {
      bob.sharedCloudDatabase.fetch(
        withRecordID: CKRecord.ID(recordName: "child", zoneID: zoneID), completionHandler: $0)
    }
    theirs["title"] = "By Bob"
    let _: CKRecord = try await awaiting { bob.sharedCloudDatabase.save(theirs, completionHandler: $0) }

    // The owner's cached share is outdated, because Bob has joined since then.
    share[CKShare.SystemFieldKey.title] = "New"
    #expect(await code { try await mine.save(share) } == .serverRecordChanged)
    let current = try #require(try await mine.record(for: share.recordID) as? CKShare)
    #expect(current.participants.count == 2)
    #expect(current.participants.last?.acceptanceStatus == .accepted)
    current[CKShare.SystemFieldKey.title] = "New"
    try await mine.save(current)

    // The owner ends the share.
    let _: CKRecord.ID = try await awaiting { mine.delete(withRecordID: share.recordID, completionHandler: $0) }
    #expect(try await bob.sharedCloudDatabase.allRecordZones().isEmpty)
    let after = try await mine.record(for: root.recordID)
    #expect(after.share == nil)
  }

  @Test func mistakesWithShares() async throws {
    let cloud = try TestCloud()
    let alice = try cloud.container(of: "alice")
    let mine = alice.privateCloudDatabase
    try await mine.save(CKRecordZone(zoneID: testZoneID))
    let root = try await mine.save(note("root"))
    #expect(await code { try await mine.save(CKShare(rootRecord: root)) } == .invalidArguments)
    let fresh = try await mine.record(for: root.recordID)
    let share = CKShare(rootRecord: fresh)
    #expect(
      await code { _ = try await mine.modifyRecords(saving: [share, fresh], atomically: false) } == .invalidArguments)
    let results = try await mine.modifyRecords(saving: [share, fresh])
    #expect(results.saveResults[share.recordID]?.value is CKShare)
    let second = try await mine.record(for: root.recordID)
    let other = CKShare(rootRecord: second)
    let again = try await mine.modifyRecords(saving: [other, second])
    let codes = Set(again.saveResults.values.map(\.code))
    #expect(codes.contains(.alreadyShared))
    let inDefault = CKRecord(recordType: "Note")
    let refused = try? await mine.modifyRecords(saving: [CKShare(rootRecord: inDefault), inDefault])
    #expect(refused?.saveResults.values.contains { $0.value is CKShare } != true)
    let alone = try? await mine.record(for: inDefault.recordID)
    #expect(alone?.share == nil)
    #expect(inDefault.share == nil || inDefault.recordChangeTag == nil)
    let inPublic = CKRecord(recordType: "Note")
    #expect(
      await code {
        let results = try await alice.publicCloudDatabase.modifyRecords(
          saving: [CKShare(rootRecord: inPublic), inPublic])
        for result in results.saveResults.values { _ = try result.get() }
      } == .badDatabase)
    #expect(
      await code { _ = try await alice.shareMetadata(for: URL(string: "https://example.com/none")!) } == .unknownItem)
    #expect(await code { _ = try await alice.shareParticipant(forEmailAddress: "no address") } == .invalidArguments)
    #expect(
      await code { _ = try await alice.shareParticipant(forUserRecordID: CKRecord.ID(recordName: "_nobody")) }
        == .unknownItem)
  }
}

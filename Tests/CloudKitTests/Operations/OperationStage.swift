import CloudKit
import Foundation

/// Objects for each class of operations: Alice's zone with three notes, a spare zone, an open share that accepts access
/// requests, and an ended share.
struct OperationStage {
  let cloud: TestCloud
  let alice: CKContainer
  let bob: CKContainer
  let nobody: CKContainer
  let url: URL
  let spare = CKRecordZone.ID(zoneName: "Spare")
  /// The link of an ended share.
  let endedURL: URL
  /// The link of a share with an invitation for Bob.
  let invitedURL: URL
  let metadata: CKShare.Metadata
  let endedMetadata: CKShare.Metadata

  init() async throws {
    cloud = try TestCloud()
    alice = try cloud.container(of: "alice")
    bob = try cloud.container(of: "bob")
    nobody = try cloud.container(of: nil)
    let database = alice.privateCloudDatabase
    _ = try await database.modifyRecordZones(saving: [CKRecordZone(zoneID: testZoneID), CKRecordZone(zoneID: spare)])
    _ = try await database.modifyRecords(saving: (1...3).map { note("n\($0)", "\($0)") })
    var shares: [CKShare] = []
    for name in ["open", "ended", "invited"] {
      let root = CKRecord(recordType: "List", recordID: CKRecord.ID(recordName: name, zoneID: spare))
      let share = CKShare(rootRecord: root)
      if name == "invited" {
        share.addParticipant(try await alice.shareParticipant(forEmailAddress: "bob@example.com"))
      } else {
        share.publicPermission = .readWrite
      }
      share.allowsAccessRequests = true
      _ = try await database.modifyRecords(saving: [root, share]).saveResults[share.recordID]?.get()
      shares.append(share)
    }
    url = try Self.url(of: shares[0])
    endedURL = try Self.url(of: shares[1])
    invitedURL = try Self.url(of: shares[2])
    metadata = try await bob.shareMetadata(for: url)
    endedMetadata = try await bob.shareMetadata(for: endedURL)
    try await database.deleteRecord(withID: shares[1].recordID)
  }

  private struct NoURL: Error {}

  private static func url(of share: CKShare) throws -> URL {
    guard let url = share.url else { throw NoURL() }
    return url
  }

  /// One name more than a request may have.
  static let tooMany = (0...400).map { "x\($0)" }
}

/// The course of an operation.
enum OperationCourse: CaseIterable, Sendable {
  /// All items are valid.
  case good
  /// One of the items is invalid.
  case oneBad
  /// No account is signed in, so the whole operation fails.
  case whole
  /// There are no items.
  case empty
  /// There are more items than a request may have.
  case tooMany
}

/// The kinds of blocks that are set.
enum OperationBlocks: CaseIterable, Sendable {
  case current, deprecated, both

  var hasCurrent: Bool { self != .deprecated }
  var hasDeprecated: Bool { self != .current }
}

extension CKOperation {
  /// Starts the operation as a long-lived one, and calls `body` before the completion block returns.
  func whilePending<Value>(_ start: () -> Void, _ body: () async throws -> Value) async throws -> Value {
    let over = DispatchSemaphore(value: 0)
    configuration.isLongLived = true
    await withCheckedContinuation { (reached: CheckedContinuation<Void, Never>) in
      completionBlock = {
        reached.resume()
        over.wait()
      }
      start()
    }
    defer { over.signal() }
    return try await body()
  }
}

import CloudKit
import LocalCloud
import TestSupport
import Testing

// Common forms of CloudKit code, compiled in both language modes.

@MainActor
final class NotesModel {
  let container: CKContainer
  var title: String?
  var failure: (any Error)?

  init(container: CKContainer) {
    self.container = container
  }

  var database: CKDatabase { container.privateCloudDatabase }

  func load(_ recordID: CKRecord.ID) {
    database.fetch(withRecordID: recordID) { [weak self] record, error in
      let title = record?["title"] as? String
      DispatchQueue.main.async {
        self?.title = title
        self?.failure = error
      }
    }
  }

  func save(_ record: CKRecord) async throws {
    do {
      try await database.save(record)
    } catch let error as CKError where error.code == .serverRecordChanged {
      guard let server = error.serverRecord else { throw error }
      server["title"] = record["title"] as? String
      try await database.save(server)
    } catch CKError.zoneNotFound {
      _ = try await database.modifyRecordZones(saving: [CKRecordZone(zoneID: record.recordID.zoneID)], deleting: [])
      _ = try await database.save(record)
    }
  }

  func all(in zoneID: CKRecordZone.ID) async throws -> [CKRecord] {
    let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
    let (matchResults, _) = try await database.records(matching: query, inZoneWith: zoneID)
    let page = try await database.records(matching: query, inZoneWith: zoneID)
    precondition(page.matchResults.count == matchResults.count)
    return try matchResults.map { _, result in try result.get() }
  }

  func status() async -> String {
    do {
      switch try await container.accountStatus() {
      case .available: return "available"
      case .noAccount: return "none"
      case .restricted, .couldNotDetermine, .temporarilyUnavailable: return "other"
      @unknown default: return "unknown"
      }
    } catch {
      return error.localizedDescription
    }
  }

  func configured(_ recordID: CKRecord.ID) async throws -> CKRecord {
    let configuration = CKOperation.Configuration()
    configuration.timeoutIntervalForRequest = 5
    let scope = await database.configuredWith(configuration: configuration) { $0.databaseScope }
    precondition(scope == .private)
    return try await database.configuredWith(configuration: configuration, group: CKOperationGroup()) { database in
      try await database.record(for: recordID)
    }
  }
}

/// Follows a zone with an operation, as apps did before the async functions.
final class Follower: @unchecked Sendable {
  // Sendable: the operation's blocks run one at a time, and the test reads after the last one.
  var token: CKServerChangeToken?
  var records: [CKRecord.ID: CKRecord] = [:]

  func operation(for zoneID: CKRecordZone.ID) -> CKFetchRecordZoneChangesOperation {
    let configuration = CKFetchRecordZoneChangesOperation.ZoneConfiguration()
    configuration.previousServerChangeToken = token
    let operation = CKFetchRecordZoneChangesOperation(
      recordZoneIDs: [zoneID], configurationsByRecordZoneID: [zoneID: configuration])
    operation.recordWasChangedBlock = { recordID, result in
      switch result {
      case .success(let record): self.records[recordID] = record
      case .failure(let error): print(error)
      }
    }
    operation.recordWithIDWasDeletedBlock = { recordID, recordType in self.records[recordID] = nil }
    operation.recordZoneChangeTokensUpdatedBlock = { _, token, _ in self.token = token }
    operation.recordZoneFetchResultBlock = { zoneID, result in
      if case .success(let (token, _, moreComing)) = result {
        precondition(!moreComing)
        self.token = token
      }
    }
    operation.qualityOfService = .userInitiated
    return operation
  }
}

@Suite("Common forms of CloudKit code")
struct Idioms {
  @Test @MainActor func model() async throws {
    let cloud = try TemporaryCloud()
    let container = try LocalCloud.acting(as: "alice", root: cloud.path) { CKContainer(identifier: "iCloud.test") }
    let model = NotesModel(container: container)
    let zoneID = CKRecordZone.ID(zoneName: "Notes", ownerName: CKCurrentUserDefaultName)
    let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "n", zoneID: zoneID))
    record["title"] = "a" as CKRecordValue
    try await model.save(record)
    let second = CKRecord(recordType: "Note", recordID: record.recordID)
    second["title"] = "b"
    try await model.save(second)
    model.load(record.recordID)
    while model.title == nil && model.failure == nil { try await Task.sleep(for: .milliseconds(2)) }
    #expect(model.title == "b")
    #expect(try await model.all(in: zoneID).count == 1)
    #expect(await model.status() == "available")
    #expect(try await model.configured(record.recordID).recordID == record.recordID)
  }

  @Test func followingAZone() async throws {
    let cloud = try TemporaryCloud()
    let container = try LocalCloud.acting(as: "alice", root: cloud.path) { CKContainer(identifier: "iCloud.test") }
    let zone = CKRecordZone(zoneName: "Notes")
    try await container.privateCloudDatabase.save(zone)
    try await container.privateCloudDatabase.save(
      CKRecord(recordType: "Note", recordID: CKRecord.ID(zoneID: zone.zoneID)))
    let follower = Follower()
    let operation = follower.operation(for: zone.zoneID)
    await withCheckedContinuation { done in
      operation.completionBlock = { done.resume() }
      container.privateCloudDatabase.add(operation)
    }
    #expect(follower.records.count == 1)
    #expect(follower.token != nil)
  }
}

import CloudKit

/// Requests by operations with one deprecated completion block. Errors of items are parts of a partial failure.
@available(*, deprecated)
struct CompletionBlockRequests: PermissionRequests {
  let database: CKDatabase

  init(_ database: CKDatabase) { self.database = database }

  func record(_ recordID: CKRecord.ID) async throws -> CKRecord {
    let operation = CKFetchRecordsOperation(recordIDs: [recordID])
    let records = try await items(of: operation, failing: recordID) { done in
      operation.fetchRecordsCompletionBlock = { done($0.map { Array($0.values) }, $1) }
    }
    return try only(records)
  }

  func zone(_ zoneID: CKRecordZone.ID) async throws -> CKRecordZone {
    let operation = CKFetchRecordZonesOperation(recordZoneIDs: [zoneID])
    let zones = try await items(of: operation, failing: zoneID) { done in
      operation.fetchRecordZonesCompletionBlock = { done($0.map { Array($0.values) }, $1) }
    }
    return try only(zones)
  }

  func notes(_ zoneID: CKRecordZone.ID, _ query: CKQuery) async throws -> [CKRecord] {
    let operation = CKQueryOperation(query: query)
    operation.zoneID = zoneID
    let found = Collector<CKRecord>()
    operation.recordFetchedBlock = { found.append($0) }
    return try await items(of: operation, failing: nil as CKRecordZone.ID?) { done in
      operation.queryCompletionBlock = { done(found.values, $1) }
    }
  }

  func changes(_ zoneID: CKRecordZone.ID) async throws -> [CKRecord] {
    let operation = CKFetchRecordZoneChangesOperation(
      recordZoneIDs: [zoneID], configurationsByRecordZoneID: [zoneID: .init()])
    let found = Collector<CKRecord>()
    operation.recordChangedBlock = { found.append($0) }
    return try await items(of: operation, failing: zoneID) { done in
      operation.fetchRecordZoneChangesCompletionBlock = { done(found.values, $0) }
    }
  }

  func save(_ records: [CKRecord]) async throws {
    let operation = CKModifyRecordsOperation(recordsToSave: records)
    _ = try await items(of: operation, failing: records[0].recordID) { done in
      operation.modifyRecordsCompletionBlock = { saved, _, error in done(saved, error) }
    }
  }

  func delete(_ recordID: CKRecord.ID) async throws {
    let operation = CKModifyRecordsOperation(recordIDsToDelete: [recordID])
    let deleted = try await items(of: operation, failing: recordID) { done in
      operation.modifyRecordsCompletionBlock = { _, deleted, error in done(deleted, error) }
    }
    _ = try only(deleted)
  }

  func save(_ zone: CKRecordZone) async throws {
    let operation = CKModifyRecordZonesOperation(recordZonesToSave: [zone])
    let saved = try await items(of: operation, failing: zone.zoneID) { done in
      operation.modifyRecordZonesCompletionBlock = { saved, _, error in done(saved, error) }
    }
    _ = try only(saved)
  }

  func delete(_ zoneID: CKRecordZone.ID) async throws {
    let operation = CKModifyRecordZonesOperation(recordZoneIDsToDelete: [zoneID])
    let deleted = try await items(of: operation, failing: zoneID) { done in
      operation.modifyRecordZonesCompletionBlock = { _, deleted, error in done(deleted, error) }
    }
    _ = try only(deleted)
  }

  // MARK: The block

  /// The items of the block. If `id` is nil, the operation has no items, and its error concerns the whole operation.
  private func items<Item: Sendable>(
    of operation: CKDatabaseOperation, failing id: (some Hashable & Sendable)?,
    _ setBlock: (@escaping @Sendable ([Item]?, (any Error)?) -> Void) -> Void
  ) async throws -> [Item] {
    let (items, error) = await withCheckedContinuation { continuation in
      setBlock { continuation.resume(returning: ($0, $1)) }
      database.add(operation)
    }
    guard let error else { return items ?? [] }
    guard let id, (error as? CKError)?.code != .notAuthenticated else { throw error }
    guard let part = (error as? CKError)?.partialErrorsByItemID?[id] as? CKError, part.code != .notAuthenticated else {
      throw MisplacedError("no part of a partial failure: \(error)")
    }
    throw part
  }

  private func only<Item>(_ items: [Item]) throws -> Item {
    guard items.count == 1 else { throw MisplacedError("\(items.count) items without an error") }
    return items[0]
  }
}

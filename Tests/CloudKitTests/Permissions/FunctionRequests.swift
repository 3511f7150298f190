import CloudKit

/// Requests by functions that throw.
struct FunctionRequests: PermissionRequests {
  let database: CKDatabase

  init(_ database: CKDatabase) { self.database = database }

  func record(_ recordID: CKRecord.ID) async throws -> CKRecord { try await database.record(for: recordID) }

  func zone(_ zoneID: CKRecordZone.ID) async throws -> CKRecordZone { try await database.recordZone(for: zoneID) }

  func notes(_ zoneID: CKRecordZone.ID, _ query: CKQuery) async throws -> [CKRecord] {
    try await database.records(matching: query, inZoneWith: zoneID).matchResults.map { try $0.1.get() }
  }

  func changes(_ zoneID: CKRecordZone.ID) async throws -> [CKRecord] {
    try await database.recordZoneChanges(inZoneWith: zoneID, since: nil).modificationResultsByID.values.map {
      try $0.get().record
    }
  }

  func save(_ records: [CKRecord]) async throws {
    if records.count == 1 {
      try await database.save(records[0])
    } else {
      _ = try await database.modifyRecords(saving: records).saveResults[records[0].recordID]?.get()
    }
  }

  func delete(_ recordID: CKRecord.ID) async throws { try await database.deleteRecord(withID: recordID) }

  func save(_ zone: CKRecordZone) async throws { try await database.save(zone) }

  func delete(_ zoneID: CKRecordZone.ID) async throws { try await database.deleteRecordZone(withID: zoneID) }
}

import CloudKit

/// Requests by operations with a result for each item and one for the whole operation.
struct OperationRequests: PermissionRequests {
  let database: CKDatabase

  init(_ database: CKDatabase) { self.database = database }

  func record(_ recordID: CKRecord.ID) async throws -> CKRecord {
    let operation = CKFetchRecordsOperation(recordIDs: [recordID])
    let reported = ReportedResults<CKRecord.ID, CKRecord>()
    operation.perRecordResultBlock = reported.item
    operation.fetchRecordsResultBlock = reported.end
    return try await reported.result(of: recordID, operation, database)
  }

  func zone(_ zoneID: CKRecordZone.ID) async throws -> CKRecordZone {
    let operation = CKFetchRecordZonesOperation(recordZoneIDs: [zoneID])
    let reported = ReportedResults<CKRecordZone.ID, CKRecordZone>()
    operation.perRecordZoneResultBlock = reported.item
    operation.fetchRecordZonesResultBlock = reported.end
    return try await reported.result(of: zoneID, operation, database)
  }

  /// A query has no result for its zone, so the error is that of the whole operation.
  func notes(_ zoneID: CKRecordZone.ID, _ query: CKQuery) async throws -> [CKRecord] {
    let operation = CKQueryOperation(query: query)
    operation.zoneID = zoneID
    let reported = ReportedResults<CKRecord.ID, CKRecord>()
    operation.recordMatchedBlock = reported.item
    operation.queryResultBlock = { reported.end($0.map { _ in }) }
    await reported.run(operation, database)
    try reported.whole?.get()
    return try reported.items.values.map { try $0.get() }
  }

  func changes(_ zoneID: CKRecordZone.ID) async throws -> [CKRecord] {
    let operation = CKFetchRecordZoneChangesOperation(
      recordZoneIDs: [zoneID], configurationsByRecordZoneID: [zoneID: .init()])
    let records = ReportedResults<CKRecord.ID, CKRecord>()
    let zones = ReportedResults<CKRecordZone.ID, Void>()
    operation.recordWasChangedBlock = records.item
    operation.recordZoneFetchResultBlock = { zones.item($0, $1.map { _ in }) }
    operation.fetchRecordZoneChangesResultBlock = zones.end
    try await zones.result(of: zoneID, operation, database)
    return try records.items.values.map { try $0.get() }
  }

  func save(_ records: [CKRecord]) async throws {
    let operation = CKModifyRecordsOperation(recordsToSave: records)
    let reported = ReportedResults<CKRecord.ID, CKRecord>()
    operation.perRecordSaveBlock = reported.item
    operation.modifyRecordsResultBlock = reported.end
    _ = try await reported.result(of: records[0].recordID, operation, database)
  }

  func delete(_ recordID: CKRecord.ID) async throws {
    let operation = CKModifyRecordsOperation(recordIDsToDelete: [recordID])
    let reported = ReportedResults<CKRecord.ID, Void>()
    operation.perRecordDeleteBlock = reported.item
    operation.modifyRecordsResultBlock = reported.end
    try await reported.result(of: recordID, operation, database)
  }

  func save(_ zone: CKRecordZone) async throws {
    let operation = CKModifyRecordZonesOperation(recordZonesToSave: [zone])
    let reported = ReportedResults<CKRecordZone.ID, CKRecordZone>()
    operation.perRecordZoneSaveBlock = reported.item
    operation.modifyRecordZonesResultBlock = reported.end
    _ = try await reported.result(of: zone.zoneID, operation, database)
  }

  func delete(_ zoneID: CKRecordZone.ID) async throws {
    let operation = CKModifyRecordZonesOperation(recordZoneIDsToDelete: [zoneID])
    let reported = ReportedResults<CKRecordZone.ID, Void>()
    operation.perRecordZoneDeleteBlock = reported.item
    operation.modifyRecordZonesResultBlock = reported.end
    try await reported.result(of: zoneID, operation, database)
  }
}

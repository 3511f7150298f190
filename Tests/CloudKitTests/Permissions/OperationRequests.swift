import CloudKit

/// Requests by operations with a result for each item and one for the whole operation.
struct OperationRequests: PermissionRequests {
  let database: CKDatabase

  init(_ database: CKDatabase) { self.database = database }

  func record(_ recordID: CKRecord.ID) async throws -> CKRecord {
    let operation = CKFetchRecordsOperation(recordIDs: [recordID])
    let told = Told<CKRecord.ID, CKRecord>()
    operation.perRecordResultBlock = told.item
    operation.fetchRecordsResultBlock = told.end
    return try await told.result(of: recordID, operation, database)
  }

  func zone(_ zoneID: CKRecordZone.ID) async throws -> CKRecordZone {
    let operation = CKFetchRecordZonesOperation(recordZoneIDs: [zoneID])
    let told = Told<CKRecordZone.ID, CKRecordZone>()
    operation.perRecordZoneResultBlock = told.item
    operation.fetchRecordZonesResultBlock = told.end
    return try await told.result(of: zoneID, operation, database)
  }

  /// A query has no result for its zone, so the error is that of the whole operation.
  func notes(_ zoneID: CKRecordZone.ID, _ query: CKQuery) async throws -> [CKRecord] {
    let operation = CKQueryOperation(query: query)
    operation.zoneID = zoneID
    let told = Told<CKRecord.ID, CKRecord>()
    operation.recordMatchedBlock = told.item
    operation.queryResultBlock = { told.end($0.map { _ in }) }
    await told.run(operation, database)
    try told.whole?.get()
    return try told.items.values.map { try $0.get() }
  }

  func changes(_ zoneID: CKRecordZone.ID) async throws -> [CKRecord] {
    let operation = CKFetchRecordZoneChangesOperation(
      recordZoneIDs: [zoneID], configurationsByRecordZoneID: [zoneID: .init()])
    let records = Told<CKRecord.ID, CKRecord>()
    let zones = Told<CKRecordZone.ID, Void>()
    operation.recordWasChangedBlock = records.item
    operation.recordZoneFetchResultBlock = { zones.item($0, $1.map { _ in }) }
    operation.fetchRecordZoneChangesResultBlock = zones.end
    try await zones.result(of: zoneID, operation, database)
    return try records.items.values.map { try $0.get() }
  }

  func save(_ records: [CKRecord]) async throws {
    let operation = CKModifyRecordsOperation(recordsToSave: records)
    let told = Told<CKRecord.ID, CKRecord>()
    operation.perRecordSaveBlock = told.item
    operation.modifyRecordsResultBlock = told.end
    _ = try await told.result(of: records[0].recordID, operation, database)
  }

  func delete(_ recordID: CKRecord.ID) async throws {
    let operation = CKModifyRecordsOperation(recordIDsToDelete: [recordID])
    let told = Told<CKRecord.ID, Void>()
    operation.perRecordDeleteBlock = told.item
    operation.modifyRecordsResultBlock = told.end
    try await told.result(of: recordID, operation, database)
  }

  func save(_ zone: CKRecordZone) async throws {
    let operation = CKModifyRecordZonesOperation(recordZonesToSave: [zone])
    let told = Told<CKRecordZone.ID, CKRecordZone>()
    operation.perRecordZoneSaveBlock = told.item
    operation.modifyRecordZonesResultBlock = told.end
    _ = try await told.result(of: zone.zoneID, operation, database)
  }

  func delete(_ zoneID: CKRecordZone.ID) async throws {
    let operation = CKModifyRecordZonesOperation(recordZoneIDsToDelete: [zoneID])
    let told = Told<CKRecordZone.ID, Void>()
    operation.perRecordZoneDeleteBlock = told.item
    operation.modifyRecordZonesResultBlock = told.end
    try await told.result(of: zoneID, operation, database)
  }
}

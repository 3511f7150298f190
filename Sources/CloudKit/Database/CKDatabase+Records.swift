import Foundation

extension CKDatabase {
  // MARK: One record

  /// Saves a record if the server still has the version that was edited. Returns the record as stored by the server.
  ///
  /// Errors: `serverRecordChanged` with the three records of the conflict, `unknownItem` for a record that was deleted
  /// in the meantime, `zoneNotFound`, `permissionFailure`, `referenceViolation`, `limitExceeded` for more than 1 MB,
  /// and others.
  @discardableResult
  public func save(_ record: CKRecord) async throws -> CKRecord {
    try await result { startSave(record, $0) }
  }

  /// Saves a record if the server still has the version that was edited. Passes on the record as stored by the server.
  @preconcurrency
  public func save(_ record: CKRecord, completionHandler: @escaping @Sendable (CKRecord?, (any Error)?) -> Void) {
    startSave(record, split(completionHandler))
  }

  private func startSave(_ record: CKRecord, _ completion: @escaping Completion<CKRecord>) {
    let recordID = record.recordID
    startModify(saving: [record]) { results in
      completion(results.flatMap { $0.saveResults.result(of: recordID) })
    }
  }

  /// Fetches a record. Fails with `unknownItem` if the record does not exist.
  @discardableResult
  public func record(for recordID: CKRecord.ID) async throws -> CKRecord {
    try await result { startFetch(recordID, $0) }
  }

  /// Fetches a record. Fails with `unknownItem` if the record does not exist.
  @preconcurrency
  public func fetch(
    withRecordID recordID: CKRecord.ID, completionHandler: @escaping @Sendable (CKRecord?, (any Error)?) -> Void
  ) {
    startFetch(recordID, split(completionHandler))
  }

  private func startFetch(_ recordID: CKRecord.ID, _ completion: @escaping Completion<CKRecord>) {
    startFetch([recordID], nil) { results in completion(results.flatMap { $0.result(of: recordID) }) }
  }

  /// Deletes a record. Succeeds if the record does not exist.
  @discardableResult
  public func deleteRecord(withID recordID: CKRecord.ID) async throws -> CKRecord.ID {
    try await result { startDelete(recordID, $0) }
  }

  /// The first name of ``deleteRecord(withID:)`` in Apple's presentations.
  @available(*, deprecated, renamed: "deleteRecord(withID:)")
  @discardableResult
  public func deleteRecord(with recordID: CKRecord.ID) async throws -> CKRecord.ID {
    try await deleteRecord(withID: recordID)
  }

  /// Deletes a record. Succeeds if the record does not exist.
  @preconcurrency
  public func delete(
    withRecordID recordID: CKRecord.ID, completionHandler: @escaping @Sendable (CKRecord.ID?, (any Error)?) -> Void
  ) {
    startDelete(recordID, split(completionHandler))
  }

  private func startDelete(_ recordID: CKRecord.ID, _ completion: @escaping Completion<CKRecord.ID>) {
    startModify(deleting: [recordID]) { results in
      completion(results.flatMap { $0.deleteResults.result(of: recordID).map { recordID } })
    }
  }

  // MARK: Several records

  /// Fetches records. Each has its own result. `desiredKeys` nil fetches all keys; an empty array fetches only system
  /// fields.
  public func records(
    for ids: [CKRecord.ID], desiredKeys: [CKRecord.FieldKey]? = nil
  ) async throws -> [CKRecord.ID: Result<CKRecord, any Error>] {
    try await result { startFetch(ids, desiredKeys, $0) }
  }

  /// Fetches records. Each has its own result. `desiredKeys` nil fetches all keys; an empty array fetches only system
  /// fields.
  @preconcurrency
  public func fetch(
    withRecordIDs recordIDs: [CKRecord.ID], desiredKeys: [CKRecord.FieldKey]? = nil,
    completionHandler: @escaping @Sendable (Result<[CKRecord.ID: Result<CKRecord, any Error>], any Error>) -> Void
  ) {
    startFetch(recordIDs, desiredKeys, completionHandler)
  }

  private func startFetch(
    _ recordIDs: [CKRecord.ID], _ desiredKeys: [CKRecord.FieldKey]?,
    _ completion: @escaping Completion<[CKRecord.ID: Result<CKRecord, any Error>]>
  ) {
    let operation = CKFetchRecordsOperation(recordIDs: recordIDs)
    operation.desiredKeys = desiredKeys
    let results = CollectedResults<CKRecord.ID, CKRecord>()
    operation.perRecordResultBlock = results.block
    operation.fetchRecordsResultBlock = { outcome in completion(outcome.map { results.values }) }
    begin(operation)
  }

  /// Saves and deletes records. Each has its own result. See `CKModifyRecordsOperation`.
  ///
  /// - Assumption: it does not throw because single records failed, not even if they fail atomically.
  @discardableResult
  public func modifyRecords(
    saving recordsToSave: [CKRecord] = [], deleting recordIDsToDelete: [CKRecord.ID] = [],
    savePolicy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged, atomically: Bool = true
  ) async throws -> (
    saveResults: [CKRecord.ID: Result<CKRecord, any Error>], deleteResults: [CKRecord.ID: Result<Void, any Error>]
  ) {
    try await result { startModify(saving: recordsToSave, deleting: recordIDsToDelete, savePolicy, atomically, $0) }
  }

  /// Saves and deletes records. Each has its own result. See `CKModifyRecordsOperation`.
  @preconcurrency
  public func modifyRecords(
    saving recordsToSave: [CKRecord] = [], deleting recordIDsToDelete: [CKRecord.ID] = [],
    savePolicy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged, atomically: Bool = true,
    completionHandler:
      @escaping @Sendable (
        Result<
          (
            saveResults: [CKRecord.ID: Result<CKRecord, any Error>],
            deleteResults: [CKRecord.ID: Result<Void, any Error>]
          ), any Error
        >
      ) -> Void
  ) {
    startModify(saving: recordsToSave, deleting: recordIDsToDelete, savePolicy, atomically, completionHandler)
  }

  private typealias Modified = (
    saveResults: [CKRecord.ID: Result<CKRecord, any Error>], deleteResults: [CKRecord.ID: Result<Void, any Error>]
  )

  private func startModify(
    saving records: [CKRecord] = [], deleting recordIDs: [CKRecord.ID] = [],
    _ savePolicy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged, _ isAtomic: Bool = true,
    _ completion: @escaping Completion<Modified>
  ) {
    let operation = CKModifyRecordsOperation(recordsToSave: records, recordIDsToDelete: recordIDs)
    operation.savePolicy = savePolicy
    operation.isAtomic = isAtomic
    let saved = CollectedResults<CKRecord.ID, CKRecord>()
    let deleted = CollectedResults<CKRecord.ID, Void>()
    operation.perRecordSaveBlock = saved.block
    operation.perRecordDeleteBlock = deleted.block
    operation.modifyRecordsResultBlock = { outcome in completion(outcome.map { (saved.values, deleted.values) }) }
    begin(operation)
  }
}

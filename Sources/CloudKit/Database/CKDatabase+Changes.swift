import Foundation

extension CKDatabase {
  // MARK: Records of a zone

  /// Fetches a page of the changes of a zone since a token; nil fetches everything in the zone. While `moreComing` is
  /// true, continue with the new token.
  ///
  /// Errors: `changeTokenExpired` (start again from nil), `zoneNotFound`, `serverRejectedRequest` for a default zone.
  public func recordZoneChanges(
    inZoneWith zoneID: CKRecordZone.ID, since changeToken: CKServerChangeToken?,
    desiredKeys: [CKRecord.FieldKey]? = nil, resultsLimit: Int? = nil
  ) async throws -> (
    modificationResultsByID: [CKRecord.ID: Result<RecordZoneChange.Modification, any Error>],
    deletions: [RecordZoneChange.Deletion], changeToken: CKServerChangeToken, moreComing: Bool
  ) {
    try await result { startZoneChanges(zoneID, changeToken, desiredKeys, resultsLimit, $0) }
  }

  /// Fetches a page of the changes of a zone since a token; nil fetches everything in the zone. While `moreComing` is
  /// true, continue with the new token.
  @preconcurrency
  public func fetchRecordZoneChanges(
    inZoneWith zoneID: CKRecordZone.ID, since changeToken: CKServerChangeToken?,
    desiredKeys: [CKRecord.FieldKey]? = nil, resultsLimit: Int? = nil,
    completionHandler:
      @escaping @Sendable (
        Result<
          (
            modificationResultsByID: [CKRecord.ID: Result<RecordZoneChange.Modification, any Error>],
            deletions: [RecordZoneChange.Deletion], changeToken: CKServerChangeToken, moreComing: Bool
          ), any Error
        >
      ) -> Void
  ) {
    startZoneChanges(zoneID, changeToken, desiredKeys, resultsLimit, completionHandler)
  }

  private typealias ZonePage = (
    modificationResultsByID: [CKRecord.ID: Result<RecordZoneChange.Modification, any Error>],
    deletions: [RecordZoneChange.Deletion], changeToken: CKServerChangeToken, moreComing: Bool
  )

  private typealias ZoneEnd = (
    serverChangeToken: CKServerChangeToken, clientChangeTokenData: Data?, moreComing: Bool
  )

  private func startZoneChanges(
    _ zoneID: CKRecordZone.ID, _ token: CKServerChangeToken?, _ desiredKeys: [CKRecord.FieldKey]?, _ limit: Int?,
    _ completion: @escaping Completion<ZonePage>
  ) {
    let operation = CKFetchRecordZoneChangesOperation(
      recordZoneIDs: [zoneID],
      configurationsByRecordZoneID: [
        zoneID: CKFetchRecordZoneChangesConfiguration(
          previousServerChangeToken: token, resultsLimit: limit, desiredKeys: desiredKeys)
      ])
    operation.fetchAllChanges = false
    let changed = CollectedResults<CKRecord.ID, CKRecord>()
    let deleted = ResultCollector<RecordZoneChange.Deletion>()
    let ends = CollectedResults<CKRecordZone.ID, ZoneEnd>()
    operation.recordWasChangedBlock = changed.block
    operation.recordWithIDWasDeletedBlock = { recordID, recordType in
      deleted.append(RecordZoneChange.Deletion(recordID: recordID, recordType: recordType))
    }
    operation.recordZoneFetchResultBlock = ends.block
    operation.fetchRecordZoneChangesResultBlock = { outcome in
      completion(
        outcome.flatMap { ends.values.result(of: zoneID) }.map { end in
          (
            changed.values.mapValues { $0.map(RecordZoneChange.Modification.init(record:)) }, deleted.values,
            end.serverChangeToken, end.moreComing
          )
        })
    }
    begin(operation)
  }

  // MARK: Zones of a database

  /// Fetches a page of the zones that changed since a token; nil fetches every zone. While `moreComing` is true,
  /// continue with the new token.
  ///
  /// Errors: `changeTokenExpired` (start again from nil), `badDatabase` for the public database.
  public func databaseChanges(
    since changeToken: CKServerChangeToken?, resultsLimit: Int? = nil
  ) async throws -> (
    modifications: [DatabaseChange.Modification], deletions: [DatabaseChange.Deletion],
    changeToken: CKServerChangeToken, moreComing: Bool
  ) {
    try await result { startDatabaseChanges(changeToken, resultsLimit, $0) }
  }

  /// Fetches a page of the zones that changed since a token; nil fetches every zone. While `moreComing` is true,
  /// continue with the new token.
  @preconcurrency
  public func fetchDatabaseChanges(
    since changeToken: CKServerChangeToken?, resultsLimit: Int? = nil,
    completionHandler:
      @escaping @Sendable (
        Result<
          (
            modifications: [DatabaseChange.Modification], deletions: [DatabaseChange.Deletion],
            changeToken: CKServerChangeToken, moreComing: Bool
          ), any Error
        >
      ) -> Void
  ) {
    startDatabaseChanges(changeToken, resultsLimit, completionHandler)
  }

  private typealias DatabasePage = (
    modifications: [DatabaseChange.Modification], deletions: [DatabaseChange.Deletion],
    changeToken: CKServerChangeToken, moreComing: Bool
  )

  private func startDatabaseChanges(
    _ token: CKServerChangeToken?, _ limit: Int?, _ completion: @escaping Completion<DatabasePage>
  ) {
    let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: token)
    operation.resultsLimit = limit ?? 0
    operation.fetchAllChanges = false
    let changed = ResultCollector<DatabaseChange.Modification>()
    let deleted = ResultCollector<DatabaseChange.Deletion>()
    func gatherDeletions(_ reason: DatabaseChange.Deletion.Reason) -> @Sendable (CKRecordZone.ID) -> Void {
      { zoneID in deleted.append(DatabaseChange.Deletion(zoneID: zoneID, reason: reason)) }
    }
    operation.recordZoneWithIDChangedBlock = { changed.append(DatabaseChange.Modification(zoneID: $0)) }
    operation.recordZoneWithIDWasDeletedBlock = gatherDeletions(.deleted)
    operation.recordZoneWithIDWasPurgedBlock = gatherDeletions(.purged)
    operation.recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock = gatherDeletions(.encryptedDataReset)
    operation.fetchDatabaseChangesResultBlock = { result in
      completion(result.map { end in (changed.values, deleted.values, end.serverChangeToken, end.moreComing) })
    }
    begin(operation)
  }
}

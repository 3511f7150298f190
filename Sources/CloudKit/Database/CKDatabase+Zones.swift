import Foundation

extension CKDatabase {
  // MARK: One zone

  /// Creates a zone; an existing zone is left unchanged. Returns the zone with its capabilities.
  @discardableResult
  public func save(_ zone: CKRecordZone) async throws -> CKRecordZone {
    try await result { startSave(zone, $0) }
  }

  /// Creates a zone; an existing zone is left unchanged. Passes on the zone with its capabilities.
  @preconcurrency
  public func save(_ zone: CKRecordZone, completionHandler: @escaping @Sendable (CKRecordZone?, (any Error)?) -> Void) {
    startSave(zone, split(completionHandler))
  }

  private func startSave(_ zone: CKRecordZone, _ completion: @escaping Completion<CKRecordZone>) {
    let zoneID = zone.zoneID
    startModifyZones([zone], []) { results in
      completion(results.flatMap { $0.saveResults.result(of: zoneID) })
    }
  }

  /// Fetches a zone. Fails with `zoneNotFound` if it does not exist.
  @discardableResult
  public func recordZone(for zoneID: CKRecordZone.ID) async throws -> CKRecordZone {
    try await result { startFetchZone(zoneID, $0) }
  }

  /// Fetches a zone. Fails with `zoneNotFound` if it does not exist.
  @preconcurrency
  public func fetch(
    withRecordZoneID zoneID: CKRecordZone.ID,
    completionHandler: @escaping @Sendable (CKRecordZone?, (any Error)?) -> Void
  ) {
    startFetchZone(zoneID, split(completionHandler))
  }

  private func startFetchZone(
    _ zoneID: CKRecordZone.ID, _ completion: @escaping Completion<CKRecordZone>
  ) {
    startFetchZones(CKFetchRecordZonesOperation(recordZoneIDs: [zoneID])) { results in
      completion(results.flatMap { $0.result(of: zoneID) })
    }
  }

  /// Deletes a zone with all its records. Fails with `zoneNotFound` if the zone does not exist. In the shared database,
  /// the current user leaves all shares of the zone instead.
  @discardableResult
  public func deleteRecordZone(withID zoneID: CKRecordZone.ID) async throws -> CKRecordZone.ID {
    try await result { startDelete(zoneID, $0) }
  }

  /// Deletes a zone with all its records. Fails with `zoneNotFound` if the zone does not exist. In the shared database,
  /// the current user leaves all shares of the zone instead.
  @preconcurrency
  public func delete(
    withRecordZoneID zoneID: CKRecordZone.ID,
    completionHandler: @escaping @Sendable (CKRecordZone.ID?, (any Error)?) -> Void
  ) {
    startDelete(zoneID, split(completionHandler))
  }

  private func startDelete(
    _ zoneID: CKRecordZone.ID, _ completion: @escaping Completion<CKRecordZone.ID>
  ) {
    startModifyZones([], [zoneID]) { results in
      completion(results.flatMap { $0.deleteResults.result(of: zoneID).map { zoneID } })
    }
  }

  // MARK: Several zones

  /// Fetches all zones of the database, including the default zone where one exists.
  @discardableResult
  public func allRecordZones() async throws -> [CKRecordZone] {
    try await result(of: startFetchAllZones)
  }

  /// Fetches all zones of the database, including the default zone where one exists.
  @preconcurrency
  public func fetchAllRecordZones(completionHandler: @escaping @Sendable ([CKRecordZone]?, (any Error)?) -> Void) {
    startFetchAllZones(split(completionHandler))
  }

  private func startFetchAllZones(_ completion: @escaping Completion<[CKRecordZone]>) {
    startFetchZones(.fetchAllRecordZonesOperation()) { results in
      completion(
        results.map { zones in
          zones.values.compactMap { try? $0.get() }.sorted { $0.zoneID.text < $1.zoneID.text }
        })
    }
  }

  /// Fetches zones. Each has its own result.
  public func recordZones(
    for ids: [CKRecordZone.ID]
  ) async throws -> [CKRecordZone.ID: Result<CKRecordZone, any Error>] {
    try await result { startFetchZones(CKFetchRecordZonesOperation(recordZoneIDs: ids), $0) }
  }

  /// Fetches zones. Each has its own result.
  @preconcurrency
  public func fetch(
    withRecordZoneIDs zoneIDs: [CKRecordZone.ID],
    completionHandler:
      @escaping @Sendable (Result<[CKRecordZone.ID: Result<CKRecordZone, any Error>], any Error>) -> Void
  ) {
    startFetchZones(CKFetchRecordZonesOperation(recordZoneIDs: zoneIDs), completionHandler)
  }

  private func startFetchZones(
    _ operation: CKFetchRecordZonesOperation,
    _ completion: @escaping Completion<[CKRecordZone.ID: Result<CKRecordZone, any Error>]>
  ) {
    let results = CollectedResults<CKRecordZone.ID, CKRecordZone>()
    operation.perRecordZoneResultBlock = results.block
    operation.fetchRecordZonesResultBlock = { outcome in completion(outcome.map { results.values }) }
    begin(operation)
  }

  /// Creates and deletes zones. Each has its own result. See `CKModifyRecordZonesOperation`.
  @discardableResult
  public func modifyRecordZones(
    saving recordZonesToSave: [CKRecordZone] = [], deleting recordZoneIDsToDelete: [CKRecordZone.ID] = []
  ) async throws -> (
    saveResults: [CKRecordZone.ID: Result<CKRecordZone, any Error>],
    deleteResults: [CKRecordZone.ID: Result<Void, any Error>]
  ) {
    try await result { startModifyZones(recordZonesToSave, recordZoneIDsToDelete, $0) }
  }

  /// Creates and deletes zones. Each has its own result. See `CKModifyRecordZonesOperation`.
  @preconcurrency
  public func modifyRecordZones(
    saving recordZonesToSave: [CKRecordZone] = [], deleting recordZoneIDsToDelete: [CKRecordZone.ID] = [],
    completionHandler:
      @escaping @Sendable (
        Result<
          (
            saveResults: [CKRecordZone.ID: Result<CKRecordZone, any Error>],
            deleteResults: [CKRecordZone.ID: Result<Void, any Error>]
          ), any Error
        >
      ) -> Void
  ) {
    startModifyZones(recordZonesToSave, recordZoneIDsToDelete, completionHandler)
  }

  private typealias ModifiedZones = (
    saveResults: [CKRecordZone.ID: Result<CKRecordZone, any Error>],
    deleteResults: [CKRecordZone.ID: Result<Void, any Error>]
  )

  private func startModifyZones(
    _ zones: [CKRecordZone], _ zoneIDs: [CKRecordZone.ID], _ completion: @escaping Completion<ModifiedZones>
  ) {
    let operation = CKModifyRecordZonesOperation(recordZonesToSave: zones, recordZoneIDsToDelete: zoneIDs)
    let saved = CollectedResults<CKRecordZone.ID, CKRecordZone>()
    let deleted = CollectedResults<CKRecordZone.ID, Void>()
    operation.perRecordZoneSaveBlock = saved.block
    operation.perRecordZoneDeleteBlock = deleted.block
    operation.modifyRecordZonesResultBlock = { outcome in completion(outcome.map { (saved.values, deleted.values) }) }
    begin(operation)
  }
}

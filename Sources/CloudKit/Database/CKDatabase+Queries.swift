import Foundation

extension CKDatabase {
  /// Fetches the first records that match a query, and a cursor if there are more.
  public func records(
    matching query: CKQuery, inZoneWith zoneID: CKRecordZone.ID? = nil, desiredKeys: [CKRecord.FieldKey]? = nil,
    resultsLimit: Int = CKQueryOperation.maximumResults
  ) async throws -> (
    matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?
  ) {
    try await result { startQuery(query, zoneID, desiredKeys, resultsLimit, $0) }
  }

  /// Fetches the first records that match a query, and a cursor if there are more.
  @preconcurrency
  public func fetch(
    withQuery query: CKQuery, inZoneWith zoneID: CKRecordZone.ID? = nil, desiredKeys: [CKRecord.FieldKey]? = nil,
    resultsLimit: Int = CKQueryOperation.maximumResults,
    completionHandler:
      @escaping @Sendable (
        Result<
          (matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?), any Error
        >
      ) -> Void
  ) {
    startQuery(query, zoneID, desiredKeys, resultsLimit, completionHandler)
  }

  /// Fetches the next records of a query, and a cursor if there are more.
  public func records(
    continuingMatchFrom queryCursor: CKQueryOperation.Cursor, desiredKeys: [CKRecord.FieldKey]? = nil,
    resultsLimit: Int = CKQueryOperation.maximumResults
  ) async throws -> (
    matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?
  ) {
    try await result { startQuery(CKQueryOperation(cursor: queryCursor), desiredKeys, resultsLimit, $0) }
  }

  /// Fetches the next records of a query, and a cursor if there are more.
  @preconcurrency
  public func fetch(
    withCursor queryCursor: CKQueryOperation.Cursor, desiredKeys: [CKRecord.FieldKey]? = nil,
    resultsLimit: Int = CKQueryOperation.maximumResults,
    completionHandler:
      @escaping @Sendable (
        Result<
          (matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?), any Error
        >
      ) -> Void
  ) {
    startQuery(CKQueryOperation(cursor: queryCursor), desiredKeys, resultsLimit, completionHandler)
  }

  /// Fetches the first records that match a query; there may be more.
  @available(*, deprecated, renamed: "records(matching:inZoneWith:desiredKeys:resultsLimit:)")
  @_disfavoredOverload
  @discardableResult
  public func records(matching query: CKQuery, inZoneWith zoneID: CKRecordZone.ID?) async throws -> [CKRecord] {
    try await result { startPerform(query, zoneID, $0) }
  }

  /// Fetches the first records that match a query; there may be more.
  @available(*, deprecated, renamed: "records(matching:inZoneWith:desiredKeys:resultsLimit:)")
  @discardableResult
  public func perform(_ query: CKQuery, inZoneWith zoneID: CKRecordZone.ID?) async throws -> [CKRecord] {
    try await result { startPerform(query, zoneID, $0) }
  }

  /// Fetches the first records that match a query; there may be more.
  @available(*, deprecated, renamed: "fetch(withQuery:inZoneWith:desiredKeys:resultsLimit:completionHandler:)")
  @preconcurrency
  public func perform(
    _ query: CKQuery, inZoneWith zoneID: CKRecordZone.ID?,
    completionHandler: @escaping @Sendable ([CKRecord]?, (any Error)?) -> Void
  ) {
    startPerform(query, zoneID, split(completionHandler))
  }

  // MARK: The core

  private typealias Page = (
    matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?
  )

  private func startPerform(
    _ query: CKQuery, _ zoneID: CKRecordZone.ID?, _ completion: @escaping Completion<[CKRecord]>
  ) {
    startQuery(query, zoneID, nil, CKQueryOperation.maximumResults) { page in
      completion(page.map { $0.matchResults.compactMap { try? $0.1.get() } })
    }
  }

  private func startQuery(
    _ query: CKQuery, _ zoneID: CKRecordZone.ID?, _ desiredKeys: [CKRecord.FieldKey]?, _ limit: Int,
    _ completion: @escaping Completion<Page>
  ) {
    let operation = CKQueryOperation(query: query)
    operation.zoneID = zoneID
    startQuery(operation, desiredKeys, limit, completion)
  }

  private func startQuery(
    _ operation: CKQueryOperation, _ desiredKeys: [CKRecord.FieldKey]?, _ limit: Int,
    _ completion: @escaping Completion<Page>
  ) {
    operation.desiredKeys = desiredKeys
    operation.resultsLimit = limit
    let found = ResultCollector<(CKRecord.ID, Result<CKRecord, any Error>)>()
    operation.recordMatchedBlock = { found.append(($0, $1)) }
    operation.queryResultBlock = { result in completion(result.map { (found.values, $0) }) }
    begin(operation)
  }
}

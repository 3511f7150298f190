import Foundation
import LocalCloudModel
import LocalCloudService

/// Fetches a page of the records that match a query, and a cursor if there are more.
///
/// A predicate is a comparison of a field with a value, or several comparisons joined by AND (``CKQuery``).
// Sendable: as CKOperation; inputs and blocks are set before the operation is started.
open class CKQueryOperation: CKDatabaseOperation, @unchecked Sendable {
  /// The position where a query left off; the class is `CKQueryCursor` because nested classes cannot be archived on
  /// Linux.
  public typealias Cursor = CKQueryCursor

  /// The limit that lets the server choose the number of results.
  public static let maximumResults: Int = 0

  /// The query; the operation stores a copy. Not needed with a cursor.
  open var query: CKQuery? {
    get { ownQuery }
    set {
      checkNotRunning()
      ownQuery = newValue?.copy() as? CKQuery
    }
  }

  /// The position where an earlier operation left off.
  open var cursor: CKQueryOperation.Cursor? { willSet { checkNotRunning() } }

  /// The zone to search; nil searches all zones of the database.
  open var zoneID: CKRecordZone.ID? { willSet { checkNotRunning() } }

  /// The maximum number of records to fetch. By default the server chooses.
  open var resultsLimit = CKQueryOperation.maximumResults { willSet { checkNotRunning() } }

  /// The keys to fetch; nil for all, empty for system fields only.
  open var desiredKeys: [CKRecord.FieldKey]? { willSet { checkNotRunning() } }

  /// Called for each record found.
  open var recordMatchedBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called at the end, with a cursor if there are more records.
  open var queryResultBlock: ((Result<CKQueryOperation.Cursor?, any Error>) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called for each record found, unless ``recordMatchedBlock`` is set.
  @available(*, deprecated, renamed: "recordMatchedBlock")
  open var recordFetchedBlock: ((CKRecord) -> Void)? {
    get { oldRecordBlock }
    set {
      checkNotRunning()
      oldRecordBlock = newValue
    }
  }

  /// Called at the end, with a cursor or an error.
  @available(*, deprecated, renamed: "queryResultBlock")
  open var queryCompletionBlock: ((CKQueryOperation.Cursor?, (any Error)?) -> Void)? {
    get { oldResultBlock }
    set {
      checkNotRunning()
      oldResultBlock = newValue
    }
  }

  private var ownQuery: CKQuery?
  private var oldRecordBlock: ((CKRecord) -> Void)?
  private var oldResultBlock: ((CKQueryOperation.Cursor?, (any Error)?) -> Void)?
  private let next = ResultCollector<CKQueryCursor>()

  /// Makes an operation without a query.
  public override init() {
    super.init()
  }

  /// Makes an operation that runs that query.
  public convenience init(query: CKQuery) {
    self.init()
    self.query = query
  }

  /// Makes an operation that continues where an earlier operation left off.
  public convenience init(cursor: CKQueryOperation.Cursor) {
    self.init()
    self.cursor = cursor
  }

  override func work(_ request: Request) throws {
    let page = try cursor.map(QueryPage.init(cursor:)) ?? firstPage(request)
    let response = try request.service.queries.queryRecords(
      QueryRecordsRequest(
        scope: request.scope, zone: page.zone.map { request.translator.identifier($0) }, query: page.query,
        desiredKeys: desiredKeys, limit: resultsLimit, cursor: page.position, withAssets: true),
      by: request.caller)
    for record in response.records {
      let recordID = try request.translator.recordID(record.id)
      deliver(
        .record(
          recordID, request.item(.success(record)) { (record) throws(ServiceError) in try request.record(record) }))
    }
    for failure in response.failed {
      let recordID = try request.translator.recordID(failure.record)
      deliver(.record(recordID, .failure(request.error(failure.error))))
    }
    if let position = response.cursor {
      deliver(.cursor(QueryPage(query: page.query, zone: page.zone, position: position).cursor))
    }
  }

  private func firstPage(_ request: Request) throws -> QueryPage {
    guard let query else { throw CKError.invalidArguments("A query or a cursor is needed", container: containerName) }
    let now = Double(try request.service.settings.clock()) / 1000 - Date.timeIntervalBetween1970AndReferenceDate
    let translation = QueryTranslation(translator: request.translator, now: now)
    let asked = Query(
      recordType: query.recordType, condition: try translation.condition(query.predicate),
      sorts: try translation.sorts(query.sortDescriptors))
    return QueryPage(query: asked, zone: zoneID, position: nil)
  }

  override func call(_ event: OperationEvent) {
    switch event {
    case .record(let recordID, let result):
      if let recordMatchedBlock {
        recordMatchedBlock(recordID, result)
      } else if case .success(let record) = result {
        oldRecordBlock?(record)
      }
    case .cursor(let cursor): next.append(cursor)
    default: break
    }
  }

  override func report(_ outcome: Result<Void, any Error>) {
    let result = outcome.map { next.values.last }
    queryResultBlock?(result)
    switch result {
    case .success(let cursor): oldResultBlock?(cursor, nil)
    case .failure(let error): oldResultBlock?(nil, error)
    }
  }
}

import CloudService
import Foundation

/// Fetches a page of the records that match a query, and a cursor if there are more.
///
/// - Difference: only `NSPredicate(value: true)` without sort descriptors is supported, in one zone; anything else fails
///   with `serverRejectedRequest` and a "not yet" message.
// Sendable: as CKOperation; inputs and blocks are set before the operation is started.
open class CKQueryOperation: CKDatabaseOperation, @unchecked Sendable {
  /// Where a query left off; the class is `CKQueryCursor` because nested classes cannot be archived on Linux.
  public typealias Cursor = CKQueryCursor

  /// As many results as the server likes to give.
  public static let maximumResults: Int = 0

  /// The query, of which the operation keeps a copy; not needed with a cursor.
  open var query: CKQuery? {
    get { ownQuery }
    set { ownQuery = newValue?.copy() as? CKQuery }
  }

  /// Where an earlier operation left off.
  open var cursor: CKQueryOperation.Cursor?

  /// The zone to search; nil searches all zones of the database.
  open var zoneID: CKRecordZone.ID?

  /// How many records to fetch at most; at first as many as the server likes.
  open var resultsLimit = CKQueryOperation.maximumResults

  /// The keys to fetch; nil for all, empty for system fields only.
  open var desiredKeys: [CKRecord.FieldKey]?

  /// Called for each record found.
  @preconcurrency open var recordMatchedBlock: (@Sendable (CKRecord.ID, Result<CKRecord, any Error>) -> Void)?

  /// Called at the end, with a cursor if there are more records.
  @preconcurrency open var queryResultBlock: (@Sendable (Result<CKQueryOperation.Cursor?, any Error>) -> Void)?

  /// Called for each record found, unless ``recordMatchedBlock`` is set.
  @available(*, deprecated, renamed: "recordMatchedBlock")
  @preconcurrency open var recordFetchedBlock: (@Sendable (CKRecord) -> Void)? {
    get { oldRecordBlock }
    set { oldRecordBlock = newValue }
  }

  /// Called at the end, with a cursor or an error.
  @available(*, deprecated, renamed: "queryResultBlock")
  @preconcurrency open var queryCompletionBlock: (@Sendable (CKQueryOperation.Cursor?, (any Error)?) -> Void)? {
    get { oldResultBlock }
    set { oldResultBlock = newValue }
  }

  private var ownQuery: CKQuery?
  private var oldRecordBlock: (@Sendable (CKRecord) -> Void)?
  private var oldResultBlock: (@Sendable (CKQueryOperation.Cursor?, (any Error)?) -> Void)?
  private let next = Gathered<CKQueryCursor>()

  /// Makes an operation without a query.
  public override init() {
    super.init()
  }

  /// Makes an operation that runs that query.
  public convenience init(query: CKQuery) {
    self.init()
    self.query = query
  }

  /// Makes an operation that goes on where another left off.
  public convenience init(cursor: CKQueryOperation.Cursor) {
    self.init()
    self.cursor = cursor
  }

  override func work(_ request: Request) throws {
    let page = try cursor.map(QueryPage.init(cursor:)) ?? firstPage()
    let response = try request.service.queryRecords(
      QueryRecordsRequest(
        scope: request.scope, zone: page.zone.map { request.translator.identifier($0) }, recordType: page.recordType,
        desiredKeys: desiredKeys, limit: resultsLimit, cursor: page.position),
      by: request.caller)
    for record in response.records {
      let recordID = try request.translator.recordID(record.id)
      let result = request.item(.success(record), request.translator.record)
      deliver { [self] in call(recordID, result) }
    }
    if let position = response.cursor {
      next.append(QueryPage(recordType: page.recordType, zone: page.zone, position: position).cursor)
    }
  }

  private func firstPage() throws -> QueryPage {
    guard let query else { throw CKError.invalidArguments("A query or a cursor is needed", container: containerName) }
    guard PredicateArchive.format(of: query.predicate) == "TRUEPREDICATE" else {
      throw CKError.notYet("queries with a predicate other than NSPredicate(value: true)", container: containerName)
    }
    guard query.sortDescriptors?.isEmpty != false else {
      throw CKError.notYet("queries with sort descriptors", container: containerName)
    }
    return QueryPage(recordType: query.recordType, zone: zoneID, position: nil)
  }

  private func call(_ recordID: CKRecord.ID, _ result: Result<CKRecord, any Error>) {
    if let recordMatchedBlock {
      recordMatchedBlock(recordID, result)
    } else if case .success(let record) = result {
      oldRecordBlock?(record)
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

import LocalCloudModel
import LocalCloudService

/// The results of a query, page by page.
struct QueryWalk {
  private let service: CloudService
  private let caller: Caller
  private let limit: Int
  private var request: QueryRecordsRequest
  /// The number of records so far.
  private(set) var count = 0
  /// Records that match but can't be read.
  private(set) var failures: [ZoneChanges.Failure] = []
  /// Whether there is no further page.
  private(set) var isDone = false

  /// Stops after `limit` records, or at the last page.
  init(_ request: QueryRecordsRequest, to service: CloudService, by caller: Caller, limit: Int = .max) {
    self.request = request
    self.service = service
    self.caller = caller
    self.limit = limit
  }

  /// The most records that one request asks for.
  static let pageSize = 200

  /// The cursor to continue from; after the last page nil if there are no more records.
  var cursor: String? { request.cursor }

  /// The records of the next page; nil after the last page.
  mutating func next() throws(ServiceError) -> [Record]? {
    if isDone { return nil }
    request.limit = min(limit - count - failures.count, Self.pageSize)
    let page = try service.queries.queryRecords(request, by: caller)
    count += page.records.count
    failures += page.failed
    request.cursor = page.cursor
    isDone = page.cursor == nil || count + failures.count >= limit
    return page.records
  }

  /// The records of all pages.
  mutating func rest() throws(ServiceError) -> [Record] {
    var records: [Record] = []
    while let page = try next() { records += page }
    return records
  }

  /// Writes the records, page by page.
  mutating func write(into list: inout ListWriter, _ table: RecordTable, _ context: CommandContext) throws {
    var table = table
    while let page = try next() {
      // Tools need one table. The first page may lack fields that later ones have.
      if context.format == .tsv, list.count == 0, !isDone { table.expect(fields) }
      try list.write(page.map { .object($0.object) }, table: table.page(page))
    }
  }

  /// The fields that the records may have, according to the schema.
  private var fields: [String] {
    let declared = try? service.schemas.schema(by: caller).types[request.query.recordType]?.fields
    return (declared ?? [:]).keys.filter { request.desiredKeys?.contains($0) ?? true }
  }

  /// Throws if there is a record that can't be read. Call it after the other records were printed.
  func check() throws { try ZoneWalk.check(failures, beside: count) }
}

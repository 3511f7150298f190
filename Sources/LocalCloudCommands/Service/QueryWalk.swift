import LocalCloudModel
import LocalCloudService

/// The results of a query over several pages.
struct QueryWalk {
  private(set) var records: [Record] = []
  /// Records that match but can't be read.
  private(set) var failures: [ZoneChanges.Failure] = []
  /// The cursor to continue from; nil if there are no more records.
  private(set) var cursor: String?

  /// Runs the query. Stops after `limit` records, or at the last page.
  init(
    _ request: QueryRecordsRequest, to service: CloudService, by caller: Caller, limit: Int = .max
  ) throws(ServiceError) {
    var request = request
    repeat {
      request.limit = min(limit - records.count - failures.count, Self.pageSize)
      let page = try service.queries.queryRecords(request, by: caller)
      records += page.records
      failures += page.failed
      request.cursor = page.cursor
    } while request.cursor != nil && records.count + failures.count < limit
    cursor = request.cursor
  }

  /// The most records that one request asks for.
  static let pageSize = 200

  /// Throws if there is a record that can't be read. Call it after the other records were printed.
  func check() throws { try ZoneWalk.check(failures, beside: records.count) }
}

import CloudModel
import CloudService

/// What a query finds, over as many pages as were asked for.
struct QueryWalk {
  private(set) var records: [Record] = []
  /// Records that match and can't be told.
  private(set) var failures: [ZoneChanges.Failure] = []
  /// Where the next walk would go on; nil: that was all.
  private(set) var cursor: String?

  /// Stops after `limit` records, or with the last page.
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

  /// As many as the service gives at once.
  static let pageSize = 200

  /// Throws if there is one that can't be told; call it after the others were printed.
  func check() throws { try ZoneWalk.check(failures, beside: records.count) }
}

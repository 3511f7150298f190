import LocalCloudModel
import LocalCloudService

/// The number of records in a zone. The records are counted page by page and not held.
struct RecordTotal {
  private(set) var count = 0
  /// Records that can't be read; they are not in ``count``.
  private(set) var failures: [ZoneChanges.Failure] = []

  /// Counts the records that match a query.
  init(of query: Query, in target: ZoneTarget) throws(ServiceError) {
    var request = QueryRecordsRequest(
      scope: target.scope, zone: target.zone, query: query, desiredKeys: [], limit: QueryWalk.pageSize)
    repeat {
      let page = try target.service.queries.queryRecords(request, by: target.caller)
      add(page.records, page.failed)
      request.cursor = page.cursor
    } while request.cursor != nil
  }

  /// Counts the records of a type; those of all types for nil.
  init(ofType type: String?, in target: ZoneTarget) throws(ServiceError) {
    var request = ListRecordsRequest(scope: target.scope, zone: target.zone, type: type)
    repeat {
      let page = try target.service.records.listRecords(request, by: target.caller)
      add(page.records, page.failed)
      request.after = page.next
    } while request.after != nil
  }

  private mutating func add(_ records: [Record], _ failed: [ZoneChanges.Failure]) {
    count += records.count
    failures += failed
  }
}

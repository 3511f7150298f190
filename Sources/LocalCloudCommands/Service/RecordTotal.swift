import LocalCloudModel
import LocalCloudService

/// The number of records in a zone. The records are counted page by page and not held.
struct RecordTotal {
  private(set) var count = 0
  /// Records that can't be read; they are not in ``count``.
  private(set) var failures: [ZoneChanges.Failure] = []

  /// Counts the records of a type; those of all types for nil. Only filters make a query of it, with the refusals of
  /// queries; they need a type.
  init(ofType type: String?, _ filters: [QueryFilter], in target: ZoneTarget) throws(ServiceError) {
    if let type, !filters.isEmpty {
      let query = Query(recordType: type, condition: QueryCondition(filters))
      var request = QueryRecordsRequest(
        scope: target.scope, zone: target.zone, query: query, desiredKeys: [], limit: QueryWalk.pageSize)
      repeat {
        let page = try target.service.queries.queryRecords(request, by: target.caller)
        add(page.records, page.failed)
        request.cursor = page.cursor
      } while request.cursor != nil
      return
    }
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

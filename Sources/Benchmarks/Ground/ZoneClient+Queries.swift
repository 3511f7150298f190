import CloudService
import CloudStore
import TestSupport

/// Notes in groups, each with a number of its own but those of group zero.
extension ZoneClient {
  /// Saves `count` notes, every `step`th in group zero.
  func fillGroups(_ numbers: Range<Int>, step: Int) throws {
    for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: Self.batch) {
      let batch = start..<min(start + Self.batch, numbers.upperBound)
      try save(batch.map { note("note-\($0)", $0 % step == 0 ? 0 : $0) }, policy: .allKeys)
    }
  }

  /// The notes of group zero, as one page.
  func find(expecting count: Int) throws {
    let query = Query(recordType: "Note", condition: QueryCondition([QueryFilter("count", .equals, .int64(0))]))
    let page = try service.queries.queryRecords(
      QueryRecordsRequest(scope: scope, zone: zone, query: query, limit: count), by: caller)
    guard page.records.count == count, page.cursor == nil else {
      throw UnexpectedResult(text: "the query found \(page.records.count) records, not \(count)")
    }
  }
}

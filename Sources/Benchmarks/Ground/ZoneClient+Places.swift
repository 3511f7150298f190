import CloudModel
import CloudService
import CloudStore
import TestSupport

extension ZoneClient {
  /// Of a zone of one's own.
  func folder(in cloud: TemporaryCloud) -> String { cloud.zonePath(zone.name.string, of: caller.account ?? "") }

  /// What ``WorkerArguments/client()`` makes the same client of, in another process.
  func arguments(in cloud: TemporaryCloud) -> [String] {
    [cloud.path, caller.account ?? "", zone.name.string, zone.owner ?? "-"]
  }

  /// The zone of a stress run, as one of the people who share it.
  static func sharing(_ stage: StressStage, as account: String) -> ZoneClient {
    ZoneClient(
      stage.service, account: account, zone: .init(StressNames.zone), owner: account == "alice" ? nil : stage.owner)
  }
}

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

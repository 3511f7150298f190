import LocalCloudModel
import LocalCloudService
import LocalCloudStore
import TestSupport

extension ZoneClient {
  /// The folder of the zone. The zone must be the caller's own.
  func folder(in cloud: TemporaryCloud) -> String { cloud.zonePath(zone.name.string, of: caller.account ?? "") }

  /// The arguments for ``WorkerArguments/client()`` to create the same client in another process.
  func arguments(in cloud: TemporaryCloud) -> [String] {
    [cloud.path, caller.account ?? "", zone.name.string, zone.owner ?? "-"]
  }

  /// A client of the zone of a stress run, for the owner or a participant.
  static func sharing(_ stage: StressStage, as account: String) -> ZoneClient {
    ZoneClient(
      stage.service, account: account, zone: .init(StressNames.zone), owner: account == "alice" ? nil : stage.owner)
  }
}

/// Notes with numbers: those of group zero have the number 0, all others have distinct numbers.
extension ZoneClient {
  /// Saves notes with these numbers in full batches. Every `step`th one is in group zero.
  func fillGroups(_ numbers: Range<Int>, step: Int) throws {
    for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: Self.batch) {
      let batch = start..<min(start + Self.batch, numbers.upperBound)
      try save(batch.map { note("note-\($0)", $0 % step == 0 ? 0 : $0) }, policy: .allKeys)
    }
  }

  /// Queries the notes of group zero in one page.
  func find(expecting count: Int) throws {
    let query = Query(recordType: "Note", condition: QueryCondition([QueryFilter("count", .equals, .int64(0))]))
    let page = try service.queries.queryRecords(
      QueryRecordsRequest(scope: scope, zone: zone, query: query, limit: count), by: caller)
    guard page.records.count == count, page.cursor == nil else {
      throw UnexpectedResult(text: "the query found \(page.records.count) records, not \(count)")
    }
  }
}

import LocalCloudModel
import LocalCloudService

struct RecordCountCommand: Command {
  static let description = CommandDescription(
    "record", "count", summary: "Count the records of a zone",
    discussion: """
      Without a type all records of the zone are counted, shares included. --filter counts those that "record query" finds, \
      with the same refusals. Records are read page by page, so that a zone of any size can be counted.
      """,
    examples: [
      .init("All of a zone", "localcloud record count --zone Contacts"),
      .init("Grown-ups", "localcloud record count Contact --zone Contacts --filter 'age >= 18'"),
    ],
    exitCodes: [.failure, .noStore, .notFound, .refused])

  let type = OptionalArgument<String>("type", help: "the record type")
  let zone = ZoneOptions()
  let filters = QueryOptions.filters

  var arguments: [any ArgumentDeclaration] { [type] }
  var options: [any OptionDeclaration] { zone.options + [filters] }

  func run(_ context: CommandContext) throws {
    let filters = try context[self.filters].map { try FilterText.filter($0) }
    guard filters.isEmpty || context[type] != nil else {
      throw CommandFailure.usage("<type> is missing: --filter looks at records of one type")
    }
    let target = try zone.target(context)
    let found: Found
    if let type = context[type], !filters.isEmpty {
      found = try matches(Query(recordType: type, condition: QueryCondition(filters)), in: target)
    } else {
      found = try all(ofType: context[type], in: target)
    }
    if found.count > 0 || found.failures.isEmpty { try context.writeResult(count: found.count) }
    try ZoneWalk.check(found.failures, beside: found.count)
  }

  private typealias Found = (count: Int, failures: [ZoneChanges.Failure])

  private func matches(_ query: Query, in target: ZoneTarget) throws(ServiceError) -> Found {
    var request = QueryRecordsRequest(
      scope: target.scope, zone: target.zone, query: query, desiredKeys: [], limit: QueryWalk.pageSize)
    var found: Found = (0, [])
    repeat {
      let page = try target.service.queries.queryRecords(request, by: target.caller)
      found.count += page.records.count
      found.failures += page.failed
      request.cursor = page.cursor
    } while request.cursor != nil
    return found
  }

  private func all(ofType type: String?, in target: ZoneTarget) throws(ServiceError) -> Found {
    var request = ListRecordsRequest(scope: target.scope, zone: target.zone, type: type)
    var found: Found = (0, [])
    repeat {
      let page = try target.service.records.listRecords(request, by: target.caller)
      found.count += page.records.count
      found.failures += page.failed
      request.after = page.next
    } while request.after != nil
    return found
  }
}

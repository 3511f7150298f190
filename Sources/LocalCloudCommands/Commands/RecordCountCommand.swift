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
    let total = try RecordTotal(ofType: context[type], filters, in: target)
    if total.count > 0 || total.failures.isEmpty { try context.writeResult(count: total.count) }
    try ZoneWalk.check(total.failures, beside: total.count)
  }
}

import LocalCloudModel
import LocalCloudService
import LocalCloudStorage

package enum RecordQueryCommand: Command {
  package static let description = CommandDescription(
    "record", "query", summary: "Find records by what is in them",
    discussion: """
      Asks the service as an app's CKQuery does, with the same refusals: a field that is searched by needs an index, and so \
      does one that is sorted by. All pages are fetched; --limit stops before, and then tells the token that the next call \
      goes on with, with the same type, filters and sort keys.
      """,
    examples: [
      .init("Grown-ups, the oldest first", "localcloud record query Contact --filter 'age >= 18' --sort age:desc"),
      .init(
        "Names by prefix, in every zone",
        "localcloud record query Contact --all-zones --filter 'name BEGINS_WITH Ad'"),
      .init(
        "Page by page",
        "localcloud record query Contact --limit 10 --json | jq -r '.continuationToken // empty'"),
    ],
    arguments: [ArgumentDescription("type", help: "the record type")],
    options: ZoneOptions.all + [
      .flag("all-zones", help: "all zones of the private database, not only one"),
      .value(
        "filter", "FILTER", short: "f", repeating: true, help: "\"FIELD OPERATOR VALUE\"; see localcloud help filters"),
      .value("sort", "FIELD[:desc]", short: "s", repeating: true, help: "the field to sort by; then the next one"),
      .value("limit", "COUNT", check: ValueCheck.wholeNumber(in: 1...Int.max), help: "at most so many"),
      .values("requested-fields", "FIELD", aliases: ["keys"], help: "these fields only"),
      .value("continuation-token", "TOKEN", help: "where an earlier call with a --limit left off"),
    ],
    exclusiveOptions: [["all-zones", "zone"], ["all-zones", "owner"]],
    exitCodes: [.failure, .noStore, .notFound, .refused])

  package static func run(_ context: CommandContext) throws {
    let query = Query(
      recordType: try context.required("type"),
      condition: QueryCondition(try context.all("filter").map { try FilterText.filter($0) }),
      sorts: try context.all("sort").map(FilterText.sort))
    let isEverywhere = context.flag("all-zones")
    let session = try context.session()
    let target = isEverywhere ? nil : try context.zoneTarget()
    let request = QueryRecordsRequest(
      scope: target?.scope ?? context.scope(), zone: target?.zone, query: query,
      desiredKeys: context.flag("requested-fields") ? context.all("requested-fields") : nil,
      cursor: context.string("continuation-token"))
    let walk = try QueryWalk(
      request, to: session.service, by: session.caller, limit: try context.integer("limit") ?? .max)
    try emit(walk, RecordText(people: try People(session)), ofZones: isEverywhere, context)
    try walk.check()
  }

  private static func emit(
    _ walk: QueryWalk, _ text: RecordText, ofZones: Bool, _ context: CommandContext
  ) throws {
    var position: JSONObject = [:]
    position["continuationToken"] = walk.cursor.map { .string($0) }
    var items = walk.records.map { JSONValue.object($0.object) }
    if context.format == .jsonl, walk.cursor != nil { items.append(.object(position)) }
    try context.emit(
      list: "records", items, extra: position, isPartial: !walk.failures.isEmpty,
      table: text.table(walk.records, .oneType, ofZones: ofZones))
    if let cursor = walk.cursor { context.output.notice("there are more: --continuation-token \(cursor)") }
  }
}

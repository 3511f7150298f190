import LocalCloudModel
import LocalCloudService
import LocalCloudStorage

package enum CktoolQueryRecordsCommand: Command {
  package static let description = CommandDescription(
    "cktool", "query-records", summary: "Print the records that pass all filters, as JSON",
    discussion: "Without filters the type needs a QUERYABLE index on its \"___recordID\". " + CktoolOptions.note,
    examples: [
      .init(
        "Long books, the longest first",
        "localcloud cktool query-records --container-id iCloud.com.example.App --environment development --database-type private --record-type Book --filters 'pages > 100' --sort-by 'pages DESC'"
      )
    ],
    options: CktoolOptions.access + [
      CktoolOptions.recordType, CktoolOptions.filters,
      .values("sort-by", "FIELD", help: "fields to sort by; ASC or DESC may stand behind one"),
      .values("requested-fields", "FIELD", help: "these fields only"),
      .value(
        "limit", "COUNT", check: ValueCheck.wholeNumber(in: 1...QueryWalk.pageSize), help: "at most so many; else 200"),
      .value("continuation-token", "TOKEN", help: "where the call before left off"),
    ] + ZoneOptions.all,
    requiredGlobalOptions: CktoolOptions.recordAccess, exitCodes: [.failure, .noStore, .notFound, .refused])

  package static func run(_ context: CommandContext) throws {
    let query = Query(
      recordType: try context.required("record-type"), condition: try context.toolCondition(),
      sorts: try FilterText.toolSorts(context.all("sort-by")))
    let target = try context.toolTarget()
    var request = QueryRecordsRequest(
      scope: target.scope, zone: target.zone, query: query,
      desiredKeys: context.flag("requested-fields") ? context.all("requested-fields") : nil,
      cursor: context.string("continuation-token"))
    request.needsNameIndex = true
    let walk = try QueryWalk(
      request, to: target.service, by: target.caller, limit: try context.integer("limit") ?? QueryWalk.pageSize)
    var document: JSONObject = [:]
    // If all matching records are unreadable, no empty list is printed.
    if !walk.records.isEmpty || walk.failures.isEmpty {
      document["records"] = .array(walk.records.map { .object(RecordToolJSON.object($0)) })
    }
    document["continuationToken"] = walk.cursor.map { .string($0) }
    if !document.isEmpty { try context.emitToolJSON(document) }
    try walk.check()
  }
}

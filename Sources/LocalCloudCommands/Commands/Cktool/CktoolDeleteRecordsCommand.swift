import LocalCloudModel
import LocalCloudService

package enum CktoolDeleteRecordsCommand: Command {
  package static let description = CommandDescription(
    "cktool", "delete-records", summary: "Count the records that pass all filters, or delete them",
    discussion: """
      With --dry-run true, and without --dry-run, it only counts them. They are deleted page by page: if it is cut short, \
      doing it again does the rest. 
      """ + CktoolOptions.note,
    examples: [
      .init(
        "Old ones, without a question",
        "localcloud cktool delete-records --container-id iCloud.com.example.App --environment development --database-type private --record-type Event --filters 'when < 2020-01-01' --dry-run false --yes"
      )
    ],
    options: CktoolOptions.access + [
      CktoolOptions.recordType, CktoolOptions.filters,
      .value("dry-run", "WHETHER", allowed: ["true", "false"], help: "true only counts, as it does without this"),
    ] + ZoneOptions.all,
    requiredGlobalOptions: CktoolOptions.recordAccess, exitCodes: [.failure, .noStore, .locked, .notFound, .refused])

  /// - Assumption: cktool's `delete-records` deletes all that match, not one page of them.
  package static func run(_ context: CommandContext) throws {
    let type = try context.required("record-type")
    let query = Query(recordType: type, condition: try context.toolCondition())
    let target = try context.toolTarget()
    // No fields are fetched: only the record names are needed.
    var request = QueryRecordsRequest(scope: target.scope, zone: target.zone, query: query, desiredKeys: [])
    request.needsNameIndex = true
    guard context.string("dry-run") == "false" else {
      let walk = try QueryWalk(request, to: target.service, by: target.caller)
      let count = walk.records.count + walk.failures.count
      try context.output.write("Dry run. Found \(count) matching records to delete.\n")
      if count > 0, !context.flag("dry-run") { context.output.notice("--dry-run false deletes them") }
      return
    }
    try context.confirm("delete all matching records of type \(type)")
    try context.output.write("Deleted \(delete(request, in: target)) records.\n")
  }

  private static func delete(_ first: QueryRecordsRequest, in target: ZoneTarget) throws -> Int {
    var request = first
    request.limit = QueryWalk.pageSize
    var count = 0
    repeat {
      let page = try target.service.queries.queryRecords(request, by: target.caller)
      let ids = page.records.map(\.id) + page.failed.map(\.record)
      let results =
        ids.isEmpty
        ? []
        : try target.service.records.modifyRecords(
          ModifyRecordsRequest(scope: target.scope, deletes: ids, atomic: false), by: target.caller
        ).deletes
      let outcomes = Outcomes(results, names: ids.map(\.name.string))
      count += outcomes.values.count
      try outcomes.check("records")
      request.cursor = page.cursor
    } while request.cursor != nil
    return count
  }
}

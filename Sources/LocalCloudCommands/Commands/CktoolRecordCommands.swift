import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

struct CktoolCreateRecordCommand: Command {
  static let description = CommandDescription(
    "cktool", "create-record", summary: "Save a new record under a name of the service's own",
    discussion: """
      Prints the record as JSON. The schema must have its type; fields are made as by any other save. 
      """ + CktoolOptions.note,
    examples: [
      .init(
        "A book",
        #"localcloud cktool create-record --container-id iCloud.com.example.App --environment development --database-type private --record-type Book --fields-json '{"title": {"type": "stringType", "value": "Nemo"}}'"#
      )
    ],
    requiredGlobalOptions: CktoolOptions.recordAccess,
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused, .schemaRefused])

  let access = CktoolAccess()
  let recordType = CktoolOptions.recordType
  let zone = ZoneOptions()
  let fields = FieldOptions()

  var options: [any OptionDeclaration] { access.options + [recordType] + zone.options + fields.options }

  func run(_ context: CommandContext) throws {
    guard fields.sources.contains(where: context.isGiven) else {
      throw CommandFailure.usage("one of --fields-json, --fields-file and --fields-stdin is missing")
    }
    let target = try zone.toolTarget(context)
    let save = try fields.save(
      RecordIdentifier(name: target.session.newRecordName(), zone: target.zone), type: context[recordType], tag: nil,
      [], context)
    try context.writeToolJSON(RecordToolJSON.object(target.save(save, makingTypes: false)))
  }
}

struct CktoolQueryRecordsCommand: Command {
  static let description = CommandDescription(
    "cktool", "query-records", summary: "Print the records that pass all filters, as JSON",
    discussion: "Without filters the type needs a QUERYABLE index on its \"___recordID\". " + CktoolOptions.note,
    examples: [
      .init(
        "Long books, the longest first",
        "localcloud cktool query-records --container-id iCloud.com.example.App --environment development --database-type private --record-type Book --filters 'pages > 100' --sort-by 'pages DESC'"
      )
    ],
    requiredGlobalOptions: CktoolOptions.recordAccess, exitCodes: [.failure, .noStore, .notFound, .refused])

  let access = CktoolAccess()
  let recordType = CktoolOptions.recordType
  let filters = CktoolOptions.filters
  let sorts = OptionList<String>(
    "sort-by", "FIELD", takesSeveral: true, help: "fields to sort by; ASC or DESC may stand behind one")
  let requestedFields = OptionList<String>("requested-fields", "FIELD", takesSeveral: true, help: "these fields only")
  let limit = QueryOptions.limit("at most so many; else 200", to: QueryWalk.pageSize)
  let continuationToken = Option<String>("continuation-token", "TOKEN", help: "where the call before left off")
  let zone = ZoneOptions()

  var options: [any OptionDeclaration] {
    access.options + [recordType, filters, sorts, requestedFields, limit, continuationToken] + zone.options
  }

  func run(_ context: CommandContext) throws {
    let query = Query(
      recordType: context[recordType], condition: try CktoolOptions.condition(context[filters]),
      sorts: try FilterText.toolSorts(context[sorts]))
    let target = try zone.toolTarget(context)
    var request = QueryRecordsRequest(
      scope: target.scope, zone: target.zone, query: query,
      desiredKeys: context.valuesIfGiven(requestedFields),
      cursor: context[continuationToken])
    request.needsNameIndex = true
    var walk = QueryWalk(
      request, to: target.service, by: target.caller, limit: context[limit] ?? QueryWalk.pageSize)
    let records = try walk.rest()
    var document: JSONObject = [:]
    // If all matching records are unreadable, no empty list is printed.
    if !records.isEmpty || walk.failures.isEmpty {
      document["records"] = .array(records.map { .object(RecordToolJSON.object($0)) })
    }
    document["continuationToken"] = walk.cursor.map { .string($0) }
    if !document.isEmpty { try context.writeToolJSON(document) }
    try walk.check()
  }
}

struct CktoolDeleteRecordCommand: Command {
  static let description = CommandDescription(
    "cktool", "delete-record", summary: "Delete a record",
    discussion: "Prints nothing. Deleting what is not there is no error. " + CktoolOptions.note,
    examples: [
      .init(
        "Without a question",
        "localcloud cktool delete-record --container-id iCloud.com.example.App --environment development --database-type private --record-name ada --yes"
      )
    ],
    requiredGlobalOptions: CktoolOptions.recordAccess, listedGlobalOptions: [GlobalOptions.yes],
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused], deletesData: true)

  let access = CktoolAccess()
  let recordName = RequiredOption<String>("record-name", "NAME", completes: .record, help: "the record's name")
  let zone = ZoneOptions()
  let dryRun = Flag.dryRun

  var options: [any OptionDeclaration] { access.options + [recordName] + zone.options + [dryRun] }

  func run(_ context: CommandContext) throws {
    let name = context[recordName]
    let target = try zone.toolTarget(context)
    if context.isDryRun {
      _ = try target.fetch(ExactName(name), keys: [])
      return try context.writeDryRun(["deleted": true, "recordName": .string(name)], text: "delete \(name, .bold)")
    }
    try context.confirm("delete record \(name)")
    let request = ModifyRecordsRequest(scope: target.scope, deletes: [target.record(name)])
    try target.service.records.modifyRecords(request, by: target.caller).deletes[0].get()
  }
}

/// - Assumption: cktool's `delete-records` deletes all that match, not one page of them.
struct CktoolDeleteRecordsCommand: Command {
  static let description = CommandDescription(
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
    requiredGlobalOptions: CktoolOptions.recordAccess, listedGlobalOptions: [GlobalOptions.yes],
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused], deletesData: true)

  let access = CktoolAccess()
  let recordType = CktoolOptions.recordType
  let filters = CktoolOptions.filters
  let dryRun = Option<Bool>(
    "dry-run", "WHETHER", .words(["true": true, "false": false]), help: "true only counts, as it does without this")
  let zone = ZoneOptions()

  var options: [any OptionDeclaration] { access.options + [recordType, filters, dryRun] + zone.options }

  func run(_ context: CommandContext) throws {
    let type = context[recordType]
    let query = Query(recordType: type, condition: try CktoolOptions.condition(context[filters]))
    let target = try zone.toolTarget(context)
    // No fields are fetched: only the record names are needed.
    var request = QueryRecordsRequest(scope: target.scope, zone: target.zone, query: query, desiredKeys: [])
    request.needsNameIndex = true
    guard context[dryRun] == false else {
      var walk = QueryWalk(request, to: target.service, by: target.caller)
      while try walk.next() != nil {}
      let count = walk.count + walk.failures.count
      try context.output.write("Dry run. Found \(count) matching records to delete.\n")
      if count > 0, !context.isGiven(dryRun) { context.output.notice("--dry-run false deletes them") }
      return
    }
    try context.confirm("delete all matching records of type \(type)")
    try context.output.write("Deleted \(delete(request, in: target)) records.\n")
  }

  private func delete(_ first: QueryRecordsRequest, in target: ZoneTarget) throws -> Int {
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

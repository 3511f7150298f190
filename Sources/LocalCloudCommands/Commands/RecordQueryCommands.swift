import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

struct RecordGetCommand: Command {
  static let description = CommandDescription(
    "record", "get", summary: "Show records by name",
    discussion: """
      With --json one record is the dictionary that its file holds; of several names, an object with a list of them as \
      "records". --format jsonl prints a line each.

      --asset-files writes the bytes of assets: FIELD=PATH those of a field to a file, a folder those of all fields to \
      files in it, called RECORD.FIELD, or RECORD.FIELD.1 and so on for a list. With --json the downloadURL of an asset \
      says where it was written.

      --value prints the value of a field and nothing else: text as it is, dates in ISO 8601, references by name, bytes in \
      base64, of an asset the path of its file, of a list a line for each element. Several print a line for each record, \
      with tabs between the values, escaped as in --format tsv. System fields are recordName, recordType, \
      recordChangeTag, parent, share, createdTimestamp, createdUserRecordName, modifiedTimestamp, \
      modifiedUserRecordName, and of a share url. With --json the record has these fields only.
      """,
    examples: [
      .init("Everything about a record", "localcloud record get ada --zone Contacts"),
      .init("One field", "name=$(localcloud record get ada --zone Contacts --value name)"),
      .init("A file", "localcloud record get holiday --zone Album --asset-files image=holiday.jpg"),
    ],
    exitCodes: [.noStore, .notFound, .refused, .storage])

  let names = ArgumentList<String>("name", completes: .record, help: "the records' names")
  let zone = ZoneOptions()
  let requestedFields = QueryOptions.requestedFields
  let assetFiles = OptionList<String>(
    "asset-files", "FIELD=PATH", takesSeveral: true, help: "write an asset to a file, or all of them to a folder")
  let values = OptionList<String>("value", "FIELD", help: "print the plain value of this field, for scripts")

  var arguments: [any ArgumentDeclaration] { [names] }
  var options: [any OptionDeclaration] { zone.options + [values, requestedFields, assetFiles] }

  func run(_ context: CommandContext) throws {
    let target = try zone.target(context)
    let names = context[self.names]
    let keys = context.valuesIfGiven(requestedFields)
    let files = try AssetFiles(context[assetFiles])
    let request = FetchRecordsRequest(
      scope: target.scope, records: names.map(target.record), desiredKeys: keys, withAssets: context.isGiven(assetFiles)
    )
    let results = try target.service.records.fetchRecords(request, by: target.caller)
    let outcomes = Outcomes(results.map { $0.mapError(target.located) }, names: names)
    var records = try outcomes.values.map(files.write)
    if let fields = context.valuesIfGiven(values) {
      let lines = try records.flatMap { try RecordValues(record: $0, target: target).lines(fields) }
      guard context.format.isJSON else {
        try context.writeLines(lines, areEscaped: fields.count > 1)
        return try outcomes.check("records")
      }
      for index in records.indices { records[index].keepFields(fields) }
    }
    let text = RecordText(people: try People(target.session))
    if names.count == 1 {
      for record in records { try context.writeResult(record: record, text) }
    } else if !records.isEmpty {
      try context.writeResult(
        list: "records", records.map { .object($0.object) }, table: text.table(records, .fieldColumns))
    }
    try outcomes.check("records")
  }
}

extension Record {
  fileprivate mutating func keepFields(_ names: [String]) {
    fields = fields.filter { names.contains($0.key) }
    encryptedFields = encryptedFields.filter { names.contains($0.key) }
  }
}

struct RecordListCommand: Command {
  static let description = CommandDescription(
    "record", "list", summary: "List records of a type, or all of a zone",
    discussion: """
      Without a type all records of the zone are listed, as a first fetch of its changes gives them; the default zone \
      keeps no changes and needs a type. Each page is printed as soon as it is there, so that a zone of any size can \
      be listed. The first page sets the widths of the columns.
      """,
    examples: [
      .init("All contacts", "localcloud record list Contact --zone Contacts"),
      .init("Everything that is shared with me there", "localcloud record list --database shared --zone Contacts"),
      .init("Names alone", "localcloud record list --zone Contacts --format jsonl | jq -r .recordName"),
    ],
    exitCodes: [.noStore, .notFound, .refused])

  let type = OptionalArgument<String>("type", help: "the record type")
  let zone = ZoneOptions()
  let limit = QueryOptions.limit()
  let requestedFields = QueryOptions.requestedFields

  var arguments: [any ArgumentDeclaration] { [type] }
  var options: [any OptionDeclaration] { zone.options + [limit, requestedFields] }

  func run(_ context: CommandContext) throws {
    let target = try zone.target(context)
    let keys = context.valuesIfGiven(requestedFields)
    let limit = context[self.limit] ?? .max
    let type = context[self.type]
    let text = RecordText(people: try People(target.session))
    var list = ListWriter(context, "records")
    let failures =
      if let type {
        try query(type, target, keys, limit, text, &list, context)
      } else {
        try all(target, keys, limit, text, &list)
      }
    try list.finish(isPartial: !failures.isEmpty)
    try ZoneWalk.check(failures, beside: list.count)
  }

  private func query(
    _ type: String, _ target: ZoneTarget, _ keys: [String]?, _ limit: Int, _ text: RecordText,
    _ list: inout ListWriter, _ context: CommandContext
  ) throws -> [ZoneChanges.Failure] {
    let request = QueryRecordsRequest(scope: target.scope, zone: target.zone, recordType: type, desiredKeys: keys)
    var walk = QueryWalk(request, to: target.service, by: target.caller, limit: limit)
    try walk.write(into: &list, RecordTable(text, .oneType), context)
    return walk.failures
  }

  private func all(
    _ target: ZoneTarget, _ keys: [String]?, _ limit: Int, _ text: RecordText, _ list: inout ListWriter
  ) throws -> [ZoneChanges.Failure] {
    guard target.zone.name != ZoneIdentifier.defaultName else {
      throw CommandFailure.usage(
        "<type> is missing: the default zone lists one type of record at a time", hint: "name a type, or another --zone"
      )
    }
    var walk = ZoneWalk(target, keys: keys, limit: limit)
    // A record that another process changes between two pages is listed once. Digests of the names take less memory.
    var seen: Set<Int> = []
    while let page = try walk.next() {
      let records = page.compactMap(\.record).filter { seen.insert($0.id.name.hashValue).inserted }
      try list.write(records.map { .object($0.object) }, table: text.table(records, .fieldWords))
    }
    return walk.failures
  }
}

struct RecordQueryCommand: Command {
  static let description = CommandDescription(
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
    exitCodes: [.failure, .noStore, .notFound, .refused])

  let type = Argument<String>.recordType
  let zone = ZoneOptions()
  let allZones = Flag(
    "all-zones", excludes: ["zone", "owner"], help: "all zones of the private database, not only one")
  let filters = QueryOptions.filters
  let sorts = OptionList<String>("sort", "FIELD[:desc]", short: "s", help: "the field to sort by; then the next one")
  let limit = QueryOptions.limit()
  let requestedFields = QueryOptions.requestedFields
  let continuationToken = Option<String>(
    "continuation-token", "TOKEN", help: "where an earlier call with a --limit left off")

  var arguments: [any ArgumentDeclaration] { [type] }
  var options: [any OptionDeclaration] {
    zone.options + [allZones, filters, sorts, limit, requestedFields, continuationToken]
  }

  func run(_ context: CommandContext) throws {
    let query = Query(
      recordType: context[type],
      condition: QueryCondition(try context[filters].map { try FilterText.filter($0) }),
      sorts: try context[sorts].map(FilterText.sort))
    let isEverywhere = context[allZones]
    let target = isEverywhere ? nil : try zone.target(context)
    let session = try target?.session ?? context.session()
    let request = QueryRecordsRequest(
      scope: target?.scope ?? context.scope(), zone: target?.zone, query: query,
      desiredKeys: context.valuesIfGiven(requestedFields),
      cursor: context[continuationToken])
    var walk = QueryWalk(request, to: session.service, by: session.caller, limit: context[limit] ?? .max)
    // With a limit there may be a token. Its key precedes the records, and it is only known at the end.
    var list = ListWriter(context, "records", isHeld: context.isGiven(limit))
    let table = RecordTable(RecordText(people: try People(session)), .oneType, ofZones: isEverywhere)
    try walk.write(into: &list, table, context)
    var position: JSONObject = [:]
    position["continuationToken"] = walk.cursor.map { .string($0) }
    if context.format == .jsonl, walk.cursor != nil { try list.write([.object(position)], table: Table([])) }
    try list.finish(position, isPartial: !walk.failures.isEmpty)
    if let cursor = walk.cursor { context.output.notice("there are more: --continuation-token \(cursor)") }
    try walk.check()
  }
}

import LocalCloudModel
import LocalCloudService

package enum RecordGetCommand: Command {
  package static let description = CommandDescription(
    "record", "get", summary: "Show records by name",
    discussion: """
      With --json one record is the dictionary that its file holds; of several names, an object with a list of them as \
      "records". --format jsonl prints a line each.

      --asset-files writes the bytes of assets: FIELD=PATH those of a field to a file, a folder those of all fields to \
      files in it, called RECORD.FIELD, or RECORD.FIELD.1 and so on for a list. With --json the downloadURL of an asset \
      says where it was written.
      """,
    examples: [
      .init("Everything about a record", "localcloud record get ada --zone Contacts"),
      .init("One field", "localcloud record get ada --zone Contacts --json | jq -r .fields.name.value"),
      .init("A file", "localcloud record get holiday --zone Album --asset-files image=holiday.jpg"),
    ],
    arguments: [ArgumentDescription("name", repeating: true, help: "the records' names")],
    options: ZoneOptions.all + [
      .values("requested-fields", "FIELD", aliases: ["keys"], help: "these fields only"),
      .values("asset-files", "FIELD=PATH", help: "write an asset to a file, or all of them to a folder"),
    ],
    exitCodes: [.noStore, .notFound, .refused, .storage])

  package static func run(_ context: CommandContext) throws {
    let target = try context.zoneTarget()
    let names = context.positionals("name")
    let keys = context.flag("requested-fields") ? context.all("requested-fields") : nil
    let files = try AssetFiles(context.all("asset-files"))
    let request = FetchRecordsRequest(
      scope: target.scope, records: names.map(target.record), desiredKeys: keys, withAssets: context.flag("asset-files")
    )
    let results = try target.service.records.fetchRecords(request, by: target.caller)
    let outcomes = Outcomes(results.map { $0.mapError(target.located) }, names: names)
    let records = try outcomes.values.map(files.write)
    let text = RecordText(people: try People(target.session))
    if names.count == 1 && context.format != .tsv {
      for record in records { try context.emit(record.object, text: text.details(record)) }
    } else if !records.isEmpty {
      try context.emit(list: "records", records.map { .object($0.object) }, table: text.table(records, .fieldColumns))
    }
    try outcomes.check("records")
  }
}

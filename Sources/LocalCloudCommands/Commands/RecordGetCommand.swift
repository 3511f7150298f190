import CloudService
import CloudStore

package enum RecordGetCommand: Command {
  package static let description = CommandDescription(
    "record", "get", summary: "Show records by name",
    discussion: """
      With --json one record is the dictionary that its file holds; of several names, an object with a list of them as \
      "records". --format jsonl prints a line each.
      """,
    examples: [
      .init("Everything about a record", "localcloud record get ada --zone Contacts"),
      .init("One field", "localcloud record get ada --zone Contacts --json | jq -r .fields.name.value"),
    ],
    arguments: [ArgumentDescription("name", repeating: true, help: "the records' names")],
    options: ZoneOptions.all + [
      .values("requested-fields", "FIELD", help: "these fields only")
    ],
    exitCodes: [.noStore, .notFound, .refused])

  package static func run(_ context: CommandContext) throws {
    let place = try context.zonePlace()
    let names = context.positionals("name")
    let keys = context.flag("requested-fields") ? context.all("requested-fields") : nil
    let request = FetchRecordsRequest(scope: place.scope, records: names.map(place.record), desiredKeys: keys)
    let outcomes = Outcomes(try place.service.fetchRecords(request, by: place.caller), names: names)
    let records = outcomes.values
    let text = RecordText(people: try People(place.session))
    if names.count == 1 && context.format != .tsv {
      for record in records { try context.emit(record.object, text: text.details(record)) }
    } else if !records.isEmpty {
      try context.emit(list: "records", records.map { .object($0.object) }, table: text.table(records, .fieldColumns))
    }
    try outcomes.check("records")
  }
}

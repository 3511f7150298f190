import LocalCloudModel
import LocalCloudService
import LocalCloudStore

package enum RecordListCommand: Command {
  package static let description = CommandDescription(
    "record", "list", summary: "List records of a type, or all of a zone",
    discussion: """
      Without a type all records of the zone are listed, as a first fetch of its changes gives them; the default zone \
      keeps no changes and needs a type.
      """,
    examples: [
      .init("All contacts", "localcloud record list Contact --zone Contacts"),
      .init("Everything that is shared with me there", "localcloud record list --database shared --zone Contacts"),
      .init("Names alone", "localcloud record list --zone Contacts --format jsonl | jq -r .recordName"),
    ],
    arguments: [ArgumentDescription("type", optional: true, help: "the record type")],
    options: ZoneOptions.all + [
      .value("limit", "COUNT", check: ValueCheck.wholeNumber(in: 1...Int.max), help: "at most so many"),
      .values("requested-fields", "FIELD", aliases: ["keys"], help: "these fields only"),
    ],
    exitCodes: [.noStore, .notFound, .refused])

  package static func run(_ context: CommandContext) throws {
    let place = try context.zonePlace()
    let keys = context.flag("requested-fields") ? context.all("requested-fields") : nil
    let limit = try context.integer("limit") ?? .max
    let type = context.positional("type")
    let (records, failures) =
      try type.map { try query($0, place, keys, limit) } ?? all(place, keys, limit)
    let text = RecordText(people: try People(place.session))
    try context.emit(
      list: "records", records.map { .object($0.object) }, isPartial: !failures.isEmpty,
      table: text.table(records, type == nil ? .fieldWords : .oneType))
    try ZoneWalk.check(failures, beside: records.count)
  }

  private typealias Found = (records: [Record], failures: [ZoneChanges.Failure])

  private static func query(_ type: String, _ place: ZonePlace, _ keys: [String]?, _ limit: Int) throws -> Found {
    let request = QueryRecordsRequest(scope: place.scope, zone: place.zone, recordType: type, desiredKeys: keys)
    let walk = try QueryWalk(request, to: place.service, by: place.caller, limit: limit)
    return (walk.records, walk.failures)
  }

  private static func all(_ place: ZonePlace, _ keys: [String]?, _ limit: Int) throws -> Found {
    guard place.zone.name != ZoneIdentifier.defaultName else {
      throw CommandFailure.usage(
        "<type> is missing: the default zone lists one type of record at a time", hint: "name a type, or another --zone"
      )
    }
    let walk = try ZoneWalk(place, keys: keys, limit: limit)
    return (walk.records, walk.failures)
  }
}

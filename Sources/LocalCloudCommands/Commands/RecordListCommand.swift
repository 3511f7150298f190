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
    let target = try context.zoneTarget()
    let keys = context.flag("requested-fields") ? context.all("requested-fields") : nil
    let limit = try context.integer("limit") ?? .max
    let type = context.positional("type")
    let (records, failures) =
      try type.map { try query($0, target, keys, limit) } ?? all(target, keys, limit)
    let text = RecordText(people: try People(target.session))
    try context.emit(
      list: "records", records.map { .object($0.object) }, isPartial: !failures.isEmpty,
      table: text.table(records, type == nil ? .fieldWords : .oneType))
    try ZoneWalk.check(failures, beside: records.count)
  }

  private typealias Found = (records: [Record], failures: [ZoneChanges.Failure])

  private static func query(_ type: String, _ target: ZoneTarget, _ keys: [String]?, _ limit: Int) throws -> Found {
    let request = QueryRecordsRequest(scope: target.scope, zone: target.zone, recordType: type, desiredKeys: keys)
    let walk = try QueryWalk(request, to: target.service, by: target.caller, limit: limit)
    return (walk.records, walk.failures)
  }

  private static func all(_ target: ZoneTarget, _ keys: [String]?, _ limit: Int) throws -> Found {
    guard target.zone.name != ZoneIdentifier.defaultName else {
      throw CommandFailure.usage(
        "<type> is missing: the default zone lists one type of record at a time", hint: "name a type, or another --zone"
      )
    }
    let walk = try ZoneWalk(target, keys: keys, limit: limit)
    return (walk.records, walk.failures)
  }
}

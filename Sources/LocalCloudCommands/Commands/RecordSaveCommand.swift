import LocalCloudModel
import LocalCloudService
import LocalCloudStorage

package enum RecordSaveCommand: Command {
  package static let description = CommandDescription(
    "record", "save", summary: "Save a record",
    discussion: """
      Saves the fields that are named; others that the record has stay. Without --tag the record counts as new, made on \
      this device: if there is one of that name already, iCloud answers serverRecordChanged, and the exit code is 14. \
      --tag says which version was edited; --update looks that up first, for a record that is there, as "record update" \
      does without asking for its type; --policy changed or all does not ask.
      """,
    examples: [
      .init("A new record", "localcloud record save Contact --zone Contacts --name ada name=Ada age:int64=36"),
      .init(
        "With a value that only its owner and participants can read",
        "localcloud record save Contact --zone Contacts --name eve note:encrypted='knows too much'"),
      .init("Change a field of it", "localcloud record save Contact --zone Contacts --name ada --update age:int64=37"),
      .init(
        "In a zone that somebody shares with me",
        "localcloud record save Phone --database shared --zone Contacts --parent ada number=12345"),
      .init("With a file", "localcloud record save Photo --zone Album image:asset=holiday.jpg"),
    ],
    arguments: [ArgumentDescription("type", help: "the record type"), FieldArguments.argument],
    options: [
      .value("name", "NAME", short: "n", aliases: ["record-name"], help: "the record's name; else a new UUID")
    ] + ZoneOptions.all + RecordEditing.parent + [
      .value("tag", "TAG", help: "the change tag of the version that was edited"),
      .flag("update", help: "fetch the change tag first; the record must be there"),
      .value(
        "policy", "POLICY", allowed: SavePolicy.names,
        help: "unchanged refuses to save over somebody else's change; changed and all save anyway"),
    ] + FieldArguments.options,
    exclusiveOptions: RecordEditing.exclusiveOptions + [["tag", "update"]],
    exitCodes: [.failure, .noStore, .locked, .notFound, .conflict, .refused, .unsupported])

  package static func run(_ context: CommandContext) throws {
    let target = try context.zoneTarget()
    let type = try context.required("type")
    let policy = context.string("policy").flatMap(SavePolicy.init(name:)) ?? .ifServerRecordUnchanged
    let name = context.string("name").map { ExactName($0) }
    let record: Record
    if context.flag("update") {
      guard let name else { throw CommandFailure.usage("--update needs --name: which record") }
      record = try context.updateRecord(name, type: type, in: target, tag: nil, policy: policy)
    } else {
      record = try target.save(
        context.recordSave(name ?? target.session.newRecordName(), type: type, in: target, tag: context.string("tag")),
        policy: policy)
    }
    try context.report(saved: record, in: target, as: "saved")
  }
}

extension SavePolicy {
  static let names = ["unchanged", "changed", "all"]

  init?(name: String) {
    guard let index = Self.names.firstIndex(of: name) else { return nil }
    self.init(rawValue: index)
  }
}

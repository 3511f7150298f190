import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

package enum RecordUpdateCommand: Command {
  package static let description = CommandDescription(
    "record", "update", summary: "Change fields of a record that is there",
    discussion: """
      Other fields stay, and so does the record's type. If there is no such record, iCloud answers unknownItem, and the exit \
      code is 13. The version that is found counts as the one that was edited; --if-tag names another, and where the record \
      has changed since then nothing is written, and the exit code is 14.
      """,
    examples: [
      .init("One field", "localcloud record update ada --zone Contacts age:int64=37"),
      .init("Only if nobody was faster", "localcloud record update ada --zone Contacts --if-tag 4 age:int64=37"),
      .init("Take a field away", "localcloud record update ada --zone Contacts age:null="),
    ],
    arguments: [ArgumentDescription("name", help: "the record's name"), FieldArguments.argument],
    options: ZoneOptions.all + RecordEditing.parent + [
      .value("if-tag", "TAG", help: "the change tag of the version that was edited")
    ] + FieldArguments.options,
    exclusiveOptions: RecordEditing.exclusiveOptions,
    exitCodes: [.failure, .noStore, .locked, .notFound, .conflict, .refused, .schemaRefused])

  package static func run(_ context: CommandContext) throws {
    let options = FieldArguments.exclusiveOptions + ["parent", "no-parent"]
    guard !context.positionals("field").isEmpty || options.contains(where: context.flag) else {
      throw CommandFailure.usage("there is nothing to change: name a field, --parent or --no-parent")
    }
    let target = try context.zoneTarget()
    let record = try context.updateRecord(
      ExactName(context.required("name")), type: nil, in: target, tag: context.string("if-tag"),
      policy: .ifServerRecordUnchanged)
    try context.report(saved: record, in: target, as: "updated")
  }
}

import LocalCloudService
import LocalCloudStore

package enum CktoolCreateRecordCommand: Command {
  package static let description = CommandDescription(
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
    options: CktoolOptions.access + [CktoolOptions.recordType] + ZoneOptions.all + FieldArguments.options,
    requiredGlobalOptions: CktoolOptions.recordAccess, exclusiveOptions: [FieldArguments.exclusiveOptions],
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused, .schemaRefused])

  package static func run(_ context: CommandContext) throws {
    guard FieldArguments.exclusiveOptions.contains(where: context.flag) else {
      throw CommandFailure.usage("one of --fields-json, --fields-file and --fields-stdin is missing")
    }
    let target = try context.toolTarget()
    let save = try context.recordSave(
      target.session.newRecordName(), type: context.required("record-type"), in: target, tag: nil)
    try context.emitToolJSON(RecordToolJSON.object(target.save(save, makingTypes: false)))
  }
}

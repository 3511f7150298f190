import LocalCloudModel
import LocalCloudService

package enum CktoolDeleteRecordCommand: Command {
  package static let description = CommandDescription(
    "cktool", "delete-record", summary: "Delete a record",
    discussion: "Prints nothing. Deleting what is not there is no error. " + CktoolOptions.note,
    examples: [
      .init(
        "Without a question",
        "localcloud cktool delete-record --container-id iCloud.com.example.App --environment development --database-type private --record-name ada --yes"
      )
    ],
    options: CktoolOptions.access + [.value("record-name", "NAME", required: true, help: "the record's name")]
      + ZoneOptions.all,
    requiredGlobalOptions: CktoolOptions.recordAccess, exitCodes: [.failure, .noStore, .locked, .notFound, .refused])

  package static func run(_ context: CommandContext) throws {
    let name = try context.required("record-name")
    let target = try context.toolTarget()
    try context.confirm("delete record \(name)")
    let request = ModifyRecordsRequest(scope: target.scope, deletes: [target.record(name)])
    try target.service.records.modifyRecords(request, by: target.caller).deletes[0].get()
  }
}

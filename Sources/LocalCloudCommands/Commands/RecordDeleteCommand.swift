import CloudModel
import CloudService

package enum RecordDeleteCommand: Command {
  package static let description = CommandDescription(
    "record", "delete", summary: "Delete records",
    discussion: """
      All or none of them, in a zone of one's own making. As with iCloud, deleting what is not there is no error; what \
      refers to a deleted record by deleteSelf goes with it.
      """,
    examples: [.init("Two records", "localcloud record delete ada bob --zone Contacts")],
    arguments: [ArgumentDescription("name", repeating: true, help: "the records' names")],
    options: ZoneOptions.all, exitCodes: [.failure, .noStore, .locked, .notFound, .refused])

  package static func run(_ context: CommandContext) throws {
    let place = try context.zonePlace()
    let names = context.positionals("name")
    let request = ModifyRecordsRequest(scope: place.scope, deletes: names.map { place.record($0) })
    let results = try place.service.records.modifyRecords(request, by: place.caller).deletes
    let outcomes = Outcomes(zip(names, results).map { name, result in result.map { name } }, names: names)
    if !outcomes.values.isEmpty {
      try context.report(
        ["records": .array(outcomes.values.map { ["deleted": true, "recordName": .string($0)] })],
        text: "deleted \(outcomes.values.joined(separator: ", "), .bold)")
    }
    try outcomes.check("records")
  }
}

import LocalCloudModel
import LocalCloudService

package enum RecordDeleteCommand: Command {
  package static let description = CommandDescription(
    "record", "delete", summary: "Delete records",
    discussion: """
      All or none of them, in a zone of one's own making. As with iCloud, deleting a record that does not exist is no \
      error: the result names such records, with --json by "deleted": false. Records that refer to a deleted one by \
      deleteSelf are deleted with it.
      """,
    examples: [.init("Two records", "localcloud record delete ada bob --zone Contacts")],
    arguments: [ArgumentDescription("name", repeating: true, help: "the records' names")],
    options: ZoneOptions.all, exitCodes: [.failure, .noStore, .locked, .notFound, .refused])

  package static func run(_ context: CommandContext) throws {
    let target = try context.zoneTarget()
    let names = context.positionals("name")
    let request = ModifyRecordsRequest(scope: target.scope, deletes: names.map { target.record($0) })
    let response = try target.service.records.modifyRecords(request, by: target.caller)
    let results = response.deletes.enumerated().map { index, result in
      result.map { (name: names[index], isDeleted: !response.absent.contains(index)) }
    }
    let outcomes = Outcomes(results, names: names)
    let (deleted, absent) = (outcomes.values.filter(\.isDeleted), outcomes.values.filter { !$0.isDeleted })
    if !outcomes.values.isEmpty {
      try context.report(
        [
          "records": .array(
            outcomes.values.map { ["deleted": .bool($0.isDeleted), "recordName": .string($0.name)] })
        ], text: text(deleted.map(\.name), absent: absent.map(\.name), in: target))
    }
    if !absent.isEmpty { context.output.hint("--zone names another zone, \"record list\" shows the records of a zone") }
    try outcomes.check("records")
  }

  private static func text(_ deleted: [String], absent: [String], in target: ZoneTarget) -> StyledText {
    var lines: [StyledText] = []
    if !deleted.isEmpty { lines.append("deleted \(deleted.joined(separator: ", "), .bold)") }
    if !absent.isEmpty {
      lines.append("nothing to delete in \(target.searched): \(absent.joined(separator: ", "), .bold)")
    }
    return lines.reduce(StyledText()) { $0.isEmpty ? $1 : $0 + "\n" + $1 }
  }
}

import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

struct HistoryCommand: Command {
  static let description = CommandDescription(
    "history", summary: "Show the versions of a record",
    discussion: """
      A line for each version that the zone's log has, the newest last: what happened to the record, its change tag, \
      when, by which account and on which device, and which fields changed. "touched" is a new tag without other fields: \
      a child was saved, or the record entered or left a share. Versions from before these things were logged have \
      "not recorded" in their place.

      Values of old versions are not kept. Those before and after a change are shown where the tree still has them: in \
      the record itself, and in snapshots. Encrypted values are shown if the account has the key. Once the log is \
      compacted, earlier versions are not kept either; a notice, and with --json "isComplete", says so and since when.
      """,
    examples: [
      .init("Who changed a record, and when", "localcloud history ada --zone Contacts"),
      .init("As a participant sees it", "localcloud history ada --zone Contacts --database shared --account bob"),
      .init(
        "Who saved the last version",
        "localcloud history ada --zone Contacts --json | jq -r '.versions[-1].modified.userRecordName'"),
    ],
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused, .storage])

  let name = Argument<String>("name", completes: .record, help: "the record's name")
  let zone = ZoneOptions()

  var arguments: [any ArgumentDeclaration] { [name] }
  var options: [any OptionDeclaration] { zone.options }

  func run(_ context: CommandContext) throws {
    let target = try zone.target(context)
    let history: RecordHistory
    do {
      history = try target.service.feeds.history(
        of: target.record(context[name]), in: target.scope, by: target.caller)
    } catch {
      throw target.located(error)
    }
    let text = HistoryText(people: try People(target.session))
    try context.writeResult(
      list: "versions", history.versions.map { .object($0.object) }, extra: history.head, table: text.table(history))
    if context.format != .json, let gap = HistoryText.gap(in: history) { context.output.notice("\(gap)") }
  }
}

import LocalCloudService

package enum ShareShowCommand: Command {
  package static let description = CommandDescription(
    "share", "show", summary: "Show a share and its participants",
    discussion: "By its link also whoever is only invited can see it.",
    examples: [
      .init("By the record that is shared", "localcloud share show ada --zone Contacts"),
      .init("Its link", "localcloud share show ada --zone Contacts --json | jq -r .url"),
    ],
    arguments: [ShareTarget.argument], options: ZoneOptions.all, exitCodes: [.noStore, .notFound, .refused])

  package static func run(_ context: CommandContext) throws {
    let target = try context.shareTarget()
    let people = try People(target.session)
    if context.format == .tsv {
      let table = ShareText(people: people).participants(target.details)
      try context.emit(list: "participants", [], table: table)
    } else {
      try context.emit(target.record.object, text: ShareText(people: people).details(target.record))
    }
  }
}

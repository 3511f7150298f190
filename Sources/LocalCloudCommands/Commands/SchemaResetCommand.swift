import LocalCloudModel
import LocalCloudService
import LocalCloudStore

package enum SchemaResetCommand: Command {
  package static let description = CommandDescription(
    "schema", "reset", summary: "Make development what production is, without any data",
    discussion: """
      As the CloudKit console and cktool do: development's schema becomes production's, which is empty where nothing was \
      deployed, and everything that anybody keeps in development goes: zones, records, shares and subscriptions, in the \
      private databases of all accounts and in the public one. Production stays as it is. If it is cut short, doing it again \
      does the rest.
      """,
    examples: [
      .init("What of the schema would be lost", "localcloud schema diff"),
      .init("Without a question", "localcloud schema reset --yes"),
    ],
    exitCodes: [.failure, .noStore, .locked, .storage])

  package static func run(_ context: CommandContext) throws {
    if context.string("environment") == CloudEnvironment.production.rawValue {
      throw CommandFailure.usage("production is never reset", hint: "leave --environment out: it is development's")
    }
    let session = try context.session()
    let container = session.caller.container
    try context.confirm("delete all data of development in \(container)")
    let reset = try session.service.schemas.resetDevelopment(by: session.caller)
    let people = try People(session)
    var document = SchemaChangesText.document(reset.changes)
    document["containerIdentifier"] = .string(container)
    document["recordCount"] = .integer(Int64(reset.records))
    document["subscriptionCount"] = .integer(Int64(reset.subscriptions))
    document["zones"] = .array(reset.zones.map { .object($0.object) })
    try context.report(document, text: text(reset, container, people))
  }

  private static func text(_ reset: DevelopmentReset, _ container: String, _ people: People) -> StyledText {
    let names = reset.zones.map { zone in
      zone.zone.owner == ZoneIdentifier.currentUser
        ? "the public database" : RecordText(people: people).zoneName(zone.zone)
    }
    let gone =
      names.isEmpty ? "there was no data" : "gone are \(reset.records) records: \(names.joined(separator: ", "))"
    return SchemaChangesText.lines(reset.changes, none: "")
      + "reset development of \(container, .bold): \(gone)"
  }
}

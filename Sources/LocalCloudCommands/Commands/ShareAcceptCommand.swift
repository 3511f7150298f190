import LocalCloudModel
import LocalCloudService

package enum ShareAcceptCommand: Command {
  package static let description = CommandDescription(
    "share", "accept", summary: "Join a share by its link",
    discussion: "The share's records are then in the shared database, in a zone of the owner's.",
    examples: [
      .init("As bob", "localcloud share accept \"$url\" --account bob"),
      .init("What came with it", "localcloud record list --database shared --zone Contacts --account bob"),
    ],
    arguments: [ArgumentDescription("link", help: "the share's link")],
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused])

  package static func run(_ context: CommandContext) throws {
    let session = try context.session()
    let link = try context.required("link")
    let record = try context.withLinkHint { () throws(ServiceError) in
      // Fetches the metadata first, as an app does. It fails for a caller that may not see the share.
      _ = try session.service.sharing.shareMetadata(ShareMetadataRequest(url: link), by: session.caller)
      return try session.service.sharing.acceptShare(url: link, by: session.caller)
    }
    let zone = record.id.zone
    let owner = try People(session).name(of: zone.owner)
    let title = record.fields["cloudkit.title"]?.text ?? record.id.name.string
    try context.report(record.object, text: "joined \(title, .bold): zone \(zone.name) of \(owner)")
    context.output.hint(
      "see it with: localcloud record list --database shared --zone \(ShellText.word(zone.name.string)) --owner \(owner)"
    )
  }
}

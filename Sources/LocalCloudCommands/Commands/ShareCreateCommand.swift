import CloudService
import CloudStore

package enum ShareCreateCommand: Command {
  package static let description = CommandDescription(
    "share", "create", summary: "Share a record and all below it",
    discussion: """
      Shares the record, its children by parent, and theirs. The result is the share's link; who is invited, or whoever \
      has the link if --public-permission allows it, joins with share accept.
      """,
    examples: [
      .init(
        "With one person, who may write",
        "localcloud share create ada --zone Contacts --with bob --permission readWrite"),
      .init(
        "With whoever has the link", "url=$(localcloud share create ada --zone Contacts --public-permission readOnly)"),
    ],
    arguments: [ArgumentDescription("root", help: "the record name of the root")],
    options: ZoneOptions.all + [
      ShareOptions.title, ShareOptions.publicPermission,
      .value(
        "with", "WHO", repeating: true, help: "somebody to invite: an e-mail address, a phone number or an account"),
      ShareOptions.permission("what those invited with --with may do; else readOnly"),
      .value("share-name", "NAME", help: "the share's own record name; else Share- and a UUID"),
    ],
    exitCodes: [.failure, .noStore, .locked, .notFound, .conflict, .refused])

  package static func run(_ context: CommandContext) throws {
    let place = try context.zonePlace()
    let root = try place.fetch(ExactName(context.required("root")))
    let people = try context.participants(
      context.all("with"), permission: context.permission ?? .readOnly, in: place.service, by: place.caller)
    let name = context.string("share-name").map { ExactName($0) } ?? ExactName("Share-\(place.session.newRecordName())")
    let share = RecordSave(
      id: RecordIdentifier(name: name, zone: place.zone), type: Record.shareType, fields: context.titleFields,
      share: ShareSave(root: root.id.name, publicPermission: context.publicPermission ?? .none, participants: people))
    let save = RecordSave(
      id: RecordIdentifier(name: root.id.name, zone: place.zone), type: root.type, changeTag: root.changeTag)
    let request = ModifyRecordsRequest(scope: place.scope, saves: [save, share])
    let results = try place.service.modifyRecords(request, by: place.caller).saves
    // Where the share is refused, the root fails only for its sake.
    let record = try results[1].get()
    _ = try results[0].get()
    try context.emit(record.object, text: "\(record.shareDetails?.url ?? "")")
    context.output.notice("shared \(root.id.name, .bold) as \(record.id.name)")
    if people.isEmpty && record.shareDetails?.publicPermission == SharePermission.none {
      context.output.hint("nobody is invited yet: localcloud share invite LINK --to WHO")
    }
  }
}

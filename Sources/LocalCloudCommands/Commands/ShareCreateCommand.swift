import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

package enum ShareCreateCommand: Command {
  package static let description = CommandDescription(
    "share", "create", summary: "Share a record and all below it, or a whole zone",
    discussion: """
      Shares the record, its children by parent, and theirs; without a record, all that is in the zone. The result is \
      the share's link; who is invited, or whoever has the link if --public-permission allows it, joins with share accept.
      """,
    examples: [
      .init(
        "With one person, who may write",
        "localcloud share create ada --zone Contacts --with bob --permission readWrite"),
      .init("A whole zone", "localcloud share create --zone Contacts --with bob"),
      .init(
        "With whoever has the link", "url=$(localcloud share create ada --zone Contacts --public-permission readOnly)"),
    ],
    arguments: [
      ArgumentDescription("root", optional: true, help: "the record name of the root; else the whole zone is shared")
    ],
    options: ZoneOptions.all + [
      ShareOptions.title, ShareOptions.publicPermission,
      .value(
        "with", "WHO", repeating: true, help: "somebody to invite: an e-mail address, a phone number or an account"),
      ShareOptions.permission("what those invited with --with may do; else readOnly"),
      .value("share-name", "NAME", help: "the share's own record name; else Share- and a UUID (a zone's has its own)"),
    ],
    exitCodes: [.failure, .noStore, .locked, .notFound, .conflict, .refused])

  package static func run(_ context: CommandContext) throws {
    if context.positional("root") == nil, context.string("zone") == nil {
      throw CommandFailure.usage("<root> is missing", hint: "to share a whole zone, add --zone NAME")
    }
    let target = try context.zoneTarget()
    let root = try context.positional("root").map { try target.fetch(ExactName($0)) }
    let people = try context.participants(
      context.all("with"), permission: context.permission ?? .readOnly, in: target.service, by: target.caller)
    let name = try name(in: target, isZoneWide: root == nil, context)
    let share = RecordSave(
      id: RecordIdentifier(name: name, zone: target.zone), type: Record.shareType, fields: context.titleFields,
      share: ShareSave(root: root?.id.name, publicPermission: context.publicPermission ?? .none, participants: people))
    let save = root.map { root in
      RecordSave(
        id: RecordIdentifier(name: root.id.name, zone: target.zone), type: root.type, changeTag: root.changeTag)
    }
    let request = ModifyRecordsRequest(scope: target.scope, saves: [save, share].compactMap { $0 })
    // The share's result is examined first: if the share is refused, the root fails only because of it.
    let results = try context.modifyShare(share.id, request, in: target.service, by: target.caller).saves.reversed().map
    {
      try $0.get()
    }
    let record = results[0]
    try context.emit(record.object, text: "\(record.shareDetails?.url ?? "")")
    let what = root.map { $0.id.name } ?? target.zone.name
    context.output.notice("shared \(root == nil ? "the zone " : "")\(what, .bold) as \(record.id.name)")
    if people.isEmpty && record.shareDetails?.publicPermission == SharePermission.none {
      context.output.hint("nobody is invited yet: localcloud share invite LINK --to WHO")
    }
  }

  /// The share's record name. A zone-wide share always has the same name.
  private static func name(in target: ZoneTarget, isZoneWide: Bool, _ context: CommandContext) throws -> ExactName {
    let chosen = context.string("share-name")
    guard isZoneWide else { return ExactName(chosen ?? "Share-\(target.session.newRecordName())") }
    if chosen != nil {
      throw CommandFailure.usage("--share-name names the share of a record", hint: "name the record to share")
    }
    return Record.zoneWideShareName
  }
}

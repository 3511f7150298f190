import CloudService

package enum ShareSetCommand: Command {
  package static let description = CommandDescription(
    "share", "set", summary: "Change a share's title or what people may do",
    examples: [
      .init("Let somebody write", "localcloud share set ada --zone Contacts --participant bob --permission readWrite"),
      .init("Close it to strangers", "localcloud share set \"$url\" --public-permission none"),
    ],
    arguments: [SharePlace.argument],
    options: ZoneOptions.all + [
      ShareOptions.title, ShareOptions.publicPermission,
      .value(
        "participant", "WHO", repeating: true,
        help: "somebody on the list: an address, a number, an account or a participant ID"),
      ShareOptions.permission("what the participants named may do"),
    ],
    exitCodes: [.failure, .noStore, .locked, .notFound, .conflict, .refused])

  package static func run(_ context: CommandContext) throws {
    let participants = context.all("participant")
    guard participants.isEmpty == (context.permission == nil) else {
      throw CommandFailure.usage("--participant and --permission belong together")
    }
    guard context.permission != nil || context.publicPermission != nil || context.string("title") != nil else {
      throw CommandFailure.usage("nothing to change was named")
    }
    let place = try context.sharePlace()
    var details = place.details
    if let permission = context.publicPermission { details.publicPermission = permission }
    for index in try place.positions(participants) {
      details.participants[index].permission = context.permission ?? .readOnly
    }
    let record = try place.save(details, fields: context.titleFields)
    try context.report(record.object, text: "changed share \(record.id.name, .bold)")
  }
}

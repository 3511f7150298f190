import LocalCloudService

package enum ShareInviteCommand: Command {
  package static let description = CommandDescription(
    "share", "invite", summary: "Invite people to a share",
    examples: [.init("Somebody who may write", "localcloud share invite \"$url\" --to bob --permission readWrite")],
    arguments: [ShareTarget.argument],
    options: ZoneOptions.all + [
      .value(
        "to", "WHO", aliases: ["with"], repeating: true, required: true,
        help: "an e-mail address, a phone number or an account"),
      ShareOptions.permission("what they may do; else readOnly"), ShareOptions.role,
    ],
    exitCodes: [.failure, .noStore, .locked, .notFound, .conflict, .refused])

  package static func run(_ context: CommandContext) throws {
    let target = try context.shareTarget()
    var details = target.details
    details.participants += try context.participants(
      context.all("to"), permission: context.permission ?? .readOnly, in: target.service, by: target.caller
    ).map { participant in
      var participant = participant
      if let role = context.role { participant.role = role }
      return participant
    }
    let record = try target.save(details)
    try context.report(
      record.object, text: "invited \(context.all("to").joined(separator: ", "), .bold) to \(record.id.name)")
  }
}

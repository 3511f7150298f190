import LocalCloudService

package enum ShareApproveCommand: Command {
  package static let description = CommandDescription(
    "share", "approve", summary: "Invite people who asked to be let in",
    examples: [
      .init("Somebody who may write", "localcloud share approve \"$url\" --person carol --permission readWrite")
    ],
    arguments: [ShareTarget.argument],
    options: ZoneOptions.all + [
      ShareOptions.person("somebody who asks"), ShareOptions.permission("what they may do; else readOnly"),
    ],
    exitCodes: [.failure, .noStore, .locked, .notFound, .conflict, .refused])

  package static func run(_ context: CommandContext) throws {
    let target = try context.shareTarget()
    var details = target.details
    let people = try target.people(
      context.all("person"), in: details.accessRequests.requesters, otherwise: "does not ask for access to")
    for participant in try target.service.sharing.participants(for: people.compactMap(\.lookup), by: target.caller) {
      var participant = try participant.get()
      participant.permission = context.permission ?? .readOnly
      details.participants.append(participant)
    }
    let record = try target.save(details)
    try context.report(
      record.object, text: "invited \(context.all("person").joined(separator: ", "), .bold) to \(record.id.name)")
  }
}

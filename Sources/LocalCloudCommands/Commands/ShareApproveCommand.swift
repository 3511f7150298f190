import LocalCloudService

package enum ShareApproveCommand: Command {
  package static let description = CommandDescription(
    "share", "approve", summary: "Invite people who asked to be let in",
    examples: [
      .init("Somebody who may write", "localcloud share approve \"$url\" --person carol --permission readWrite")
    ],
    arguments: [SharePlace.argument],
    options: ZoneOptions.all + [
      ShareOptions.person("somebody who asks"), ShareOptions.permission("what they may do; else readOnly"),
    ],
    exitCodes: [.failure, .noStore, .locked, .notFound, .conflict, .refused])

  package static func run(_ context: CommandContext) throws {
    let place = try context.sharePlace()
    var details = place.details
    let people = try place.people(
      context.all("person"), in: details.accessRequests.requesters, otherwise: "does not ask for access to")
    for participant in try place.service.sharing.participants(for: people.compactMap(\.lookup), by: place.caller) {
      var participant = try participant.get()
      participant.permission = context.permission ?? .readOnly
      details.participants.append(participant)
    }
    let record = try place.save(details)
    try context.report(
      record.object, text: "invited \(context.all("person").joined(separator: ", "), .bold) to \(record.id.name)")
  }
}

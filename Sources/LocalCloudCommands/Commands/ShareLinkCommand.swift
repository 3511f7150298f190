import LocalCloudModel
import LocalCloudService

package enum ShareLinkCommand: Command {
  package static let description = CommandDescription(
    "share", "link", summary: "Make a link that lets in one person",
    discussion: "Whoever uses it first is the participant; nobody else can join by it.",
    examples: [
      .init("For somebody whose address is not known", "url=$(localcloud share link ada --zone Contacts)"),
      .init("Use it", "localcloud share accept \"$url\" --account bob"),
    ],
    arguments: [SharePlace.argument],
    options: ZoneOptions.all + [ShareOptions.permission("what the person may do; else readOnly"), ShareOptions.role],
    exitCodes: [.failure, .noStore, .locked, .notFound, .conflict, .refused])

  package static func run(_ context: CommandContext) throws {
    let place = try context.sharePlace()
    var entry = place.service.sharing.participantByLink()
    entry.permission = context.permission ?? .readOnly
    if let role = context.role { entry.role = role }
    var details = place.details
    details.participants.append(entry)
    let saved = try place.save(details).shareDetails ?? ShareDetails()
    guard let entry = saved.participants.first(where: { $0.participantID == entry.participantID }),
      let url = saved.oneTimeURL(of: entry)
    else { throw CommandFailure.notFound("the share \(place.record.id.name) lost the entry again", hint: nil) }
    try context.emit(saved.object(of: entry), text: "\(url)")
  }
}

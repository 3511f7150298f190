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
    arguments: [ShareTarget.argument],
    options: ZoneOptions.all + [ShareOptions.permission("what the person may do; else readOnly"), ShareOptions.role],
    exitCodes: [.failure, .noStore, .locked, .notFound, .conflict, .refused])

  package static func run(_ context: CommandContext) throws {
    let target = try context.shareTarget()
    var entry = target.service.sharing.participantByLink()
    entry.permission = context.permission ?? .readOnly
    if let role = context.role { entry.role = role }
    var details = target.details
    details.participants.append(entry)
    let saved = try target.save(details).shareDetails ?? ShareDetails()
    guard let entry = saved.participants.first(where: { $0.participantID == entry.participantID }),
      let url = saved.oneTimeURL(of: entry)
    else { throw CommandFailure.notFound("the share \(target.record.id.name) lost the entry again", hint: nil) }
    try context.emit(saved.object(of: entry), text: "\(url)")
  }
}

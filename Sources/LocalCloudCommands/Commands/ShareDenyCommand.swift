import LocalCloudModel

package enum ShareDenyCommand: Command {
  package static let description = CommandDescription(
    "share", "deny", summary: "Turn down people who asked to be let in",
    discussion: "They may ask again; \"share block\" keeps them from it.",
    examples: [.init("One person", "localcloud share deny \"$url\" --person carol")],
    arguments: [ShareTarget.argument],
    options: ZoneOptions.all + [ShareOptions.person("somebody who asks")],
    exitCodes: [.failure, .noStore, .locked, .notFound, .conflict, .refused])

  package static func run(_ context: CommandContext) throws {
    let target = try context.shareTarget()
    var details = target.details
    let people = try target.people(
      context.all("person"), in: details.accessRequests.requesters, otherwise: "does not ask for access to")
    details.accessRequests.requesters.removeAll { people.contains($0) }
    let record = try target.save(details)
    try context.report(
      record.object, text: "turned down \(context.all("person").joined(separator: ", "), .bold)")
  }
}

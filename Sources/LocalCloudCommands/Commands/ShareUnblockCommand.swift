import LocalCloudModel

package enum ShareUnblockCommand: Command {
  package static let description = CommandDescription(
    "share", "unblock", summary: "Let people ask for access again",
    examples: [.init("One person", "localcloud share unblock \"$url\" --person carol")],
    arguments: [ShareTarget.argument],
    options: ZoneOptions.all + [ShareOptions.person("somebody who is blocked")],
    exitCodes: [.failure, .noStore, .locked, .notFound, .conflict, .refused])

  package static func run(_ context: CommandContext) throws {
    let target = try context.shareTarget()
    var details = target.details
    let people = try target.people(
      context.all("person"), in: details.accessRequests.blocked, otherwise: "is not blocked from")
    details.accessRequests.blocked.removeAll { people.contains($0) }
    let record = try target.save(details)
    try context.report(record.object, text: "unblocked \(context.all("person").joined(separator: ", "), .bold)")
  }
}

import LocalCloudModel

package enum ShareRemoveCommand: Command {
  package static let description = CommandDescription(
    "share", "remove", summary: "Take people off a share's list",
    discussion: "They can see its records no more. Whoever came by a public link can come back by it.",
    examples: [.init("One person", "localcloud share remove ada --zone Contacts --participant bob")],
    arguments: [ShareTarget.argument],
    options: ZoneOptions.all + [
      .value(
        "participant", "WHO", repeating: true, required: true,
        help: "somebody on the list: an address, a number, an account or a participant ID")
    ],
    exitCodes: [.failure, .noStore, .locked, .notFound, .conflict, .refused])

  package static func run(_ context: CommandContext) throws {
    let target = try context.shareTarget()
    let removed = Set(try target.indexes(of: context.all("participant")))
    var details = target.details
    details.participants = details.participants.indices.filter { !removed.contains($0) }.map {
      details.participants[$0]
    }
    let record = try target.save(details)
    try context.report(
      record.object,
      text: "removed \(context.all("participant").joined(separator: ", "), .bold) from \(record.id.name)")
  }
}

import LocalCloudModel

package enum ShareStopCommand: Command {
  package static let description = CommandDescription(
    "share", "stop", summary: "End a share of one's own",
    discussion: "The records stay; all participants lose sight of them, and the link leads nowhere.",
    examples: [.init("By the record that is shared", "localcloud share stop ada --zone Contacts")],
    arguments: [SharePlace.argument], options: ZoneOptions.all,
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused])

  package static func run(_ context: CommandContext) throws {
    let place = try context.sharePlace()
    if place.scope == .shared {
      throw CommandFailure.usage(
        "the share \(place.record.id.name) is somebody else's", hint: "\"share leave\" leaves it")
    }
    try place.delete()
    try context.report(place.deletion, text: "stopped sharing \(place.rootName, .bold)")
  }
}

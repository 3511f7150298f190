import LocalCloudModel

package enum ShareStopCommand: Command {
  package static let description = CommandDescription(
    "share", "stop", summary: "End a share of one's own",
    discussion: "The records stay; all participants lose sight of them, and the link leads nowhere.",
    examples: [.init("By the record that is shared", "localcloud share stop ada --zone Contacts")],
    arguments: [ShareTarget.argument], options: ZoneOptions.all,
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused])

  package static func run(_ context: CommandContext) throws {
    let target = try context.shareTarget()
    if target.scope == .shared {
      throw CommandFailure.usage(
        "the share \(target.record.id.name) is somebody else's", hint: "\"share leave\" leaves it")
    }
    try target.delete()
    try context.report(target.deletion, text: "stopped sharing \(target.rootName, .bold)")
  }
}

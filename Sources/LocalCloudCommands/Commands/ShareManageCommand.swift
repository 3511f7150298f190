package enum ShareManageCommand: Command {
  package static let description = CommandDescription(
    "share", "manage", summary: "Work on a share by a menu, at a terminal",
    discussion: """
      Shows the share's participants and asks what to do: invite, change what somebody may do, remove, open to whoever has \
      the link, stop or leave. Each does what the command of that name does. It needs a terminal; scripts use those.
      """,
    examples: [.init("A record's share", "localcloud share manage ada --zone Contacts")],
    arguments: [ShareTarget.argument], options: ZoneOptions.all,
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused, .interrupted])

  package static func run(_ context: CommandContext) throws {
    guard context.mayAsk else {
      throw CommandFailure(
        .usage, code: "terminalNeeded", "\"share manage\" asks questions, and here is nobody to answer them",
        hint: "use \"share show\", \"invite\", \"set\", \"remove\", \"stop\" and \"leave\"")
    }
    let target = try context.shareTarget()
    guard let link = target.details.url else {
      throw CommandFailure.notFound(
        "the share \(target.record.id.name) has no link", hint: "\"check\" says what is wrong")
    }
    try ShareMenu(context: context, link: link).run()
  }
}

import LocalCloudModel

package enum ShareLeaveCommand: Command {
  package static let description = CommandDescription(
    "share", "leave", summary: "Leave somebody else's share",
    discussion: "Looks for the share in the shared database. \"zone delete --database shared\" leaves all of a zone.",
    examples: [.init("By its link", "localcloud share leave \"$url\" --account bob")],
    arguments: [ShareTarget.argument], options: ZoneOptions.all,
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused])

  package static func run(_ context: CommandContext) throws {
    let target = try context.shareTarget(standard: .shared)
    if target.scope != .shared {
      throw CommandFailure.usage(
        "the share \(target.record.id.name) is this account's own", hint: "\"share stop\" ends it")
    }
    try target.delete()
    try context.report(target.deletion, text: "left the share of \(target.rootName, .bold)")
  }
}

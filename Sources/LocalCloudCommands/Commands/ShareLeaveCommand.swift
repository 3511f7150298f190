import LocalCloudModel

package enum ShareLeaveCommand: Command {
  package static let description = CommandDescription(
    "share", "leave", summary: "Leave somebody else's share",
    discussion: "Looks for the share in the shared database. \"zone delete --database shared\" leaves all of a zone.",
    examples: [.init("By its link", "localcloud share leave \"$url\" --account bob")],
    arguments: [SharePlace.argument], options: ZoneOptions.all,
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused])

  package static func run(_ context: CommandContext) throws {
    let place = try context.sharePlace(standard: .shared)
    if place.scope != .shared {
      throw CommandFailure.usage(
        "the share \(place.record.id.name) is this account's own", hint: "\"share stop\" ends it")
    }
    try place.delete()
    try context.report(place.deletion, text: "left the share of \(place.rootName, .bold)")
  }
}

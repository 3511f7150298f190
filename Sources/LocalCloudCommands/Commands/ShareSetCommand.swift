import LocalCloudModel

package enum ShareSetCommand: Command {
  package static let description = CommandDescription(
    "share", "set", summary: "Change a share's title, what people may do, or whether others may ask to be let in",
    examples: [
      .init("Let somebody write", "localcloud share set ada --zone Contacts --participant bob --permission readWrite"),
      .init("Close it to strangers", "localcloud share set \"$url\" --public-permission none"),
      .init("Let people ask", "localcloud share set \"$url\" --access-requests allowed"),
    ],
    arguments: [ShareTarget.argument],
    options: ZoneOptions.all + [
      ShareOptions.title, ShareOptions.publicPermission,
      .value(
        "participant", "WHO", repeating: true,
        help: "somebody on the list: an address, a number, an account or a participant ID"),
      ShareOptions.permission("what the participants named may do"), ShareOptions.role,
      .value(
        "access-requests", "WHETHER", allowed: ["allowed", "refused"],
        help: "whether people who are not invited may ask for access"),
    ],
    exitCodes: [.failure, .noStore, .locked, .notFound, .conflict, .refused])

  package static func run(_ context: CommandContext) throws {
    let participants = context.all("participant")
    guard participants.isEmpty == (context.permission == nil && context.role == nil) else {
      throw CommandFailure.usage("--participant belongs together with --permission or --role")
    }
    guard
      ["permission", "role", "public-permission", "title", "access-requests"].contains(where: {
        context.string($0) != nil
      })
    else {
      throw CommandFailure.usage("nothing to change was named")
    }
    let target = try context.shareTarget()
    var details = target.details
    if let permission = context.publicPermission { details.setPublicPermission(permission) }
    for index in try target.indexes(of: participants) {
      if let permission = context.permission { details.participants[index].permission = permission }
      if let role = context.role { details.participants[index].role = role }
    }
    if let whether = context.string("access-requests") { details.accessRequests.areAllowed = whether == "allowed" }
    let record = try target.save(details, fields: context.titleFields)
    try context.report(record.object, text: "changed share \(record.id.name, .bold)")
  }
}

import LocalCloudModel

package enum ShareBlockCommand: Command {
  package static let description = CommandDescription(
    "share", "block", summary: "Take people off a share and its requests, and let them ask no more",
    examples: [.init("One person", "localcloud share block \"$url\" --person carol")],
    arguments: [ShareTarget.argument],
    options: ZoneOptions.all + [ShareOptions.person("somebody with an account")],
    exitCodes: [.failure, .noStore, .locked, .notFound, .conflict, .refused])

  package static func run(_ context: CommandContext) throws {
    let target = try context.shareTarget()
    var details = target.details
    for who in context.all("person") {
      guard let person = try target.identity(who) else {
        throw CommandFailure.notFound("\(who) is nobody's account", hint: "\"account list\" lists them")
      }
      details.accessRequests.blocked.append(person)
    }
    let record = try target.save(details)
    try context.report(record.object, text: "blocked \(context.all("person").joined(separator: ", "), .bold)")
  }
}

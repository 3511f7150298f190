import LocalCloudModel
import LocalCloudService

package enum ShareRequestCommand: Command {
  package static let description = CommandDescription(
    "share", "request", summary: "Ask to be let in to a share",
    discussion:
      "As with iCloud, success does not tell whether there is such a share, or whether it takes requests.",
    examples: [
      .init("As carol", "localcloud share request \"$url\" --account carol"),
      .init("Let her in", "localcloud share approve \"$url\" --person carol --account alice"),
    ],
    arguments: [ArgumentDescription("link", help: "the share's link")],
    exitCodes: [.noStore, .locked, .refused])

  package static func run(_ context: CommandContext) throws {
    let session = try context.session()
    let link = try context.required("link")
    guard ShareDetails.shortGUID(inURL: link) != nil else {
      throw CommandFailure.usage(
        "\(ShellText.word(link)) is no share's link", hint: "a link begins with \(ShareDetails.urlPrefix)")
    }
    try session.service.sharing.requestAccess(url: link, by: session.caller)
    try context.report(["requested": true, "url": .string(link)], text: "sent the request, if the share takes any")
  }
}

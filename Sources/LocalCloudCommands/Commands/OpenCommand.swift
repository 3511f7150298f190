import LocalCloudModel
import LocalCloudService

struct OpenCommand: Command {
  static let description = CommandDescription(
    "open", summary: "Open a share's link, as tapping it does",
    discussion: """
      Shows what the link leads to for this account, and hands it to the program that listens on this device, which joins \
      the share or not; see LocalCloud.onShareAccepted. Without one, it waits for the next that does. "share accept" \
      joins at once.
      """,
    examples: [
      .init("On bob's device", "localcloud open \"$url\" --account bob"),
      .init("On another one of his", "localcloud open \"$url\" --account bob --device bobs-laptop"),
    ],
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused, .storage])

  let link = Argument<String>.shareLink

  var arguments: [any ArgumentDeclaration] { [link] }

  func run(_ context: CommandContext) throws {
    let session = try context.session()
    let link = context[self.link]
    let metadata = try context.withLinkHint { () throws(ServiceError) in
      try session.service.devices.open(url: link, by: session.caller)
    }
    var document = metadata.object
    document["deviceID"] = .string(session.deviceName)
    try context.writeResult(document, text: MetadataText(people: People(session)).details(metadata))
    context.output.notice("handed to the device \(session.deviceName, .bold)")
  }
}

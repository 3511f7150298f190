import LocalCloudService

package enum PushReplayCommand: Command {
  package static let description = CommandDescription(
    "push", "replay", summary: "Hand pushes out once more",
    discussion: """
      Each is put behind all others on this device, as it was; the program that listens gets it again, and "push watch" \
      shows it again.
      """,
    examples: [.init("The push 3", "localcloud push replay 3 --account bob")],
    arguments: [
      ArgumentDescription("push", repeating: true, help: "the pushes' numbers, as \"push list\" shows them")
    ],
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused])

  package static func run(_ context: CommandContext) throws {
    let numbers = try context.positionals("push").map { text in
      guard let number = Int64(text), number > 0 else {
        throw CommandFailure.usage("<push> \"\(text)\" is no push's number")
      }
      return number
    }
    let session = try context.session()
    let pushes = try session.service.pushes.repeatPushes(numbers, by: session.caller)
    try context.report(
      ["pushes": .array(pushes.map { .object($0.object) })],
      text: "handed out again: \(numbers.map { "\($0)" }.joined(separator: ", "), .bold)")
  }
}

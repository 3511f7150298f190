import LocalCloudModel
import LocalCloudService
import LocalCloudStorage

package enum PushListCommand: Command {
  package static let description = CommandDescription(
    "push", "list", summary: "List the pushes that came to this device",
    discussion: """
      Taken are those that a program got; the others wait for the next one that listens. See LocalCloud.onPush.
      """,
    examples: [
      .init("On bob's device", "localcloud push list --account bob"),
      .init("What waits", "localcloud push list --waiting"),
      .init("The dictionaries alone", "localcloud push list --json | jq '.pushes[].userInfo'"),
    ],
    options: [.flag("waiting", help: "only those that no program got yet")],
    exitCodes: [.noStore, .refused])

  package static func run(_ context: CommandContext) throws {
    let session = try context.session()
    let (all, taken) = try session.service.pushes.list(by: session.caller)
    let pushes = context.flag("waiting") ? all.filter { $0.sequence > taken } : all
    let text = PushText(people: try People(session))
    try context.emit(
      list: "pushes", pushes.map { .object($0.document(taken: taken)) }, table: text.table(pushes, taken: taken))
  }
}

extension DeliveredPush {
  /// The push's line in the log, and whether a program has taken it.
  func document(taken: Int64) -> JSONObject {
    var document = object
    document["taken"] = .bool(sequence <= taken)
    return document
  }
}

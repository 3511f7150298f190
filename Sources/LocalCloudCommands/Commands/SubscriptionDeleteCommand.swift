import LocalCloudModel
import LocalCloudService

package enum SubscriptionDeleteCommand: Command {
  package static let description = CommandDescription(
    "subscription", "delete", summary: "End subscriptions",
    examples: [.init("No more pushes of it", "localcloud subscription delete notes-changed")],
    arguments: [ArgumentDescription("id", repeating: true, help: "the subscriptions' IDs")],
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused])

  package static func run(_ context: CommandContext) throws {
    let session = try context.session()
    let ids = context.positionals("id")
    let results = try session.service.subscriptions.modifySubscriptions(
      ModifySubscriptionsRequest(scope: context.scope(), deletes: ids), by: session.caller
    ).deletes
    let outcomes = Outcomes(zip(ids, results).map { id, result in result.map { id } }, names: ids)
    if !outcomes.values.isEmpty {
      try context.report(
        ["subscriptions": .array(outcomes.values.map { ["deleted": true, "subscriptionID": .string($0)] })],
        text: "deleted \(outcomes.values.joined(separator: ", "), .bold)")
    }
    try outcomes.check("subscriptions")
  }
}

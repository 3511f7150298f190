import LocalCloudService

package enum SubscriptionListCommand: Command {
  package static let description = CommandDescription(
    "subscription", "list", summary: "List one's subscriptions to a database",
    examples: [
      .init("To my own data", "localcloud subscription list"),
      .init("To what others share with me", "localcloud subscription list --database shared"),
    ],
    exitCodes: [.noStore, .refused])

  package static func run(_ context: CommandContext) throws {
    let session = try context.session()
    let subscriptions = try session.service.subscriptions.list(nil, in: context.scope(), by: session.caller)
      .map { try $0.get() }
    try context.emit(
      list: "subscriptions", subscriptions.map { .object($0.object) }, table: SubscriptionText.table(subscriptions))
  }
}

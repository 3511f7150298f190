import LocalCloudModel
import LocalCloudService
import LocalCloudStorage

package enum SubscriptionCreateCommand: Command {
  package static let description = CommandDescription(
    "subscription", "create", summary: "Ask for pushes about changes",
    discussion: """
      A query subscription tells of each record of a type that comes, changes or goes, a zone subscription of every change \
      in a zone, a database subscription of every change in the zones of the private database or in what others share. It \
      belongs to the account: all its devices get the pushes, but for the one that made the change. One of the same ID is \
      replaced.
      """,
    examples: [
      .init(
        "New notes, with a text",
        "localcloud subscription create query new-notes --record-type Note --on create --alert 'A new note'"),
      .init("Everything in a zone", "localcloud subscription create zone notes --zone Notes"),
      .init("What others share with me", "localcloud subscription create database shared --database shared"),
    ],
    arguments: [
      ArgumentDescription("kind", allowed: ["query", "zone", "database"], help: "what it tells of"),
      ArgumentDescription("id", help: "the subscription's ID, of one's own choice"),
    ],
    options: [
      .value("record-type", "TYPE", short: "t", help: "only records of this type; a query subscription needs it"),
      .value("zone", "NAME", short: "z", aliases: ["zone-name"], help: "only this zone; a zone subscription needs it"),
      .value(
        "on", "CHANGE", repeating: true, allowed: FireOptions.words.map(\.word),
        help: "create, update or delete; else all of them"),
      .flag("once", help: "the first push ends the subscription"),
    ] + NotificationOptions.all,
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused])

  package static func run(_ context: CommandContext) throws {
    let kind = try kind(context)
    let session = try context.session()
    var subscription = Subscription(id: try context.required("id"), kind: kind)
    if case .query = kind {} else { subscription.recordType = context.string("record-type") }
    subscription.notification = context.notificationInfo
    let saved = try session.service.subscriptions.modifySubscriptions(
      ModifySubscriptionsRequest(
        scope: context.scope(), saves: [ModifySubscriptionsRequest.Save(subscription)]), by: session.caller
    ).saves[0].get()
    try context.report(saved.object, text: "saved \(saved.typeName) subscription \(saved.id, .bold)")
  }

  private static func kind(_ context: CommandContext) throws -> Subscription.Kind {
    let kind = try context.required("kind")
    let zone = context.string("zone").map { ZoneIdentifier(name: ExactName($0)) }
    if kind != "query", !context.all("on").isEmpty || context.flag("once") {
      throw CommandFailure.usage("--on and --once belong to a query subscription")
    }
    switch kind {
    case "query":
      guard let type = context.string("record-type") else {
        throw CommandFailure.usage("a query subscription needs --record-type TYPE")
      }
      var fires: FireOptions = context.flag("once") ? .once : []
      let words = context.all("on")
      for (word, option) in FireOptions.words where words.isEmpty || words.contains(word) { fires.insert(option) }
      return .query(SubscriptionQuery(recordType: type, zone: zone, fires: fires))
    case "zone":
      guard let zone else { throw CommandFailure.usage("a zone subscription needs --zone NAME") }
      return .zone(zone)
    default:
      if zone != nil { throw CommandFailure.usage("a database subscription is about all zones") }
      return .database
    }
  }
}

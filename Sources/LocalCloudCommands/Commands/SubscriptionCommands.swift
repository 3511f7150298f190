import LocalCloudModel
import LocalCloudService
import LocalCloudStorage

struct SubscriptionCreateCommand: Command {
  static let description = CommandDescription(
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
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused])

  enum Kind: String, CaseIterable { case query, zone, database }

  let kind = Argument<Kind>("kind", .cases, help: "what it tells of")
  let id = Argument<String>("id", help: "the subscription's ID, of one's own choice")
  let recordType = Option<String>(
    "record-type", "TYPE", short: "t", help: "only records of this type; a query subscription needs it")
  let zone = ZoneOptions.zoneName("only this zone; a zone subscription needs it")
  let changes = OptionList<FireOptions>(
    "on", "CHANGE", ValueType(named: FireOptions.words.map { ($0.word, $0.option) }),
    help: "create, update or delete; else all of them")
  let once = Flag("once", help: "the first push ends the subscription")
  let notification = NotificationOptions()

  var arguments: [any ArgumentDeclaration] { [kind, id] }
  var options: [any OptionDeclaration] { [recordType, zone, changes, once] + notification.options }

  func run(_ context: CommandContext) throws {
    let kind = try kind(context)
    let session = try context.session()
    var subscription = Subscription(id: context[id], kind: kind)
    if case .query = kind {} else { subscription.recordType = context[recordType] }
    subscription.notification = notification.info(context)
    let saved = try session.service.subscriptions.modifySubscriptions(
      ModifySubscriptionsRequest(
        scope: context.scope(), saves: [ModifySubscriptionsRequest.Save(subscription)]), by: session.caller
    ).saves[0].get()
    try context.writeResult(
      made: [saved.id], saved.object, text: "saved \(saved.typeName) subscription \(saved.id, .bold)")
  }

  private func kind(_ context: CommandContext) throws -> Subscription.Kind {
    let kind = context[self.kind]
    let zone = context[self.zone].map { ZoneIdentifier(name: ExactName($0)) }
    if kind != .query, !context[changes].isEmpty || context[once] {
      throw CommandFailure.usage("--on and --once belong to a query subscription")
    }
    switch kind {
    case .query:
      guard let type = context[recordType] else {
        throw CommandFailure.usage("a query subscription needs --record-type TYPE")
      }
      var fires = FireOptions(context[changes])
      if fires.isEmpty { fires = .changes }
      if context[once] { fires.insert(.once) }
      return .query(SubscriptionQuery(recordType: type, zone: zone, fires: fires))
    case .zone:
      guard let zone else { throw CommandFailure.usage("a zone subscription needs --zone NAME") }
      return .zone(zone)
    case .database:
      if zone != nil { throw CommandFailure.usage("a database subscription is about all zones") }
      return .database
    }
  }
}

struct SubscriptionListCommand: Command {
  static let description = CommandDescription(
    "subscription", "list", summary: "List one's subscriptions to a database",
    examples: [
      .init("To my own data", "localcloud subscription list"),
      .init("To what others share with me", "localcloud subscription list --database shared"),
    ],
    exitCodes: [.noStore, .refused])

  func run(_ context: CommandContext) throws {
    let session = try context.session()
    let subscriptions = try session.service.subscriptions.list(nil, in: context.scope(), by: session.caller)
      .map { try $0.get() }
    try context.writeResult(
      list: "subscriptions", subscriptions.map { .object($0.object) }, table: SubscriptionText.table(subscriptions))
  }
}

struct SubscriptionDeleteCommand: Command {
  static let description = CommandDescription(
    "subscription", "delete", summary: "End subscriptions",
    examples: [.init("No more pushes of it", "localcloud subscription delete notes-changed")],
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused], deletesData: true)

  let ids = ArgumentList<String>("id", completes: .subscription, help: "the subscriptions' IDs")
  let dryRun = Flag.dryRun

  var arguments: [any ArgumentDeclaration] { [ids] }
  var options: [any OptionDeclaration] { [dryRun] }

  func run(_ context: CommandContext) throws {
    let session = try context.session()
    let ids = context[self.ids]
    let subscriptions = session.service.subscriptions
    let results: [Result<String, ServiceError>]
    if context.isDryRun {
      results = try subscriptions.list(ids, in: context.scope(), by: session.caller).map { $0.map(\.id) }
    } else {
      let deletes = try subscriptions.modifySubscriptions(
        ModifySubscriptionsRequest(scope: context.scope(), deletes: ids), by: session.caller
      ).deletes
      results = zip(ids, deletes).map { id, result in result.map { id } }
    }
    let outcomes = Outcomes(results, names: ids)
    if !outcomes.values.isEmpty {
      let names = outcomes.values.joined(separator: ", ")
      let document: JSONObject = [
        "subscriptions": .array(outcomes.values.map { ["deleted": true, "subscriptionID": .string($0)] })
      ]
      if context.isDryRun {
        try context.writeDryRun(document, text: "delete \(names, .bold)")
      } else {
        try context.writeUnlessQuiet(document, text: "deleted \(names, .bold)")
      }
    }
    try outcomes.check("subscriptions")
  }
}

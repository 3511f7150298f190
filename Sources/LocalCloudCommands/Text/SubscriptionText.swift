import LocalCloudModel

/// Formats subscriptions for people.
enum SubscriptionText {
  static func table(_ subscriptions: [Subscription]) -> Table {
    Table(
      ["subscription", "kind", "zone", "type", "fires on", "shows"],
      rows: subscriptions.map { subscription in
        [
          subscription.id, subscription.typeName, zone(subscription), type(subscription), fires(subscription),
          shows(subscription.notification),
        ]
      })
  }

  private static func zone(_ subscription: Subscription) -> String {
    switch subscription.kind {
    case .query(let query): query.zone?.name.string ?? ""
    case .zone(let zone): zone.name.string
    case .database: ""
    }
  }

  private static func type(_ subscription: Subscription) -> String {
    if case .query(let query) = subscription.kind { return query.recordType }
    return subscription.recordType ?? ""
  }

  private static func fires(_ subscription: Subscription) -> String {
    guard case .query(let query) = subscription.kind else { return "any change" }
    let words = FireOptions.words.filter { query.fires.contains($0.option) }.map(\.word)
    return words.joined(separator: ", ") + (query.fires.contains(.once) ? ", once" : "")
  }

  private static func shows(_ info: NotificationInfo?) -> String {
    guard let info else { return "" }
    return info.alert.plain ?? info.alert.key ?? info.title.plain ?? info.title.key ?? ""
  }
}

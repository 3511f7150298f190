import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport

/// Helpers for one person's subscriptions and pushes.
extension Person {
  @discardableResult
  func subscribe(_ subscription: Subscription) throws -> Subscription {
    let save = ModifySubscriptionsRequest.Save(subscription)
    return try service.subscriptions.modifySubscriptions(
      ModifySubscriptionsRequest(scope: scope, saves: [save]), by: caller
    )
    .saves[0].get()
  }

  @discardableResult
  func subscribe(
    toType type: String = "Note", id: String = "query", in zone: ZoneIdentifier? = nil,
    fires: FireOptions = .changes, _ info: NotificationInfo? = nil
  ) throws -> Subscription {
    try subscribe(
      Subscription(
        id: id, kind: .query(SubscriptionQuery(recordType: type, zone: zone, fires: fires)), notification: info))
  }

  @discardableResult
  func subscribeToZone(id: String = "zone", type: String? = nil, _ info: NotificationInfo? = nil) throws -> Subscription
  {
    try subscribe(Subscription(id: id, kind: .zone(zone), recordType: type, notification: info))
  }

  @discardableResult
  func subscribeToDatabase(id: String = "database", type: String? = nil) throws -> Subscription {
    try subscribe(Subscription(id: id, kind: .database, recordType: type))
  }

  func unsubscribe(_ id: String) throws {
    try service.subscriptions.modifySubscriptions(ModifySubscriptionsRequest(scope: scope, deletes: [id]), by: caller)
      .deletes[0]
      .get()
  }

  func subscriptions() throws -> [Subscription] {
    try service.subscriptions.list(nil, in: scope, by: caller).map { try $0.get() }
  }

  /// All pushes to the person's device, oldest first.
  func pushes() throws -> [DeliveredPush] { try service.pushes.list(by: caller).all }

  /// All pushes as texts: `zone changed`, `query created a`.
  func receivedPushes() throws -> [String] {
    try pushes().map { push in
      let query = push.userInfo["ck"]?["qry"]
      let words: [Int64: String] = [1: "created", 2: "updated", 3: "deleted"]
      let what = query?["fo"]?.integer.flatMap { words[$0] } ?? "changed"
      return [push.subscriptionID, what, query?["rid"]?.string].compactMap { $0 }.joined(separator: " ")
    }
  }

  /// The same person on another device, after a sign-in there.
  func signedIn(on device: String) throws -> Person {
    try service.cloud.withFolder("devices", LockWaitPolicy()) { folder in
      try folder.write(
        ["account": .string(caller.account ?? ""), "name": .string(device)], FileName.encode(device), "device.json")
    }
    var copy = Person(cloud, caller.account, device: device)
    (copy.scope, copy.zone) = (scope, zone)
    return copy
  }
}

/// Alice with a zone, on her default device and on a phone; and Bob.
struct PushStage {
  let cloud: TemporaryCloud
  let alice: Person
  let phone: Person
  let bob: Person

  init(configure: (inout ServiceSettings) -> Void = { _ in }) throws {
    cloud = try TemporaryCloud(configure: configure)
    alice = Person(cloud, "alice")
    bob = Person(cloud, "bob")
    phone = try alice.signedIn(on: "phone")
    try alice.makeZone()
  }

  /// Alice shares the record `root`, and Bob joins. Returns Bob in his shared database.
  func join(_ permission: SharePermission = .readWrite) throws -> Person {
    try alice.save(alice.note("root", "1"))
    let guest = try bob.inShared(zoneOf: alice)
    try guest.accept(alice.share("root", with: ["bob"], permission: permission))
    return guest
  }
}

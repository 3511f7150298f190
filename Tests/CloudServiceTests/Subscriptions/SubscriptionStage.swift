import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport

/// Shorthand for one person's subscriptions and pushes.
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

  /// Everything that came to the person's device, oldest first.
  func pushes() throws -> [DeliveredPush] { try service.pushes.list(by: caller).all }

  /// The same in words: `zone changed`, `query created a`.
  func told() throws -> [String] {
    try pushes().map { push in
      let query = push.userInfo["ck"]?["qry"]
      let words: [Int64: String] = [1: "created", 2: "updated", 3: "deleted"]
      let what = query?["fo"]?.integer.flatMap { words[$0] } ?? "changed"
      return [push.subscriptionID, what, query?["rid"]?.string].compactMap { $0 }.joined(separator: " ")
    }
  }

  /// The same person on another device, which is signed in by that.
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

/// Alice on her default device and on a phone, with a zone; and Bob.
struct PushStage {
  let cloud: TemporaryCloud
  let alice: Person
  let phone: Person
  let bob: Person

  init(configure: (inout CloudService.Settings) -> Void = { _ in }) throws {
    cloud = try TemporaryCloud(configure: configure)
    alice = Person(cloud, "alice")
    bob = Person(cloud, "bob")
    phone = try alice.signedIn(on: "phone")
    try alice.makeZone()
  }

  /// Alice shares the record `root`, and Bob joins; answers Bob in his shared database.
  func join(_ permission: SharePermission = .readWrite) throws -> Person {
    try alice.save(alice.note("root", "1"))
    let guest = try bob.inShared(zoneOf: alice)
    try guest.accept(alice.share("root", with: ["bob"], permission: permission))
    return guest
  }
}

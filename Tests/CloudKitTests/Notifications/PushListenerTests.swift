import CloudKit
import Foundation
import LocalCloud
import LocalCloudDeviceStore
import LocalCloudEmulator
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStore
import Synchronization
import TestSupport
import Testing

/// The pushes that the handlers received.
private final class Received: Sendable {
  private let state = Mutex([String]())

  func add(_ text: String) { state.withLock { $0.append(text) } }

  var all: [String] { state.withLock { $0 } }

  func wait(for count: Int, within seconds: Double = 20) async -> [String] {
    for _ in 0..<Int(seconds / 0.02) {
      if all.count >= count { return all }
      try? await Task.sleep(nanoseconds: 20_000_000)
    }
    return all
  }
}

@Suite("Delivery of pushes to the listeners on a device") struct PushListenerTests {
  private let cloud: TestCloud
  private let received = Received()
  private let alice: CKDatabase
  /// The other device of the test's people.
  private let phone = "phone"

  init() async throws {
    cloud = try TestCloud()
    alice = try cloud.container(of: "alice").privateCloudDatabase
    try await alice.save(CKRecordZone(zoneID: testZoneID))
    try LocalCloud.acting(as: "alice", device: phone, root: cloud.cloud.path) {
      _ = try Session(ActingIdentity.current!)
    }
  }

  private static func text(_ userInfo: [AnyHashable: Any]) -> String {
    guard let push = CKNotification(fromRemoteNotificationDictionary: userInfo) else { return "no notification" }
    switch push {
    case let push as CKQueryNotification:
      return "query \(push.recordID?.recordName ?? "") \(push.queryNotificationReason)"
    case let push as CKRecordZoneNotification: return "zone \(push.recordZoneID?.zoneName ?? "")"
    case let push as CKDatabaseNotification: return "database \(push.databaseScope)"
    default: return "\(push)"
    }
  }

  private func listen(
    device: String? = "phone", to received: Received? = nil, container: String? = nil,
    _ also: @escaping @Sendable (String) async -> Void = { _ in }
  ) throws -> PushListener {
    let received = received ?? self.received
    return try LocalCloud.acting(as: "alice", device: device, root: cloud.cloud.path, container: "iCloud.test") {
      try LocalCloud.onPush(
        in: container.map(CKContainer.init(identifier:)), failed: { received.add("failed: \($0)") }
      ) { userInfo in
        let text = Self.text(userInfo)
        received.add(text)
        await also(text)
      }
    }
  }

  private func subscribe() async throws {
    try await alice.save(CKRecordZoneSubscription(zoneID: testZoneID, subscriptionID: "zone"))
  }

  private func queue() throws -> PushService.PushLocation {
    try cloud.cloud.service.pushes.pushLocation(of: cloud.cloud.caller("alice", device: phone))
  }

  @Test("each kind of push is delivered once, in order, as its class, and not to the device that made the change")
  func eachKindOfPushIsDeliveredOnce() async throws {
    let own = Received()
    let (listener, other) = (try listen(), try listen(device: nil, to: own))
    let query = CKQuerySubscription(
      recordType: "Note", predicate: NSPredicate(value: true), subscriptionID: "query")
    for subscription in [query, CKDatabaseSubscription(subscriptionID: "all")] { try await alice.save(subscription) }
    try await subscribe()
    let note = try await alice.save(note("a", "1"))
    note["title"] = "2"
    try await alice.save(note)
    _ = try await alice.deleteRecord(withID: note.recordID)
    let wanted = ["recordCreated", "recordUpdated", "recordDeleted"].flatMap {
      ["database private", "query a \($0)", "zone Home"]
    }.map { $0.replacing("private", with: "\(CKDatabase.Scope.private)") }
    #expect(await received.wait(for: 9) == wanted)
    await listener.stop()
    await other.stop()
    #expect(own.all == [])
    #expect(try queue().waiting() == [])
  }

  @Test("desired fields are delivered with their types") func desiredFieldsAreDeliveredWithTheirTypes() async throws {
    let location = CLLocation(latitude: 1, longitude: 2)
    let received = received
    let listener = try LocalCloud.acting(as: "alice", device: phone, root: cloud.cloud.path) {
      try LocalCloud.onPush(in: CKContainer(identifier: "iCloud.test")) { userInfo in
        let push = CKNotification(fromRemoteNotificationDictionary: userInfo) as? CKQueryNotification
        let fields = push?.recordFields ?? [:]
        received.add(
          "\(fields["title"] as? String ?? "") \(fields["count"] as? Int ?? 0) \(fields["half"] as? Double ?? 0)")
        received.add("\((fields["count"] as? NSNumber)?.intValue ?? 0)")
        received.add("\((fields["where"] as? CLLocation)?.coordinate.longitude ?? 0)")
        received.add("\(((userInfo["aps"] as? [String: Any])?["badge"] as? NSNumber)?.intValue ?? 0)")
        received.add("\((userInfo["aps"] as? [AnyHashable: Any])?["alert"] as? String ?? "")")
      }
    }
    let subscription = CKQuerySubscription(
      recordType: "Note", predicate: NSPredicate(value: true), subscriptionID: "query")
    subscription.notificationInfo = CKSubscription.NotificationInfo(
      alertBody: "New", desiredKeys: ["title", "count", "where"], shouldBadge: true)
    try await alice.save(subscription)
    let record = note("a", "Milk")
    (record["count"], record["where"]) = (3, location)
    try await alice.save(record)
    #expect(await self.received.wait(for: 5) == ["Milk 3 0.0", "3", "2.0", "1", "New"])
    await listener.stop()
  }

  @Test("pushes that arrive while no program listens are delivered to the next listener")
  func pushesThatArriveWhileNoProgramListens() async throws {
    try await subscribe()
    for name in ["a", "b"] { try await alice.save(note(name)) }
    let listener = try listen()
    #expect(await received.wait(for: 2) == ["zone Home", "zone Home"])
    await listener.stop()
    try await alice.save(note("c"))
    let again = try listen()
    #expect(await received.wait(for: 3).count == 3)
    await again.stop()
    #expect(received.all.count == 3)
  }

  @Test("each listener of a process gets each push, and a stopped listener gets none") func eachListenerOfAProcessGets()
    async throws
  {
    try await subscribe()
    let (first, second) = (Received(), Received())
    let (one, two) = (try listen(to: first), try listen(to: second))
    try await alice.save(note("a"))
    #expect(await first.wait(for: 1).count == 1)
    #expect(await second.wait(for: 1).count == 1)
    await one.stop()
    try await alice.save(note("b"))
    #expect(await second.wait(for: 2).count == 2)
    #expect(first.all.count == 1)
    await two.stop()
    try await alice.save(note("c"))
    try await Task.sleep(nanoseconds: 100_000_000)
    #expect(second.all.count == 2)
  }

  @Test("a handler may stop its own listener and save records, and that save sends its device no push")
  func withinTheHandler() async throws {
    try await subscribe()
    let holder = Mutex<PushListener?>(nil)
    let received = received
    let listener = try LocalCloud.acting(as: "alice", device: phone, root: cloud.cloud.path) {
      try LocalCloud.onPush(in: CKContainer(identifier: "iCloud.test")) { _ in
        // The handler acts as the listener's account and device, so the phone makes this save.
        _ = try? await CKContainer(identifier: "iCloud.test").privateCloudDatabase.save(note("answer"))
        await holder.withLock { $0 }?.stop()
        received.add("stopped")
      }
    }
    holder.withLock { $0 = listener }
    try await alice.save(note("a"))
    #expect(await received.wait(for: 1) == ["stopped"])
    // Outside of the handler, stop() waits until the push is marked as delivered.
    await listener.stop()
    try await alice.save(note("b"))
    try await Task.sleep(nanoseconds: 100_000_000)
    #expect(received.all == ["stopped"])
    #expect(try queue().waiting().count == 1)
    holder.withLock { $0 = nil }
  }

  @Test("a push whose process ends in its handler is delivered to the next listener, and a handled push is not")
  func pushWhoseProcessEndsInItsHandler()
    async throws
  {
    try await subscribe()
    for name in ["a", "b"] { try await alice.save(note(name)) }
    let queue = try queue()
    var lease: HeldLease? = try queue.cursor.hold()
    let first = try #require(try queue.waiting().first)
    // Another process has the lease, so no push is delivered.
    let listener = try listen()
    try await Task.sleep(nanoseconds: 200_000_000)
    #expect(received.all == [])
    // That process handles the first push, and ends in the handler of the second.
    try lease?.pass(first.sequence)
    lease = nil
    #expect(await received.wait(for: 1) == ["zone Home"])
    await listener.stop()
    #expect(try queue.waiting() == [])
  }

  @Test("coalesced: of several waiting zone pushes only one is delivered") func coalescedOfSeveralWaitingZonePushes()
    async throws
  {
    try await subscribe()
    let query = CKQuerySubscription(
      recordType: "Note", predicate: NSPredicate(value: true), subscriptionID: "query")
    try await alice.save(query)
    for name in ["a", "b", "c"] { try await alice.save(note(name)) }
    let received = received
    var delivery = PushDelivery()
    delivery.isCoalesced = true
    #expect(PushDelivery(text: "coalesced") == delivery)
    #expect(PushDelivery(text: "self,coalesced")?.text == "coalesced,self")
    #expect(PushDelivery(text: "some") == nil)
    let listener = try PushListener(coalescing: cloud.cloud, device: phone) { received.add($0) }
    let reasons = await self.received.wait(for: 4)
    #expect(reasons == ["qry", "qry", "qry", "fet"])
    await listener.stop()
    #expect(try queue().waiting() == [])
  }

  @Test("pushes of other containers and other users are not delivered to the program")
  func pushesOfOtherContainersAndOtherUsers() async throws {
    try await subscribe()
    let listener = try listen(container: "iCloud.other")
    try await alice.save(note("a"))
    try await Task.sleep(nanoseconds: 200_000_000)
    await listener.stop()
    #expect(received.all == [])
    let found = try listen()
    #expect(await received.wait(for: 1) == ["zone Home"])
    await found.stop()
  }

  /// Adds a listener of alice's phone to its reader. `calls`: its calls, "push", "taken" or a failure.
  private func join() throws -> (
    reader: PushReader, number: Int, acting: ActingIdentity?, calls: AsyncStream<String>
  ) {
    let acting = try LocalCloud.acting(as: "alice", device: phone, root: cloud.cloud.path, container: "iCloud.test") {
      ActingIdentity.current
    }
    let (calls, call) = AsyncStream<String>.makeStream()
    let (reader, number) = try PushReader.join(
      PushListeners.Listener(
        acting: acting, failed: { call.yield("failed: \($0)") }, takenElsewhere: { call.yield("taken") },
        handler: { _ in call.yield("push") }))
    return (reader, number, acting, calls)
  }

  @Test("a listener rests while its device is signed out, and gets the pushes after the next sign-in")
  func signedOut() async throws {
    try await subscribe()
    let devices = cloud.cloud.service.devices
    let (reader, number, acting, calls) = try join()
    defer { reader.leave(number) }
    _ = try devices.signOut(phone)
    // Otherwise the reader would try again each second.
    #expect(reader.takeAll(acting) == .infinity)
    _ = try devices.signIn("alice", on: phone)
    try await alice.save(note("a"))
    var received = calls.makeAsyncIterator()
    #expect(await received.next() == "push")
  }

  @Test(
    "after a change of the account, listeners are notified, because its pushes pass over those that waited",
    .timeLimit(.minutes(1)))
  func shortAccountChange() async throws {
    try await subscribe()
    let bob = try cloud.container(of: "bob").privateCloudDatabase
    try await bob.save(CKRecordZone(zoneID: testZoneID))
    try await bob.save(CKRecordZoneSubscription(zoneID: testZoneID, subscriptionID: "zone"))
    let devices = cloud.cloud.service.devices
    let (reader, number, _, calls) = try join()
    defer { reader.leave(number) }
    var received = calls.makeAsyncIterator()
    // A push waits for each account.
    try devices.setNetwork(NetworkCondition(.offline), of: phone)
    try await alice.save(note("a"))
    _ = try devices.signIn("bob", on: phone)
    try await bob.save(note("b"))
    try devices.setNetwork(nil, of: phone)
    #expect(await received.next() == "taken")
    #expect(await received.next() == "push")
    await reader.finish()
    _ = try devices.signIn("alice", on: phone)
    #expect(await received.next() == "taken")
    #expect(try queue().waiting() == [])
  }

  @Test("without an account or without a cloud, starting a listener fails") func withoutAnAccountOrWithoutACloud()
    async throws
  {
    func code(_ body: () throws -> Void) -> CKError.Code? {
      do {
        try body()
        return nil
      } catch { return (error as? CKError)?.code }
    }
    #expect(
      code {
        try LocalCloud.acting(as: nil, root: cloud.cloud.path) { _ = try LocalCloud.onPush { _ in } }
      } == .notAuthenticated)
    #expect(
      code {
        try LocalCloud.acting(as: "alice", root: cloud.cloud.path + "/nowhere") { _ = try LocalCloud.onPush { _ in } }
      } == .badContainer)
  }
}

extension PushListener {
  /// As with LOCALCLOUD_PUSHES=coalesced.
  fileprivate convenience init(
    coalescing cloud: TemporaryCloud, device: String, _ body: @escaping @Sendable (String) -> Void
  ) throws {
    var acting = ActingIdentity()
    (acting.root, acting.who, acting.device, acting.container) = (cloud.path, .account("alice"), device, "iCloud.test")
    acting.pushes = "coalesced"
    let ignored: @Sendable (ServiceError) -> Void = { _ in }
    try self.init(acting, failed: ignored) { userInfo in
      body(["qry", "fet", "met"].first { userInfo["ck"]?[$0] != nil } ?? "")
    }
  }
}

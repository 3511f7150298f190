import CloudKit
import FaultInjection
import Foundation
import LocalCloud
import LocalCloudEmulator
import LocalCloudModel
import LocalCloudObjectStore
import LocalCloudService
import LocalCloudStorage
import Synchronization
import Testing

@testable import LocalCloudCoreDataMirroring

@Suite("Notifications and stored events of a mirroring")
struct NotificationTests {
  private let stage: MirrorStage

  init() throws { stage = try MirrorStage() }

  // MARK: The history

  @Test("a purge of the history between two pages of a first import loses nothing [mirror-11]")
  func purgedHistory() async throws {
    let phone = try stage.device("alice", "phone")
    try phone.save { transaction in
      let tag = transaction.newID(of: TestModel.entity("Tag"))
      transaction.insert(StoredRow(tag, ["title": .string("all")]))
      for number in 0..<450 {
        let id = transaction.newID(of: TestModel.entity("Post"))
        transaction.insert(StoredRow(id, ["title": .string("post\(number)")]))
        try transaction.link(tag, TestModel.relationship("posts", of: TestModel.entity("Tag")), to: id)
      }
    }
    await phone.drain()
    let tablet = try stage.device("alice", "tablet", isStarted: false)
    try tablet.insert("Post", "own")
    let pages = Mutex(0)
    let store = tablet.store
    try tablet.start { step in
      guard step == .imported else { return }
      let isFirst = pages.withLock { pages in
        pages += 1
        return pages == 1
      }
      if isFirst { try store.purgeHistory(through: .max) }
    }
    await tablet.drain()
    #expect(pages.withLock { $0 } > 1)
    #expect(tablet.errors(.import).isEmpty)
    #expect(tablet.errors(.export).isEmpty)
    await phone.drain()
    try expectSame(tablet, phone)
    #expect(try phone.lines().count == 452)
  }

  // MARK: The account

  /// An identity on a device of a cloud that does not exist yet.
  private func strayIdentity(_ root: String) -> ActingIdentity {
    var acting = ActingIdentity()
    (acting.root, acting.device) = (root, "phone")
    return acting
  }

  /// A mirroring with a cloud that is created after its attempt to observe it, and before its request for the account.
  private func strayEngine(
    _ phone: Device, _ scope: CKDatabase.Scope, _ root: String, _ events: EventList
  ) -> MirroringEngine {
    MirroringEngine(
      store: phone.store, containerIdentifier: MirrorStage.container, scope: scope, acting: strayIdentity(root),
      event: { event in
        events.add(event)
        guard events.all.count == 1 else { return }
        try? LocalCloud.createCloud(at: root)
        try? LocalCloud.acting(as: nil, device: "phone", root: root) { try LocalCloud.addAccount("alice") }
      })
  }

  @Test("without notifications of a sign-in the setup is retried after a pause [mirror-16]")
  func unnoticedSignIn() async throws {
    let root = ScratchFolder.newPath("cloud")
    defer { try? ScratchFolder.remove(root) }
    let phone = try Device(acting: strayIdentity(root), scope: .private)
    let events = EventList()
    let engine = strayEngine(phone, .private, root, events)
    defer { engine.stop() }
    engine.start()
    try await eventually("the setup fails") { events.all.contains { $0.endDate != nil } }
    #expect((events.all[1].error as NSError?)?.code == 134400)
    try LocalCloud.acting(as: "alice", device: "phone", root: root) { try LocalCloud.signIn(as: "alice") }
    try await eventually("the setup succeeds") { events.all.contains { $0.kind == .setup && $0.succeeded } }
  }

  @Test("without notifications of a sign-in public changes are sent as the new account [mirror-36]")
  func unnoticedSignInOfThePublic() async throws {
    let root = ScratchFolder.newPath("cloud")
    defer { try? ScratchFolder.remove(root) }
    let phone = try Device(acting: strayIdentity(root), scope: .public)
    let post = try phone.insert("Post", "A")
    let events = EventList()
    let engine = strayEngine(phone, .public, root, events)
    defer { engine.stop() }
    engine.start()
    try await eventually("the export fails") { events.all.contains { $0.kind == .export && $0.error != nil } }
    let failure = events.all.first { $0.kind == .export && $0.error != nil }
    #expect((failure?.error as? CKError)?.code == .notAuthenticated)
    #expect(!engine.canUpdate(post))
    try LocalCloud.acting(as: "alice", device: "phone", root: root) { try LocalCloud.signIn(as: "alice") }
    try await eventually("it is sent") { engine.record(for: post) != nil }
    #expect(engine.canUpdate(post))
    #expect(engine.canDelete(post))
    #expect(engine.record(for: post)?.creatorUserRecordID?.recordName == CKCurrentUserDefaultName)
  }

  @Test("an observer of the account learns if it can't be observed")
  func observerOfTheAccountLearns() throws {
    let root = ScratchFolder.newPath("cloud")
    defer { try? ScratchFolder.remove(root) }
    let cloudEvents = CloudChangeListener(
      strayIdentity(root), container: MirrorStage.container, pushed: { _ in }, accountChanged: {}, cameOnline: {})
    #expect(!cloudEvents.listenToAccount())
    try LocalCloud.createCloud(at: root)
    #expect(cloudEvents.listenToAccount())
    #expect(cloudEvents.listenToAccount())
    cloudEvents.stop()
    #expect(!cloudEvents.listenToAccount())
  }

  // MARK: Two stores of one device

  @Test("an export posts a notification to the device's other stores only if it sent something [mirror-18]")
  func nothingSent() async throws {
    let phone = try stage.device("alice", "phone")
    let other = try stage.device("alice", "phone")
    func imports() -> Int { other.events.count { $0.kind == .import } }
    try phone.insert("Post", "A")
    try await eventually("the other store has it") { try other.titles("Post") == ["A"] }
    for device in [phone, other, phone, other] { await device.drain() }
    let before = imports()
    await phone.drain()
    await phone.drain()
    // After this time an import by a notification would have begun.
    try await Task.sleep(nanoseconds: 500_000_000)
    #expect(imports() == before)
    try phone.insert("Post", "B")
    try await eventually("the other store has that, too") { try other.titles("Post") == ["A", "B"] }
  }

  @Test("a purge of a zone posts a notification to the device's other stores [mirror-18]")
  func purgeOfAZonePostsANotification() async throws {
    let phone = try stage.device("alice", "phone")
    let post = try phone.insert("Post", "A")
    let share = try await phone.require().share([post], to: nil).share
    await phone.drain()
    let other = try stage.device("alice", "phone")
    await other.drain()
    #expect(try other.titles("Post") == ["A"])
    for device in [phone, other, phone, other] { await device.drain() }
    try await phone.require().purge(share.recordID.zoneID)
    try await eventually("its object is gone there as well") { try other.titles("Post").isEmpty }
  }

  // MARK: The sharing screen

  @Test("a change of a share by the sharing screen on the same device is imported [mirror-18]")
  func sharingScreen() async throws {
    let phone = try stage.device("alice", "phone")
    let post = try phone.insert("Post", "A")
    let share = try await phone.require().share([post], to: nil).share
    await phone.drain()
    #expect(try phone.require().shares().count == 1)
    let zone = ZoneIdentifier(name: ExactName(share.recordID.zoneID.zoneName), owner: nil)
    let id = RecordIdentifier(name: ExactName(share.recordID.recordName), zone: zone)
    _ = try stage.cloud.service.devices.modifyShare(
      id, ModifyRecordsRequest(scope: .private, deletes: [id]), by: stage.cloud.caller("alice", device: "phone"),
      untold: { Issue.record($0) })
    try await eventually("the share is gone here as well") { try phone.require().shares().isEmpty }
    #expect(try phone.titles("Post") == ["A"])
  }

  // MARK: Events

  @Test("a store retains a limited number of events, with any event numbers [mirror-18]")
  func storedEvents() throws {
    let phone = try stage.device("alice", "phone", isStarted: false)
    let engine = MirroringEngine(
      store: phone.store, containerIdentifier: MirrorStage.container, scope: .private,
      acting: try stage.identity("alice", "phone"))
    let mirrored = engine.mirrored
    defer { engine.stop() }
    func eventNumbers() throws -> [Int64] {
      try mirrored.read { view in try view.rows(prefix: "", in: .events).map(\.id).sorted() }
    }
    try mirrored.edit { edits in
      for _ in 0..<MirroringEvent.limit {
        edits.put(MirrorRow(id: edits.newNumber(), values: [:]), in: .events)
      }
    }
    for _ in 0..<200 {
      // The events get odd numbers only.
      while try phone.insert("Post", "A").number % 2 == 1 {}
      try mirrored.edit { try MirroringEvent(.export, of: phone.store).store(in: $0) }
    }
    let rows = try eventNumbers()
    #expect(rows.count >= MirroringEvent.limit)
    #expect(rows.count < MirroringEvent.limit + 64)
    // The oldest events were removed.
    #expect(try #require(rows.first) > 128)
    #expect(try MirroringEvent.all(of: phone.store).count == 200)
  }

  @Test("a stored event has the failed records and their errors [mirror-18]")
  func storedErrors() throws {
    let phone = try stage.device("alice", "phone", isStarted: false)
    let engine = MirroringEngine(
      store: phone.store, containerIdentifier: MirrorStage.container, scope: .private,
      acting: try stage.identity("alice", "phone"))
    let mirrored = engine.mirrored
    defer { engine.stop() }
    let recordID = CKRecord.ID(recordName: "A", zoneID: ZoneLocation.private.zoneID)
    let cause = NSError(domain: NSCocoaErrorDomain, code: 134060, userInfo: [NSLocalizedFailureReasonErrorKey: "why"])
    let error = NSError(
      domain: CKErrorDomain, code: CKError.Code.partialFailure.rawValue,
      userInfo: [
        CKPartialErrorsByItemIDKey: [
          AnyHashable(recordID): NSError(
            domain: CKErrorDomain, code: CKError.Code.limitExceeded.rawValue, userInfo: [NSUnderlyingErrorKey: cause])
        ]
      ])
    var event = MirroringEvent(.export, of: phone.store)
    event.end(error)
    try mirrored.edit { try event.store(in: $0) }
    let stored = try #require(try MirroringEvent.all(of: phone.store).first)
    #expect(stored.identifier == event.identifier)
    #expect(!stored.succeeded)
    #expect(stored.endDate == event.endDate)
    let failure = try #require(stored.error as? CKError)
    #expect(failure.code == .partialFailure)
    let item = try #require(failure.partialErrorsByItemID?[recordID] as NSError?)
    #expect(item.code == CKError.Code.limitExceeded.rawValue)
    #expect((item.userInfo[NSUnderlyingErrorKey] as? NSError)?.localizedFailureReason == "why")
  }
}

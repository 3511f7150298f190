import LocalCloud
import Testing

@testable import CloudKit

@Suite("When CKSyncEngine works", .timeLimit(.minutes(2)))
struct SyncScheduleTests {
  private let cloud: TestCloud

  init() throws { cloud = try TestCloud() }

  // [sync-schedule-1] [sync-schedule-4]
  @Test("an automatic engine fetches after its start, sends after a change, and fetches after a push")
  func automatic() async throws {
    let tablet = try await SyncDevice(cloud, named: "tablet").started()
    try await tablet.database.save(CKRecordZone(zoneID: testZoneID))
    try await tablet.database.save(note("one"))
    let phone = try SyncDevice(cloud, named: "phone", automatically: true)
    await phone.app.wait { $0.fetchedZone?.modifications.first?.record.recordID == .note("one") }
    await phone.app.wait(for: "didFetch")
    for event in await phone.app.events {
      if case .willFetchChanges(let event) = event { #expect(event.context.reason == .scheduled) }
    }
    await phone.add(note("two"))
    await phone.app.wait { $0.sentRecords?.savedRecords.first?.recordID == .note("two") }
    try await tablet.database.save(note("three"))
    await phone.app.wait { event in
      event.fetchedZone?.modifications.contains { $0.record.recordID == .note("three") } == true
    }
    #expect(await phone.app.mostRunning == 1)
    withExtendedLifetime(phone) {}
  }

  // [sync-fetch-14]
  @Test("a push marks its zone before a fetch follows")
  func pushedZone() async throws {
    try cloud.holdSyncEngines()
    let tablet = try await SyncDevice(cloud, named: "tablet").started()
    try await tablet.database.save(CKRecordZone(zoneID: testZoneID))
    try await tablet.database.save(note("one"))
    let phone = try SyncDevice(cloud, named: "phone", automatically: true)
    try await cloud.runSyncEngines()
    #expect(phone.state.zoneIDsWithUnfetchedServerChanges.isEmpty)
    // Nothing but the push changes the state of a held engine.
    let (changes, change) = AsyncStream<Void>.makeStream()
    phone.state.changed = { _ in change.yield() }
    try await tablet.database.save(note("two"))
    var iterator = changes.makeAsyncIterator()
    _ = await iterator.next()
    #expect(phone.state.zoneIDsWithUnfetchedServerChanges == [testZoneID])
    try await cloud.runSyncEngines()
    #expect(await phone.app.record(.note("two")) != nil)
    #expect(phone.state.zoneIDsWithUnfetchedServerChanges.isEmpty)
  }

  // [sync-schedule-3]
  @Test("an automatic engine saves a database subscription, or uses one that exists", arguments: [true, false])
  func subscription(exists: Bool) async throws {
    let tablet = try await SyncDevice(cloud, named: "tablet").started()
    #expect(try await tablet.database.allSubscriptions().isEmpty)
    if exists {
      let subscription = CKDatabaseSubscription(subscriptionID: "mine")
      let info = CKNotificationInfo()
      info.shouldSendContentAvailable = true
      subscription.notificationInfo = info
      try await tablet.database.save(subscription)
    }
    let phone = try SyncDevice(cloud, named: "phone", automatically: true)
    await phone.app.wait(for: "willFetch")
    let subscriptions = try await tablet.database.allSubscriptions()
    #expect(subscriptions.map(\.subscriptionID) == [exists ? "mine" : "CKSyncEngine-private"])
    #expect(subscriptions.first is CKDatabaseSubscription)
    withExtendedLifetime(phone) {}
  }

  // [sync-schedule-3]
  @Test("the identifier of the configuration is that of the engine's subscription")
  func chosenSubscription() async throws {
    let named = try SyncDevice(cloud, named: "watch", automatically: true, subscriptionID: "named")
    await named.app.wait(for: "willFetch")
    #expect(try await named.database.allSubscriptions().map(\.subscriptionID) == ["named"])
  }

  // [sync-schedule-2] [sync-schedule-8]
  @Test("an engine that does not sync automatically looks up the account, and makes no other request by itself")
  func notAutomatic() async throws {
    try cloud.holdSyncEngines()
    let device = try SyncDevice(cloud)
    #expect(await device.calls() == [])
    try await cloud.runSyncEngines()
    #expect(await device.calls() == ["signIn"])
    device.addZone()
    await device.add(note("one"))
    try await cloud.runSyncEngines()
    #expect(await device.calls() == [])
    #expect(device.state.pendingRecordZoneChanges.count == 1)
    #expect(try await device.database.allSubscriptions().isEmpty)
  }

  // [sync-schedule-1] [sync-schedule-8]
  @Test("held engines work by hand: several changes are one send, and other devices fetch it")
  func byHand() async throws {
    try cloud.holdSyncEngines()
    let tablet = try SyncDevice(cloud, named: "tablet", automatically: true)
    let phone = try SyncDevice(cloud, named: "phone", automatically: true)
    try await cloud.runSyncEngines()
    #expect(await phone.calls() == ["signIn", "willFetch", "didFetch"])
    phone.addZone()
    for name in ["one", "two", "three"] { await phone.add(note(name)) }
    #expect(await phone.calls() == [])
    try await cloud.runSyncEngines()
    #expect(await phone.app.calls.filter { $0 == "willSend" }.count == 1)
    #expect(await phone.app.calls.filter { $0 == "sentRecords" }.count == 1)
    #expect(await tablet.app.records.keys.map(\.recordName).sorted() == ["one", "three", "two"])
    // An engine that has nothing to do is not called.
    await phone.app.clear()
    try await cloud.runSyncEngines()
    #expect(await phone.calls() == [])
  }

  // [sync-schedule-7] [sync-state-12]
  @Test("a state follows changes by the app, and a new engine continues with it")
  func stateUpdates() async throws {
    let device = try await SyncDevice(cloud).started()
    try await device.database.save(CKRecordZone(zoneID: testZoneID))
    await device.add(note("one"))
    await device.app.wait(for: "stateUpdate")
    let state = try #require(await device.app.serialization)
    let restored = try SyncDevice(cloud, state: state)
    #expect(restored.state.pendingRecordZoneChanges == [.saveRecord(.note("one"))])
    await restored.app.put(note("one"))
    try await restored.engine.sendChanges()
    #expect(await restored.calls() == ["willSend", "nextBatch", "sentRecords", "nextBatch", "didSend"])
    withExtendedLifetime(device) {}
  }

  // [sync-schedule-7] [sync-3]
  @Test("states are delivered between events, never within one")
  func serialCallbacks() async throws {
    let device = try await SyncDevice(
      cloud,
      SyncApp(handler: { event, engine, app in
        if case .stateUpdate = event { return }
        // A change within an event.
        engine.state.add(pendingRecordZoneChanges: [.deleteRecord(.note("never"))])
        engine.state.remove(pendingRecordZoneChanges: [.deleteRecord(.note("never"))])
      })
    ).started()
    device.addZone()
    try await device.engine.sendChanges()
    let names = await device.app.events.map(\.name)
    #expect(names.filter { $0 != "stateUpdate" } == ["willSend", "sentDatabase", "didSend"])
    #expect(zip(names, names.dropFirst()).contains { $0 == ("willSend", "stateUpdate") })
    #expect(names.last == "stateUpdate")
    #expect(await device.app.mostRunning == 1)
  }

  // [sync-schedule-1]
  @Test("an engine whose state was lost fetches everything again")
  func lostState() async throws {
    try cloud.holdSyncEngines()
    let first = try SyncDevice(cloud, named: "phone", automatically: true)
    try await cloud.runSyncEngines()
    first.addZone()
    await first.add(note("one"))
    try await cloud.runSyncEngines()
    let second = try SyncDevice(cloud, named: "phone", automatically: true)
    try await cloud.runSyncEngines()
    #expect(await second.app.calls.first == "signIn")
    #expect(await second.app.records.keys.map(\.recordName) == ["one"])
    withExtendedLifetime(first) {}
  }

  // [sync-schedule-5]
  @Test("cancelOperations ends a request that waits for the network, and keeps the changes")
  func cancelling() async throws {
    let device = try await SyncDevice(cloud).started()
    device.addZone()
    try device.acting { try LocalCloud.setNetwork(.offline) }
    let group = CKOperationGroup()
    group.defaultConfiguration.qualityOfService = .utility
    let send = Task { await code { try await device.engine.sendChanges(.init(operationGroup: group)) } }
    await device.app.wait(for: "willSend")
    await device.engine.cancelOperations()
    #expect(await send.value == .operationCancelled)
    #expect(device.state.pendingDatabaseChanges.count == 1)
    #expect(await device.calls() == ["willSend", "sentDatabase", "didSend"])
    // So does the cancellation of the calling task.
    let second = Task { await code { try await device.engine.sendChanges(.init(operationGroup: group)) } }
    await device.app.wait(for: "willSend")
    second.cancel()
    #expect(await second.value == .operationCancelled)
    try device.acting { try LocalCloud.setNetwork(.online) }
    try await device.engine.sendChanges()
    #expect(device.state.pendingDatabaseChanges.isEmpty)
  }

  // [sync-schedule-5] [sync-schedule-8]
  @Test("work that the app cancels is done at the next trigger, or when the engines are next run by hand")
  func cancelledWork() async throws {
    try cloud.holdSyncEngines()
    let gate = SyncGate()
    let device = try SyncDevice(
      cloud, SyncApp(at: gate, in: "willSend"),
      automatically: true)
    try await cloud.runSyncEngines()
    await gate.close()
    device.addZone()
    let run = Task { [cloud] in try await cloud.runSyncEngines() }
    await gate.isReached()
    await device.engine.cancelOperations()
    await gate.open()
    try await run.value
    #expect(device.state.pendingDatabaseChanges.count == 1)
    try await cloud.runSyncEngines()
    #expect(device.state.pendingDatabaseChanges.isEmpty)
  }

  // [sync-schedule-8]
  @Test("engines that are run by hand fetch the zones that a call of the app left out")
  func unfetchedZones() async throws {
    try cloud.holdSyncEngines()
    let device = try SyncDevice(cloud, automatically: true)
    try await cloud.runSyncEngines()
    // The device gets no push for its own changes.
    try await device.database.save(CKRecordZone(zoneID: testZoneID))
    try await device.database.save(note("one"))
    try await device.engine.fetchChanges(.init(scope: .allExcluding([testZoneID])))
    #expect(device.state.zoneIDsWithUnfetchedServerChanges == [testZoneID])
    try await cloud.runSyncEngines()
    #expect(await device.app.record(.note("one")) != nil)
    #expect(device.state.zoneIDsWithUnfetchedServerChanges.isEmpty)
  }

  // [sync-schedule-6]
  @Test("a released engine does not call its delegate again")
  func releasedEngine() async throws {
    try cloud.holdSyncEngines()
    let app = SyncApp()
    var device: SyncDevice? = try SyncDevice(cloud, app, automatically: true)
    try await cloud.runSyncEngines()
    await app.clear()
    await device?.add(note("one"))
    device = nil
    try await cloud.runSyncEngines()
    #expect(await app.calls == [])
  }

  // [sync-schedule-6]
  @Test("an engine stops with its temporary cloud, and calls its delegate no more")
  func endOfCloud() async throws {
    let app = SyncApp()
    let (engine, root) = try await LocalCloud.temporary(people: "ada") { cloud in
      try await cloud.acting(as: "ada") {
        let database = CKContainer(identifier: "iCloud.test").privateCloudDatabase
        let engine = CKSyncEngine(
          CKSyncEngine.Configuration(database: database, stateSerialization: nil, delegate: app))
        await app.wait(for: "didFetch")
        return (engine, cloud.root)
      }
    }
    #expect(!FileManager.default.fileExists(atPath: root.path))
    await app.clear()
    #expect(await code { try await engine.fetchChanges() } == .operationCancelled)
    #expect(await app.calls == [])
  }

  // [sync-4]
  @Test("a detached task of a callback may call the engine")
  func detachedTask() async throws {
    let tasks = Collector<Task<Void, any Error>>()
    let device = try SyncDevice(
      cloud,
      SyncApp(handler: { event, engine, _ in
        if case .willFetchChanges = event { tasks.append(Task.detached { try await engine.sendChanges() }) }
      }))
    try await device.engine.fetchChanges()
    for task in tasks.values { try await task.value }
    #expect(await device.calls() == ["signIn", "willFetch", "didFetch", "willSend", "didSend"])
  }
}

@Suite("Calls that stop a process with CKSyncEngine", .timeLimit(.minutes(2)))
struct SyncMistakeTests {
  private static let text =
    "BUG IN CLIENT OF CLOUDKIT: Cannot await a call into CKSyncEngine from within a delegate callback if that function "
    + "will end up calling back into the delegate. Otherwise, CKSyncEngine cannot guarantee that it calls your delegate "
    + "callbacks serially. Try performing this in a detached Task."

  private func expectText(_ result: ExitTest.Result?, sourceLocation: SourceLocation = #_sourceLocation) {
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Fatal error: " + Self.text), "\(text)", sourceLocation: sourceLocation)
  }

  // [sync-4]
  @Test("awaiting the engine in a callback, or in a task that inherits from it, stops the process with Apple's text")
  func reentrance() async {
    expectText(
      await #expect(processExitsWith: .failure, observing: saying) {
        try await inCallback { try await $0.fetchChanges() }
      })
    expectText(
      await #expect(processExitsWith: .failure, observing: saying) {
        try await inCallback { try await $0.sendChanges() }
      })
    expectText(
      await #expect(processExitsWith: .failure, observing: saying) {
        try await inCallback { await $0.cancelOperations() }
      })
    expectText(
      await #expect(processExitsWith: .failure, observing: saying) {
        try await inCallback { engine in try await Task { try await engine.fetchChanges() }.value }
      })
  }

  // [sync-1]
  @Test("the public database stops the process")
  func publicDatabase() async {
    await expectException(
      "CKSyncEngine cannot be used in the Public database", named: "NSInvalidArgumentException",
      #expect(processExitsWith: .failure, observing: saying) {
        _ = CKSyncEngine(
          CKSyncEngine.Configuration(
            database: CKContainer(identifier: "iCloud.test").publicCloudDatabase, stateSerialization: nil,
            delegate: SyncApp()))
      })
  }
}

/// Calls `body` in a callback. The state is an event that needs no cloud.
private func inCallback(_ body: @escaping @Sendable (CKSyncEngine) async throws -> Void) async throws {
  let app = SyncApp(handler: { _, engine, _ in try? await body(engine) })
  let engine = try LocalCloud.acting(as: "alice", root: "/nonexistent") {
    var configuration = CKSyncEngine.Configuration(
      database: CKContainer(identifier: "iCloud.test").privateCloudDatabase, stateSerialization: nil, delegate: app)
    configuration.automaticallySync = false
    return CKSyncEngine(configuration)
  }
  engine.state.hasPendingUntrackedChanges = true
  await app.wait(for: "stateUpdate")
  withExtendedLifetime(engine) {}
}

import CloudKit
import LocalCloud
import Testing

@Suite("Calls of CKSyncEngine and of its state", .timeLimit(.minutes(2)))
struct SyncCallTests {
  private let cloud: TestCloud

  /// The engines do no work at times of their own.
  init() throws {
    cloud = try TestCloud()
    try cloud.holdSyncEngines()
  }

  /// The reasons of the passes that the app was notified of, by the names of their first events.
  private func reasons(_ app: SyncApp) async -> [String: CKSyncEngine.SyncReason] {
    var reasons: [String: CKSyncEngine.SyncReason] = [:]
    for event in await app.events {
      switch event {
      case .willSendChanges(let begin): reasons[event.name] = begin.context.reason
      case .willFetchChanges(let begin): reasons[event.name] = begin.context.reason
      default: continue
      }
    }
    return reasons
  }

  /// A device that is online again, with the save of a zone that waits for the end of an hour's pause.
  private func deviceInAPause() async throws -> SyncDevice {
    let device = try SyncDevice(cloud, automatically: true)
    try await cloud.runSyncEngines()
    device.addZone()
    try device.acting { try LocalCloud.setNetwork(.unavailable(retryAfter: 3600)) }
    try await cloud.runSyncEngines()
    #expect(device.state.pendingDatabaseChanges.count == 1)
    try device.acting { try LocalCloud.setNetwork(.online) }
    await device.app.clear()
    return device
  }

  // [sync-call-1] [sync-schedule-4]
  @Test("a call sends and fetches while the scheduled work is held and waits for a retry")
  func callsDuringAPause() async throws {
    let device = try await deviceInAPause()
    try await device.engine.sendChanges()
    #expect(device.state.pendingDatabaseChanges.isEmpty)
    try await device.engine.fetchChanges()
    #expect(await reasons(device.app) == ["willSend": .manual, "willFetch": .manual])
  }

  // [sync-schedule-4] [sync-error-3]
  @Test("the reason of a retry is scheduled")
  func reasonOfARetry() async throws {
    let device = try await deviceInAPause()
    try await cloud.runSyncEngines()
    #expect(device.state.pendingDatabaseChanges.isEmpty)
    #expect(await reasons(device.app)["willSend"] == .scheduled)
  }

  // [sync-call-2]
  @Test("the operations of a pass belong to the group of its options: with its quality of service they wait")
  func operationGroup() async throws {
    let device = try await SyncDevice(cloud).started()
    device.addZone()
    let group = CKOperationGroup()
    group.defaultConfiguration.qualityOfService = .utility
    try device.acting { try LocalCloud.setNetwork(.offline) }
    let send = Task { await code { try await device.engine.sendChanges(.init(operationGroup: group)) } }
    await device.app.wait(for: "willSend")
    try device.acting { try LocalCloud.setNetwork(.online) }
    #expect(await send.value == nil)
    #expect(device.state.pendingDatabaseChanges.isEmpty)
    try device.acting { try LocalCloud.setNetwork(.offline) }
    let fetch = Task { await code { try await device.engine.fetchChanges(.init(operationGroup: group)) } }
    await device.app.wait(for: "willFetch")
    try device.acting { try LocalCloud.setNetwork(.online) }
    #expect(await fetch.value == nil)
    #expect(await device.calls().contains("fetchedDatabase"))
  }

  // [sync-call-3]
  @Test("changes that a callback adds are part of the pass")
  func changesInACallback() async throws {
    let device = try await SyncDevice(
      cloud,
      SyncApp(handler: { event, engine, app in
        guard case .willSendChanges = event else { return }
        await app.put(note("late"))
        engine.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: testZoneID))])
        engine.state.add(pendingRecordZoneChanges: [.saveRecord(.note("late"))])
      })
    ).started()
    try await device.engine.sendChanges()
    #expect(
      await device.calls() == ["willSend", "sentDatabase", "nextBatch", "sentRecords", "nextBatch", "didSend"])
    #expect(try await device.database.record(for: .note("late")).recordID == .note("late"))
  }

  // [sync-schedule-1] [sync-send-11]
  @Test("untracked changes schedule a send, in which the app is asked for a batch")
  func untrackedChanges() async throws {
    let device = try SyncDevice(cloud, automatically: true)
    try await cloud.runSyncEngines()
    await device.app.clear()
    device.state.hasPendingUntrackedChanges = true
    try await cloud.runSyncEngines()
    #expect(await device.calls() == ["willSend", "nextBatch", "didSend"])
  }

  // [sync-call-4]
  @Test("tasks add and remove changes at the same time, and none is lost")
  func concurrentChanges() async throws {
    let device = try await SyncDevice(cloud).started()
    let state = device.state
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for index in 0..<100 {
            let name = "\(task) \(index)"
            state.add(pendingRecordZoneChanges: [.saveRecord(.note(name)), .deleteRecord(.note("x" + name))])
            state.remove(pendingRecordZoneChanges: [.deleteRecord(.note("x" + name))])
          }
        }
      }
    }
    let changes = state.pendingRecordZoneChanges
    let expected = (0..<8).flatMap { task in
      (0..<100).map { CKSyncEngine.PendingRecordZoneChange.saveRecord(.note("\(task) \($0)")) }
    }
    #expect(changes.count == 800)
    #expect(Set(changes) == Set(expected))
    withExtendedLifetime(device) {}
  }

  // [sync-call-5] [sync-schedule-2] [sync-error-1]
  @Test("an engine that does not sync automatically tries again only at the next call")
  func noRetry() async throws {
    let device = try await SyncDevice(cloud).started()
    device.addZone()
    try device.acting { try LocalCloud.setNetwork(.busy(retryAfter: 30)) }
    #expect(await code { try await device.engine.sendChanges() } == .zoneBusy)
    try device.acting { try LocalCloud.setNetwork(.online) }
    await device.app.clear()
    try await cloud.runSyncEngines()
    #expect(await device.calls() == [])
    #expect(device.state.pendingDatabaseChanges.count == 1)
    try await device.engine.sendChanges()
    #expect(await device.calls() == ["willSend", "sentDatabase", "didSend"])
  }

  // [sync-call-6]
  @Test("the first and the last event of a fetch have the context of the call, also if the app changes the options")
  func contextOfAFetch() async throws {
    let device = try await SyncDevice(
      cloud, SyncApp(options: { _, _ in CKSyncEngine.FetchChangesOptions(scope: .all) })
    ).started()
    try await device.database.save(CKRecordZone(zoneID: testZoneID))
    try await device.database.save(note("one"))
    let group = CKOperationGroup()
    try await device.engine.fetchChanges(.init(scope: .zoneIDs([testZoneID]), operationGroup: group))
    let contexts = await device.app.events.compactMap { event -> CKSyncEngine.FetchChangesContext? in
      switch event {
      case .willFetchChanges(let event): event.context
      case .didFetchChanges(let event): event.context
      default: nil
      }
    }
    #expect(contexts.map(\.reason) == [.manual, .manual])
    #expect(contexts.map(\.options.scope) == [.zoneIDs([testZoneID]), .zoneIDs([testZoneID])])
    #expect(contexts.allSatisfy { $0.options.operationGroup === group })
  }

  // [sync-fetch-3]
  @Test("the group and the priorities that the app returns during a fetch hold from there on")
  func changedOptions() async throws {
    let zoneIDs = ["First", "Second", "Third"].map { CKRecordZone.ID(zoneName: $0) }
    let seen = Collector<CKSyncEngine.FetchChangesOptions>()
    let group = CKOperationGroup()
    let device = try await SyncDevice(
      cloud,
      SyncApp(options: { context, _ in
        seen.append(context.options)
        var options = context.options
        options.operationGroup = group
        options.prioritizedZoneIDs = [zoneIDs[2]]
        return options
      })
    ).started()
    for zoneID in zoneIDs { try await device.database.save(CKRecordZone(zoneID: zoneID)) }
    try await device.engine.fetchChanges()
    let fetched = await device.app.events.compactMap { event -> CKRecordZone.ID? in
      if case .willFetchRecordZoneChanges(let event) = event { event.zoneID } else { nil }
    }
    // The app is asked for the first time after the choice of the first zone.
    #expect(fetched == [zoneIDs[0], zoneIDs[2], zoneIDs[1]])
    #expect(seen.values.map { $0.operationGroup === group } == [false, true, true])
    #expect(seen.values.map(\.prioritizedZoneIDs) == [[], [zoneIDs[2]], [zoneIDs[2]]])
  }

  // [sync-schedule-7] [sync-state-1]
  @Test("several changes by the app are one new state, with no record's content")
  func oneStateForSeveralChanges() async throws {
    let device = try await SyncDevice(cloud).started()
    for name in ["one", "two", "three"] { await device.add(note(name, "Secret")) }
    #expect(await device.app.events.isEmpty)
    try await cloud.runSyncEngines()
    #expect(await device.app.events.map(\.name) == ["stateUpdate"])
    let data = try JSONEncoder().encode(try #require(await device.app.serialization))
    let text = String(decoding: data, as: UTF8.self)
    #expect(text.contains("three"))
    #expect(!text.contains("Secret"))
  }

  // [sync-4]
  @Test("a task that a callback created stops the process also after the return of the callback")
  func taskAfterACallback() async {
    let result = await #expect(processExitsWith: .failure, observing: saying) {
      let tasks = Collector<Task<Void, any Error>>()
      let app = SyncApp(handler: { _, engine, app in
        tasks.append(
          Task {
            // The app has the event when its callback returns.
            await app.wait(for: "stateUpdate")
            try await engine.fetchChanges()
          })
      })
      let engine = try LocalCloud.acting(as: "alice", root: "/nonexistent") {
        var configuration = CKSyncEngine.Configuration(
          database: CKContainer(identifier: "iCloud.test").privateCloudDatabase, stateSerialization: nil,
          delegate: app)
        configuration.automaticallySync = false
        return CKSyncEngine(configuration)
      }
      engine.state.hasPendingUntrackedChanges = true
      await app.wait(for: "stateUpdate")
      for task in tasks.values { try await task.value }
      withExtendedLifetime(engine) {}
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Cannot await a call into CKSyncEngine from within a delegate callback"), "\(text)")
  }
}

import CloudKit
import LocalCloud
import LocalCloudService
import Testing

@Suite("The start of CKSyncEngine", .timeLimit(.minutes(2)))
struct SyncStartTests {
  private let cloud: TestCloud

  /// The engines do no work at times of their own.
  init() throws {
    cloud = try TestCloud()
    try cloud.holdSyncEngines()
  }

  // [sync-start-1]
  @Test("an automatic engine fetches after its start, and sends the pending changes of its state")
  func pendingChanges() async throws {
    let first = try await SyncDevice(cloud).started()
    first.addZone()
    await first.add(note("one"))
    try await cloud.runSyncEngines()
    let state = try #require(await first.app.serialization)
    let second = try SyncDevice(cloud, state: state, automatically: true)
    await second.app.put(note("one"))
    try await cloud.runSyncEngines()
    let passes = await second.app.calls.filter { $0 == "willFetch" || $0 == "willSend" }
    #expect(Array(passes.prefix(2)) == ["willFetch", "willSend"])
    #expect(second.state.pendingRecordZoneChanges.isEmpty)
    #expect(try await second.database.record(for: .note("one")).recordID == .note("one"))
  }

  // [sync-start-2]
  @Test("an engine without an account rests, and starts by itself after the sign-in")
  func withoutAccount() async throws {
    _ = try await SyncDevice(cloud).started()
    _ = try cloud.cloud.service.devices.signOut("alice-device")
    let device = try SyncDevice(cloud, automatically: true)
    try await cloud.runSyncEngines()
    #expect(await device.calls() == [])
    _ = try cloud.cloud.service.devices.signIn("alice", on: "alice-device")
    try await cloud.runSyncEngines()
    #expect(await device.calls() == ["signIn", "willFetch", "didFetch"])
  }

  // [sync-start-3] [sync-start-4]
  @Test("an engine fetches the changes that its state does not know, and without a state all records")
  func olderState() async throws {
    let first = try await SyncDevice(cloud).started()
    try await first.database.save(CKRecordZone(zoneID: testZoneID))
    try await first.database.save(note("one"))
    try await first.engine.fetchChanges()
    let older = try #require(await first.app.serialization)
    try await first.database.save(note("two"))
    try await first.engine.fetchChanges()
    let newer = try #require(await first.app.serialization)
    #expect(await first.app.records.count == 2)
    let expected: [(CKSyncEngine.State.Serialization?, [String])] = [
      (newer, []), (older, ["two"]), (nil, ["one", "two"]),
    ]
    for (state, names) in expected {
      let device = try SyncDevice(cloud, state: state)
      try await device.engine.fetchChanges()
      #expect(await device.app.records.keys.map(\.recordName).sorted() == names)
    }
  }

  // [sync-start-5] [sync-zone-1]
  @Test("an app has an engine for each database, and the shared one fetches a zone after its share was accepted")
  func privateAndShared() async throws {
    let alice = try await SyncDevice(cloud).started()
    try await alice.database.save(CKRecordZone(zoneID: testZoneID))
    let root = try await alice.database.save(note("shared"))
    let share = CKShare(rootRecord: root)
    let participant = try await alice.container.shareParticipant(forEmailAddress: "bob@example.com")
    participant.permission = .readOnly
    share.addParticipant(participant)
    let results = try await alice.database.modifyRecords(saving: [root, share], deleting: []).saveResults
    let url = try #require(try (results[share.recordID]?.get() as? CKShare)?.url)
    let app = SyncApp()
    let own = try SyncDevice(cloud, as: "bob", app, automatically: true)
    let shared = try SyncDevice(cloud, as: "bob", app, scope: .shared, automatically: true)
    try await cloud.runSyncEngines()
    #expect(await app.records.isEmpty)
    try await shared.container.accept(try await shared.container.shareMetadata(for: url))
    own.addZone()
    await own.add(note("own"))
    try await cloud.runSyncEngines()
    #expect(Set(await app.records.keys.map(\.recordName)).isSuperset(of: ["own", "shared"]))
    #expect(try await own.database.record(for: .note("own")).recordID == .note("own"))
    #expect(shared.state.zoneIDsWithUnfetchedServerChanges.isEmpty)
  }

  private func engine(_ app: SyncApp, environment: String) throws -> CKSyncEngine {
    try LocalCloud.acting(as: "alice", root: cloud.cloud.path, environment: environment) {
      var configuration = CKSyncEngine.Configuration(
        database: cloud.container().privateCloudDatabase, stateSerialization: nil, delegate: app)
      configuration.automaticallySync = false
      return CKSyncEngine(configuration)
    }
  }

  // [sync-start-6] [sync-2]
  @Test("several engines of one database work in both environments", arguments: ["development", "production"])
  func environments(name: String) async throws {
    let app = SyncApp()
    let first = try engine(SyncApp(), environment: name)
    let second = try engine(app, environment: name)
    let other = try engine(SyncApp(), environment: name == "production" ? "development" : "production")
    try await first.fetchChanges()
    first.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: testZoneID))])
    try await first.sendChanges()
    try await second.fetchChanges()
    let pages = await app.events.compactMap { $0.fetchedDatabase }
    #expect(pages.flatMap(\.modifications).map(\.zoneID) == [testZoneID])
    let otherZoneIDs = try await other.database.allRecordZones().map(\.zoneID)
    #expect(!otherZoneIDs.contains(testZoneID))
  }

  // [sync-start-7] [sync-5] [sync-value-11]
  @Test("an engine has the database of its configuration and retains its delegate")
  func configuration() throws {
    let container = try cloud.container(of: "alice")
    let database = container.privateCloudDatabase
    weak var app: SyncApp?
    func make() -> CKSyncEngine {
      let delegate = SyncApp()
      app = delegate
      var configuration = CKSyncEngine.Configuration(
        database: database, stateSerialization: nil, delegate: delegate)
      configuration.automaticallySync = false
      let engine = CKSyncEngine(configuration)
      configuration.database = container.sharedCloudDatabase
      return engine
    }
    let engine = make()
    #expect(app != nil)
    #expect(engine.database === database)
    #expect(engine.description == "<CKSyncEngine: database=\(database)>")
    withExtendedLifetime(engine) {}
  }

  // [sync-start-7] [sync-account-2]
  @Test("an engine has the same state object after an account change has emptied the state")
  func stateObject() async throws {
    let device = try SyncDevice(cloud)
    let state = device.engine.state
    state.add(pendingDatabaseChanges: [.deleteZone(testZoneID)])
    try await device.engine.fetchChanges()
    #expect(await device.calls() == ["signIn", "willFetch", "didFetch"])
    #expect(state.pendingDatabaseChanges.isEmpty)
    #expect(device.engine.state === state)
  }

  // [sync-schedule-6] [sync-account-2]
  @Test("of two engines with one delegate a released one is silent, and the other one reports the sign-in")
  func releasedEngine() async throws {
    let app = SyncApp.sample()
    await app.put(note("one"))
    var released: SyncDevice? = try SyncDevice(cloud, app, automatically: true)
    released?.addZone()
    released = nil
    let device = try SyncDevice(cloud, app, automatically: true)
    try await cloud.runSyncEngines()
    #expect(await app.calls.filter { $0 == "signIn" } == ["signIn"])
    #expect(try await device.database.record(for: .note("one")).recordID == .note("one"))
  }
}

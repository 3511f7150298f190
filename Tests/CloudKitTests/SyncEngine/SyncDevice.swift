import CloudKit
import LocalCloud
import Synchronization

/// A device that runs an app with a sync engine. The engine lives as long as this object.
final class SyncDevice: Sendable {
  let app: SyncApp
  let engine: CKSyncEngine
  let container: CKContainer
  private let root: String
  private let account: String
  private let name: String?

  init(
    _ cloud: TestCloud, as account: String = "alice", named name: String? = nil, _ app: SyncApp = SyncApp(),
    scope: CKDatabase.Scope = .private, state: CKSyncEngine.State.Serialization? = nil, automatically: Bool = false,
    subscriptionID: CKSubscription.ID? = nil
  ) throws {
    (self.app, self.account, self.name) = (app, account, name)
    root = cloud.cloud.path
    (container, engine) = try LocalCloud.acting(as: account, device: name, root: root) {
      let container = cloud.container()
      var configuration = CKSyncEngine.Configuration(
        database: container.database(with: scope), stateSerialization: state, delegate: app)
      configuration.automaticallySync = automatically
      configuration.subscriptionID = subscriptionID
      return (container, CKSyncEngine(configuration))
    }
  }

  var database: CKDatabase { engine.database }
  var state: CKSyncEngine.State { engine.state }

  /// Runs `body` as the account on the device.
  func acting<Value>(_ body: () throws -> Value) throws -> Value {
    try LocalCloud.acting(as: account, device: name, root: root, body)
  }

  /// Lets the engine report the account. The app then has no recorded calls.
  func started() async throws -> SyncDevice {
    try await engine.fetchChanges()
    await app.clear()
    return self
  }

  /// Lets the engine report the account, and saves the zone ``testZoneID``. The app then has no recorded calls.
  func startedWithZone() async throws -> SyncDevice {
    let device = try await started()
    try await database.save(CKRecordZone(zoneID: testZoneID))
    return device
  }

  /// Stores records in the app, and adds their saves to the state.
  func add(_ records: CKRecord...) async { await add(records) }

  func add(_ records: [CKRecord]) async {
    for record in records { await app.put(record) }
    state.add(pendingRecordZoneChanges: records.map { .saveRecord($0.recordID) })
  }

  func addZone(_ zoneID: CKRecordZone.ID = testZoneID) {
    state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: zoneID))])
  }

  /// The calls of the app's delegate since the last time.
  func calls() async -> [String] {
    let calls = await app.calls
    await app.clear()
    return calls
  }
}

extension SyncApp {
  /// An app that waits at a gate in each event of this name.
  init(at gate: SyncGate, in name: String) {
    self.init(handler: { event, _, _ in if event.name == name { await gate.pass() } })
  }
}

/// A point where a delegate waits, from ``close()`` to ``open()``.
actor SyncGate {
  private var isClosed = false
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var observers: [CheckedContinuation<Void, Never>] = []

  func close() { isClosed = true }

  func open() {
    isClosed = false
    for continuation in waiting { continuation.resume() }
    waiting = []
  }

  /// Called by the delegate.
  func pass() async {
    guard isClosed else { return }
    await withCheckedContinuation { continuation in
      waiting.append(continuation)
      for observer in observers { observer.resume() }
      observers = []
    }
  }

  /// Returns when the delegate waits.
  func isReached() async {
    if waiting.isEmpty { await withCheckedContinuation { observers.append($0) } }
  }
}

extension TestCloud {
  /// Stops the scheduled work of the engines of this cloud, so that ``runSyncEngines()`` does it.
  func holdSyncEngines() throws {
    try LocalCloud.acting(as: nil, root: cloud.path) { SyncSchedules.hold() }
  }

  func runSyncEngines() async throws {
    try await LocalCloud.acting(as: nil, root: cloud.path) { await SyncSchedules.runUntilIdle() }
  }
}

extension CKRecord.ID {
  static func note(_ name: String) -> CKRecord.ID { CKRecord.ID(recordName: name, zoneID: testZoneID) }
}

extension CKSyncEngine.Event {
  var sentRecords: SentRecordZoneChanges? { if case .sentRecordZoneChanges(let event) = self { event } else { nil } }
  var sentDatabase: SentDatabaseChanges? { if case .sentDatabaseChanges(let event) = self { event } else { nil } }
  var fetchedZone: FetchedRecordZoneChanges? {
    if case .fetchedRecordZoneChanges(let event) = self { event } else { nil }
  }
  var fetchedDatabase: FetchedDatabaseChanges? {
    if case .fetchedDatabaseChanges(let event) = self { event } else { nil }
  }
}

import LocalCloud
import Synchronization
import Testing

@testable import CloudKit

@Suite("Concurrent calls of CKSyncEngine", .timeLimit(.minutes(2)))
struct SyncConcurrencyTests {
  private let cloud: TestCloud

  init() throws { cloud = try TestCloud() }

  private func engine(_ app: CountingApp, automatically: Bool) throws -> CKSyncEngine {
    try LocalCloud.acting(as: "alice", root: cloud.cloud.path) {
      var configuration = CKSyncEngine.Configuration(
        database: cloud.container().privateCloudDatabase, stateSerialization: nil, delegate: app)
      configuration.automaticallySync = automatically
      return CKSyncEngine(configuration)
    }
  }

  // [sync-3]
  @Test(
    "100 concurrent calls return, the calls of the delegate are serial, and all added records arrive",
    arguments: [false, true])
  func concurrentCalls(automatically: Bool) async throws {
    let app = CountingApp()
    let engine = try engine(app, automatically: automatically)
    try await engine.database.save(CKRecordZone(zoneID: testZoneID))
    // The first report of the account empties the state.
    try await engine.fetchChanges()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        group.addTask {
          switch number % 4 {
          case 0: app.add((0..<5).map { note("\(number)-\($0)") }, to: engine)
          case 1: _ = try? await engine.sendChanges()
          case 2: _ = try? await engine.fetchChanges()
          default: await engine.cancelOperations()
          }
        }
      }
    }
    do {
      try await engine.sendChanges()
    } catch let error as CKError where error.code == .partialFailure {
      // The cloud may have done a save before it was cancelled.
      let errors = (error.partialErrorsByItemID ?? [:]).values
      #expect(errors.allSatisfy { ($0 as? CKError)?.code == .serverRecordChanged }, "\(error)")
    }
    try await engine.fetchChanges()
    #expect(engine.state.pendingRecordZoneChanges.isEmpty)
    let calls = app.calls
    #expect(calls.records.count == 125)
    #expect(calls.fetched == Set(calls.records.keys))
    let found = try await engine.database.records(for: Array(calls.records.keys))
    #expect(found.count == 125 && found.values.allSatisfy { $0.code == nil })
    #expect(calls.mostRunning == 1)
    // Each pass ends before the next one begins. A scheduled one may still run.
    let passes = calls.names.filter { ["willSend", "didSend", "willFetch", "didFetch"].contains($0) }
    for index in stride(from: 0, to: passes.count - 1, by: 2) {
      #expect(passes[index].hasPrefix("will"))
      #expect(passes[index + 1] == "did\(passes[index].dropFirst(4))")
    }
    #expect(calls.names.contains("sentRecords"))
    withExtendedLifetime(engine) {}
  }

  // [sync-fetch-11]
  @Test("a call that waits for the fetch of another call fetches itself when the other call is cancelled")
  func cancelledFirstCall() async throws {
    try cloud.holdSyncEngines()
    let gate = SyncGate()
    let device = try await SyncDevice(
      cloud, SyncApp(at: gate, in: "willFetch")
    ).started()
    await gate.close()
    let first = Task { await code { try await device.engine.fetchChanges() } }
    await gate.isReached()
    let second = await device.engine.work.beginFetch()
    // The actor runs this after the beginning of the second call, which waits by then.
    await device.engine.work.pass()
    first.cancel()
    await gate.open()
    #expect(await first.value == .operationCancelled)
    try await second.value
    #expect(await device.calls() == ["willFetch", "didFetch", "willFetch", "didFetch"])
  }
}

extension SyncWork {
  /// Begins a call of the app, in a task that the actor runs next.
  fileprivate func beginFetch() -> Task<Void, any Error> { Task { try await fetchNow(.init()) } }

  fileprivate func pass() {}
}

/// An app that counts the calls that run at one time. Each call suspends, so that another one could begin.
private final class CountingApp: CKSyncEngineDelegate {
  struct Calls: Sendable {
    var running = 0
    var mostRunning = 0
    var names: [String] = []
    var records: [CKRecord.ID: CKRecord] = [:]
    var fetched: Set<CKRecord.ID> = []
  }

  private let state = Mutex(Calls())

  var calls: Calls { state.withLock { $0 } }

  func add(_ records: [CKRecord], to engine: CKSyncEngine) {
    state.withLock { calls in
      for record in records { calls.records[record.recordID] = record }
    }
    engine.state.add(pendingRecordZoneChanges: records.map { .saveRecord($0.recordID) })
  }

  func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
    begin(event.name)
    defer { end() }
    await Task.yield()
    guard let fetched = event.fetchedZone else { return }
    let recordIDs = fetched.modifications.map(\.record.recordID)
    state.withLock { $0.fetched.formUnion(recordIDs) }
  }

  func nextRecordZoneChangeBatch(
    _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
  ) async -> CKSyncEngine.RecordZoneChangeBatch? {
    begin("nextBatch")
    defer { end() }
    await Task.yield()
    let changes = syncEngine.state.pendingRecordZoneChanges
    let records = calls.records
    return await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: changes) { records[$0] }
  }

  func nextFetchChangesOptions(
    _ context: CKSyncEngine.FetchChangesContext, syncEngine: CKSyncEngine
  ) async -> CKSyncEngine.FetchChangesOptions {
    begin("nextOptions")
    defer { end() }
    await Task.yield()
    return context.options
  }

  private func begin(_ name: String) {
    state.withLock { calls in
      calls.running += 1
      calls.mostRunning = max(calls.mostRunning, calls.running)
      calls.names.append(name)
    }
  }

  private func end() { state.withLock { $0.running -= 1 } }
}

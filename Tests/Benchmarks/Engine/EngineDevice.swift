import CloudKit
import LocalCloud
import TestSupport

/// A device of Alice's with a sync engine. Its app makes a record when it is sent, and stores none.
struct EngineDevice {
  private final class App: CKSyncEngineDelegate {
    private let fetched: @Sendable () -> Void

    init(_ fetched: @escaping @Sendable () -> Void) { self.fetched = fetched }

    func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
      if case .fetchedRecordZoneChanges = event { fetched() }
    }

    func nextRecordZoneChangeBatch(
      _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch? {
      let changes = syncEngine.state.pendingRecordZoneChanges.filter { context.options.scope.contains($0) }
      return await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: changes) { EngineDevice.note($0) }
    }
  }

  /// The zone of processes that have only one.
  static let zone = "Notes"

  private let engine: CKSyncEngine
  private let root: String

  /// Returns when the engine knows the account, and has fetched all changes.
  ///
  /// - Parameter fetched: called for each event with fetched records.
  init(
    _ name: String, root: String, automatically: Bool = true, fetched: @escaping @Sendable () -> Void = {}
  ) throws {
    self.root = root
    let engine = try LocalCloud.acting(as: "alice", device: name, root: root) {
      var configuration = CKSyncEngine.Configuration(
        database: CKContainer(identifier: TemporaryCloud.container).privateCloudDatabase, stateSerialization: nil,
        delegate: App(fetched))
      configuration.automaticallySync = automatically
      return CKSyncEngine(configuration)
    }
    self.engine = engine
    try waiting { try await engine.fetchChanges() }
  }

  /// Does the work of the engine's start now.
  func finishScheduledWork() throws {
    let root = root
    try waiting {
      try await LocalCloud.acting(as: "alice", root: root) { await LocalCloud.runSyncEnginesUntilIdle() }
    }
  }

  // MARK: Saving

  /// Adds saves of notes with these numbers.
  func add(_ numbers: Range<Int>, in zone: String = Self.zone) {
    engine.state.add(pendingRecordZoneChanges: numbers.map { .saveRecord(Self.id($0, in: zone)) })
  }

  func send() throws {
    let engine = engine
    try waiting { try await engine.sendChanges() }
    let left = engine.state.pendingRecordZoneChanges.count
    guard left == 0 else { throw UnexpectedResult(text: "\(left) pending saves were not sent") }
  }

  /// Saves as many notes by plain requests.
  func saveWithoutEngine(_ count: Int, in zone: String) throws {
    let database = engine.database
    try waiting {
      for start in stride(from: 0, to: count, by: ZoneClient.batch) {
        let notes = (start..<min(start + ZoneClient.batch, count)).map { Self.note(Self.id($0, in: zone)) }
        let saved = try await database.modifyRecords(saving: notes, deleting: [], atomically: false).saveResults
        for result in saved.values { _ = try result.get() }
      }
    }
  }

  private static func id(_ number: Int, in zone: String) -> CKRecord.ID {
    CKRecord.ID(recordName: "note-\(number)", zoneID: CKRecordZone.ID(zoneName: zone))
  }

  /// A note of typical size.
  private static func note(_ id: CKRecord.ID) -> CKRecord {
    let note = CKRecord(recordType: "Note", recordID: id)
    note["text"] = "A note of some length, as people write them."
    note["count"] = 1
    return note
  }
}

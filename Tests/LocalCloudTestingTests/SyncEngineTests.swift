import CloudKit
import LocalCloudTesting
import Testing

@Suite("Sync engines of a cloud", .cloud(people: "ada", "ben"))
struct SyncEngineTests {
  /// Saves a note by an engine, and has the texts that it fetched.
  private actor Notes: CKSyncEngineDelegate {
    static let zoneID = CKRecordZone.ID(zoneName: "Notes")
    static let noteID = CKRecord.ID(recordName: "note", zoneID: zoneID)

    let text: String?
    private(set) var events: [String] = []
    private(set) var fetched: [String] = []

    init(_ text: String?) { self.text = text }

    func makeEngine() -> CKSyncEngine {
      CKSyncEngine(
        CKSyncEngine.Configuration(
          database: CKContainer(identifier: "iCloud.test").privateCloudDatabase, stateSerialization: nil, delegate: self
        ))
    }

    func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
      switch event {
      case .accountChange:
        events.append("account")
        guard text != nil else { return }
        syncEngine.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: Self.zoneID))])
        syncEngine.state.add(pendingRecordZoneChanges: [.saveRecord(Self.noteID)])
      case .sentRecordZoneChanges(let sent):
        events.append("sent \(sent.savedRecords.count)")
      case .fetchedRecordZoneChanges(let changes):
        fetched += changes.modifications.compactMap { $0.record["text"] as String? }
      default:
        break
      }
    }

    func nextRecordZoneChangeBatch(
      _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch? {
      let text = text ?? ""
      let changes = syncEngine.state.pendingRecordZoneChanges
      return await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: changes) { recordID in
        let record = CKRecord(recordType: "Note", recordID: recordID)
        record["text"] = text
        return record
      }
    }
  }

  private func start(_ notes: Notes, as person: String, on device: String) async throws -> CKSyncEngine {
    try await LocalCloud.acting(as: person, device: device) { await notes.makeEngine() }
  }

  @Test("work only when they are run while they are held, one after another until all have everything")
  func heldEngines() async throws {
    LocalCloud.holdSyncEngines()
    let (writer, reader, other) = (Notes("Buy milk"), Notes(nil), Notes(nil))
    // The reader works first, and again after the writer.
    let engines = [
      try await start(reader, as: "ada", on: "tablet"), try await start(writer, as: "ada", on: "phone"),
      try await start(other, as: "ben", on: "watch"),
    ]
    #expect(await writer.events.isEmpty)
    await LocalCloud.runSyncEnginesUntilIdle()
    #expect(await writer.events == ["account", "sent 1"])
    #expect(await reader.fetched == ["Buy milk"])
    #expect(await other.events == ["account"])
    #expect(await other.fetched.isEmpty)
    await LocalCloud.runSyncEnginesUntilIdle()
    #expect(await reader.fetched == ["Buy milk"], "nothing is left to do")
    withExtendedLifetime(engines) {}
  }

  @Test("do the work that they were held for as soon as they are released")
  func releasedEngines() async throws {
    LocalCloud.holdSyncEngines()
    let notes = Notes("Buy milk")
    let engine = try await start(notes, as: "ada", on: "phone")
    LocalCloud.releaseSyncEngines()
    try await LocalCloud.acting(as: "ada") {
      let container = CKContainer(identifier: "iCloud.test")
      let note = try await LocalCloud.wait(forRecord: Notes.noteID, container: container)
      #expect(note["text"] as String? == "Buy milk")
    }
    withExtendedLifetime(engine) {}
  }

  @Test("are held, run and released without those of other clouds")
  func otherClouds() async throws {
    LocalCloud.holdSyncEngines()
    let notes = Notes("Buy milk")
    let engine = try await start(notes, as: "ada", on: "phone")
    try await LocalCloud.temporary(people: "ada") { _ in
      let others = Notes("Buy tea")
      let other = try await start(others, as: "ada", on: "phone")
      try await LocalCloud.acting(as: "ada") {
        let container = CKContainer(identifier: "iCloud.test")
        let note = try await LocalCloud.wait(forRecord: Notes.noteID, container: container)
        #expect(note["text"] as String? == "Buy tea", "this cloud's engines are not held")
      }
      await LocalCloud.runSyncEnginesUntilIdle()
      LocalCloud.releaseSyncEngines()
      withExtendedLifetime(other) {}
    }
    #expect(await notes.events.isEmpty)
    await LocalCloud.runSyncEnginesUntilIdle()
    #expect(await notes.events == ["account", "sent 1"])
    withExtendedLifetime(engine) {}
  }
}

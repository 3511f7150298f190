import CloudKit
import Foundation
import Synchronization
import TestSupport
import Testing

/// A sync engine continues with the state that an app of an earlier version saved.
@Suite("Sync engines with states that earlier versions wrote", .serialized)
struct ListsUpgradeTests {
  /// The member of the file of Shopping that has the engines' states.
  private struct Saved: Decodable {
    var states: [String: CKSyncEngine.State.Serialization]
  }

  /// Records what an engine fetches; sends items without fields.
  private final class App: CKSyncEngineDelegate {
    let fetched = Mutex<[String]>([])
    let accountChanges = Mutex(0)

    func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
      switch event {
      case .fetchedRecordZoneChanges(let changes):
        fetched.withLock { $0 += changes.modifications.map(\.record.recordID.recordName) }
      case .accountChange: accountChanges.withLock { $0 += 1 }
      default: break
      }
    }

    func nextRecordZoneChangeBatch(
      _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch? {
      await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: syncEngine.state.pendingRecordZoneChanges) {
        CKRecord(recordType: "Item", recordID: $0)
      }
    }
  }

  private static let container = "iCloud.com.example.Shopping"
  private static let names = FormerState.names("lists")
  private let zoneID = CKRecordZone.ID(zoneName: "List")

  @Test("an engine fetches only the changes since its saved state, and sends further ones", arguments: names)
  func savedState(name: String) async throws {
    let state = try FormerState(name)
    #expect(try state.problems() == [])
    let saved = try JSONDecoder().decode(Saved.self, from: Data(try state.text("lists/alice.json").utf8))
    let serialization = try #require(saved.states["private"])
    let (salt, pepper) = (id("salt"), id("pepper"))
    try await state.acting(as: "alice", device: "tablet", container: Self.container) { container in
      _ = try await container.privateCloudDatabase.save(CKRecord(recordType: "Item", recordID: salt))
    }
    try await state.acting(as: "alice", container: Self.container) { container in
      let app = App()
      var configuration = CKSyncEngine.Configuration(
        database: container.privateCloudDatabase, stateSerialization: serialization, delegate: app)
      configuration.automaticallySync = false
      let engine = CKSyncEngine(configuration)
      try await engine.fetchChanges()
      #expect(app.fetched.withLock { $0 } == ["salt"])
      #expect(app.accountChanges.withLock { $0 } == 0)
      engine.state.add(pendingRecordZoneChanges: [.saveRecord(pepper)])
      try await engine.sendChanges()
      #expect(engine.state.pendingRecordZoneChanges == [])
      #expect(try await container.privateCloudDatabase.record(for: pepper).recordID == pepper)
    }
    #expect(try state.problems() == [])
  }

  private func id(_ name: String) -> CKRecord.ID { CKRecord.ID(recordName: name, zoneID: zoneID) }

  @Test(
    "an app of this build sends the item that an earlier version left unsent, and both people see each other's changes",
    .enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it"), arguments: names)
  func app(name: String) throws {
    let state = try FormerState(name)
    func shopping(_ account: String, _ words: String...) throws -> [String] {
      try state.run("Shopping", words + ["--file", "\(state.path)/lists/\(account).json"], as: account)
    }
    #expect(try shopping("alice", "list") == ["My list:", "[ ] bread", "[ ] milk  2", "[ ] tea"])
    _ = try shopping("alice", "sync")
    _ = try shopping("bob", "sync")
    #expect(
      try shopping("bob", "list")
        == ["My list:", "Groceries (shared):", "[ ] bread", "[ ] milk  2", "[ ] tea"])
    _ = try shopping("bob", "--list", "Groceries", "check", "milk")
    _ = try shopping("bob", "sync")
    _ = try shopping("alice", "sync")
    #expect(try shopping("alice", "list") == ["My list:", "[ ] bread", "[x] milk  2", "[ ] tea"])
    #expect(try state.problems() == [])
  }
}

import CloudKit
import Foundation
import LocalCloudTesting
import Synchronization
import Testing

@Suite("Snapshots of a temporary cloud", .cloud(people: "ada", "ben"), .timeLimit(.minutes(5)))
struct SnapshotTests {
  private let zone = CKRecordZone(zoneName: "Notes")
  private var recordID: CKRecord.ID { CKRecord.ID(recordName: "milk", zoneID: zone.zoneID) }

  private func asAda<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: (CKDatabase) async throws -> Value
  ) async throws -> Value {
    try await LocalCloud.acting(as: "ada") {
      try await body(CKContainer(identifier: "iCloud.test").privateCloudDatabase)
    }
  }

  private func save(_ quantity: Int64) async throws {
    try await asAda { database in
      let record =
        (try? await database.record(for: recordID)) ?? CKRecord(recordType: "Note", recordID: recordID)
      record["quantity"] = quantity
      _ = try await database.save(record)
    }
  }

  private func quantity() async throws -> Int64? {
    try await asAda { database in
      let record = try await database.record(for: recordID)
      return record["quantity"] as Int64?
    }
  }

  @Test("a state is saved, listed, restored and deleted")
  func saveAndRestore() async throws {
    _ = try await asAda { try await $0.save(zone) }
    try await save(3)
    #expect(try LocalCloud.snapshots == [])
    try LocalCloud.saveSnapshot("before", note: "three")
    let saved = try #require(LocalCloud.snapshots.first)
    #expect(saved.name == "before")
    #expect(saved.note == "three")
    #expect(saved.accounts == ["ada", "ben"])
    #expect(saved.recordCount >= 1)
    try await save(4)
    try LocalCloud.addAccount("cleo")
    #expect(throws: CKError.self) { try LocalCloud.saveSnapshot("before") }
    try LocalCloud.restoreSnapshot("before")
    #expect(try await quantity() == 3)
    // The name of an account that the snapshot does not have is free again.
    try LocalCloud.addAccount("cleo")
    try await save(5)
    try LocalCloud.saveSnapshot("before", replacing: true)
    #expect(try LocalCloud.snapshots.map(\.note) == [nil])
    try LocalCloud.deleteSnapshot("before")
    #expect(try LocalCloud.snapshots == [])
    #expect(try await quantity() == 5)
  }

  @Test("a snapshot that does not exist is unknownItem, and a wrong name invalidArguments")
  func refusals() throws {
    func code(_ body: () throws -> Void) -> CKError.Code? {
      do { try body() } catch { return (error as? CKError)?.code }
      return nil
    }
    #expect(code { try LocalCloud.restoreSnapshot("none") } == .unknownItem)
    #expect(code { try LocalCloud.deleteSnapshot("none") } == .unknownItem)
    #expect(code { try LocalCloud.saveSnapshot(".hidden") } == .invalidArguments)
    let missing = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    #expect(
      code { try LocalCloud.acting(as: nil, root: missing) { try LocalCloud.saveSnapshot("a") } } == .badContainer)
  }

  @Test("a wait for a record ends with the restored one")
  func wait() async throws {
    let root = try LocalCloud.cloud.root
    _ = try await asAda { try await $0.save(zone) }
    try await save(3)
    try LocalCloud.saveSnapshot("before")
    try await save(4)
    let recordID = recordID
    let versions = Versions()
    let found = try await LocalCloud.acting(as: "ada") {
      try await LocalCloud.wait(
        forRecord: recordID, container: CKContainer(identifier: "iCloud.test"), timeout: 60
      ) { record in
        let quantity = record["quantity"] as Int64?
        // The wait watches the cloud by now.
        if versions.add(quantity) == 1 {
          try? LocalCloud.acting(as: nil, root: root) { try LocalCloud.restoreSnapshot("before") }
        }
        return quantity == 3
      }
    }
    #expect(found["quantity"] as Int64? == 3)
    #expect(versions.all.first == 4)
  }

  @Test("a listener gets the pushes of the restored cloud")
  func listener() async throws {
    _ = try await asAda { database in
      _ = try await database.save(zone)
      return try await database.save(CKDatabaseSubscription(subscriptionID: "all"))
    }
    let (pushes, continuation) = AsyncStream<String?>.makeStream()
    let listener = try LocalCloud.acting(as: "ada", device: "phone") {
      try LocalCloud.onPush(in: CKContainer(identifier: "iCloud.test")) { userInfo in
        let notification = CKNotification(fromRemoteNotificationDictionary: userInfo)
        continuation.yield(notification?.subscriptionID)
      }
    }
    var received = pushes.makeAsyncIterator()
    try await save(3)
    #expect(await received.next() == "all")
    try LocalCloud.saveSnapshot("before")
    try LocalCloud.restoreSnapshot("before")
    try await save(4)
    #expect(await received.next() == "all")
    withExtendedLifetime(listener) {}
  }
}

/// The values that a wait has seen.
private final class Versions: Sendable {
  private let values = Mutex<[Int64?]>([])

  /// Returns the number of values.
  func add(_ value: Int64?) -> Int {
    values.withLock { values in
      values.append(value)
      return values.count
    }
  }

  var all: [Int64?] { values.withLock { $0 } }
}

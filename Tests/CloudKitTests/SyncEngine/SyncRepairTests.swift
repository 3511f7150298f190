import LocalCloud
import LocalCloudService
import Testing

@testable import CloudKit

@Suite("Errors that an app repairs after a send of CKSyncEngine", .timeLimit(.minutes(2)))
struct SyncRepairTests {
  private typealias Failure = CKSyncEngine.Event.SentRecordZoneChanges.FailedRecordSave

  private let cloud: TestCloud

  /// The engines do no work at times of their own.
  init() throws {
    cloud = try TestCloud()
    try cloud.holdSyncEngines()
  }

  /// A device in a cloud with the zone ``testZoneID``.
  private func device(_ app: SyncApp = SyncApp()) async throws -> SyncDevice {
    try await SyncDevice(cloud, app).startedWithZone()
  }

  /// Sends the pending changes. Returns the records that failed, none of which is pending any more.
  private func failures(of device: SyncDevice) async throws -> [Failure] {
    await device.app.clear()
    #expect(await code { try await device.engine.sendChanges() } == .partialFailure)
    #expect(device.state.pendingRecordZoneChanges.isEmpty)
    return await device.app.events.compactMap { $0.sentRecords }.flatMap(\.failedRecordSaves)
  }

  /// Adds records, sends them, and returns the errors of the failed ones.
  private func codes(of device: SyncDevice, sending records: CKRecord...) async throws -> [CKError.Code] {
    await device.add(records)
    return try await failures(of: device).map(\.error.code)
  }

  private func title(_ name: String, on device: SyncDevice) async throws -> String? {
    try await device.database.record(for: .note(name))["title"] as String?
  }

  /// A record that the engine saved, with its system fields.
  private func savedRecord(on device: SyncDevice) async throws -> CKRecord {
    await device.add(note("one", "Milk"))
    try await device.engine.sendChanges()
    return try #require(await device.app.record(.note("one")))
  }

  // [sync-repair-1]
  @Test("after a conflict the merged record is saved with the server's system fields, and not with its own")
  func conflict() async throws {
    let device = try await device()
    try await device.database.save(note("one", "Server"))
    await device.add(note("one", "Own"))
    let failure = try #require(try await failures(of: device).first)
    #expect(failure.error.code == .serverRecordChanged)
    #expect(try await codes(of: device, sending: failure.record) == [.serverRecordChanged])
    let merged = try #require(failure.error.serverRecord?.copy() as? CKRecord)
    #expect(merged["title"] as String? == "Server")
    merged["title"] = "Merged"
    await device.add(merged)
    try await device.engine.sendChanges()
    #expect(try await title("one", on: device) == "Merged")
  }

  // [sync-repair-2] [sync-send-10]
  @Test(
    "after the deletion of its zone a record is saved in a new zone, without its system fields",
    arguments: [true, false])
  func deletedZone(isPurged: Bool) async throws {
    let device = try await device()
    let saved = try await savedRecord(on: device)
    let expected: CKError.Code = isPurged ? .userDeletedZone : .zoneNotFound
    if isPurged {
      _ = try cloud.cloud.service.zones.purgeData(of: "alice", container: "iCloud.test")
    } else {
      try await device.database.deleteRecordZone(withID: testZoneID)
    }
    #expect(try await codes(of: device, sending: saved) == [expected])
    device.addZone()
    #expect(try await codes(of: device, sending: saved) == [.unknownItem])
    await device.add(note("one", "Milk"))
    try await device.engine.sendChanges()
    #expect(try await title("one", on: device) == "Milk")
  }

  // [sync-repair-3]
  @Test("after its deletion a record is saved again without its system fields, and not with them")
  func deletedRecord() async throws {
    let device = try await device()
    let saved = try await savedRecord(on: device)
    try await device.database.deleteRecord(withID: saved.recordID)
    for _ in 0..<2 { #expect(try await codes(of: device, sending: saved) == [.unknownItem]) }
    await device.add(note("one", "Bread"))
    try await device.engine.sendChanges()
    #expect(try await title("one", on: device) == "Bread")
  }

  // [sync-repair-4]
  @Test("a record that failed with its batch is saved when it is added again")
  func failedBatch() async throws {
    let device = try await device(
      SyncApp(provider: { _, engine, app in
        let records = await app.records
        let changes = engine.state.pendingRecordZoneChanges
        var batch = await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: changes) { records[$0] }
        batch?.atomicByZone = true
        return batch
      }))
    try await device.database.save(note("one"))
    #expect(
      try await codes(of: device, sending: note("one"), note("two", "Milk"))
        == [.serverRecordChanged, .batchRequestFailed])
    await device.add(note("two", "Milk"))
    try await device.engine.sendChanges()
    #expect(try await title("two", on: device) == "Milk")
  }

  // [sync-repair-5]
  @Test("a change that failed for full storage is lost unless the app adds it again")
  func lostChange() async throws {
    let device = try await device()
    try device.acting { try LocalCloud.setStorageFull(true, of: "alice") }
    #expect(try await codes(of: device, sending: note("one", "Milk")) == [.quotaExceeded])
    try device.acting { try LocalCloud.setStorageFull(false, of: "alice") }
    await device.app.clear()
    try await device.engine.sendChanges()
    #expect(await device.calls() == ["willSend", "didSend"])
    await device.add(note("one", "Milk"))
    try await device.engine.sendChanges()
    #expect(try await title("one", on: device) == "Milk")
  }

  // [sync-error-1] [sync-error-2] [sync-repair-5]
  @Test("the engine repeats a change after eight errors, and after no other")
  func repeatedErrors() {
    let codes = (0...200).compactMap { CKError.Code(rawValue: $0) }
    #expect(codes.count > 30)
    let expected: Set<CKError.Code> = [
      .notAuthenticated, .accountTemporarilyUnavailable, .networkFailure, .networkUnavailable, .requestRateLimited,
      .serviceUnavailable, .zoneBusy, .operationCancelled,
    ]
    #expect(Set(codes.filter { CKError($0).isRetriedBySyncEngine }) == expected)
  }

  // [sync-repair-6]
  @Test("with full storage a missing parent is the first error, and a parent and its child both exceed the quota")
  func fullStorage() async throws {
    func child(_ name: String, of parent: String) -> CKRecord {
      let record = note(name)
      record.parent = CKRecord.Reference(recordID: .note(parent), action: .none)
      return record
    }
    let device = try await device()
    try device.acting { try LocalCloud.setStorageFull(true, of: "alice") }
    #expect(
      try await codes(of: device, sending: child("orphan", of: "missing"), child("below", of: "orphan"))
        == [.referenceViolation, .internalError])
    #expect(
      try await codes(of: device, sending: note("parent"), child("child", of: "parent"))
        == [.quotaExceeded, .quotaExceeded])
  }
}

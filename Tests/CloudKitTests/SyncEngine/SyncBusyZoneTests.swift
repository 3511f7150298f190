import CloudKit
import LocalCloud
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore
import Testing

@Suite("CKSyncEngine and zones that are busy", .timeLimit(.minutes(2)))
struct SyncBusyZoneTests {
  private let cloud: TestCloud
  private let second = CKRecordZone.ID(zoneName: "Second")

  /// The engines do no work at times of their own.
  init() throws {
    cloud = try TestCloud()
    try cloud.holdSyncEngines()
  }

  /// A device in a cloud with the zone ``testZoneID``.
  private func device(_ app: SyncApp = SyncApp()) async throws -> SyncDevice {
    try await SyncDevice(cloud, app).startedWithZone()
  }

  // [sync-send-14]
  @Test("the records of a zone whose save the engine repeats wait for it; other records are sent")
  func zoneThatIsNotSavedYet() async throws {
    let locks = Collector<HeldLock>()
    let device = try await device(
      SyncApp(handler: { event, _, _ in
        guard event.name == "sentDatabase" else { return }
        for lock in locks.values { lock.release() }
      }))
    let record = note("one", in: second)
    device.addZone(second)
    await device.add(record, note("two"))
    // Zones of a database are made under this lock. It is free before records are sent.
    let zones = try Directory.open(path: cloud.cloud.zonePath(""), in: FileSystem())
    locks.append(try FairLock(zones, Cloud.lockName).acquire(.exclusive, LockWaitPolicy(seconds: 1)))
    #expect(await code { try await device.engine.sendChanges(.shortTimeout) } == .partialFailure)
    let zoneErrors = await device.app.events.compactMap { $0.sentDatabase }.flatMap(\.failedZoneSaves).map(\.error.code)
    #expect(zoneErrors == [.zoneBusy])
    #expect(device.state.pendingDatabaseChanges.count == 1)
    #expect(device.state.pendingRecordZoneChanges == [.saveRecord(record.recordID)])
    #expect(try await device.database.record(for: .note("two")).recordID == .note("two"))
    try await device.engine.sendChanges()
    #expect(try await device.database.record(for: record.recordID).recordID == record.recordID)
    #expect(device.state.pendingRecordZoneChanges.isEmpty)
  }

  // [sync-send-14]
  @Test("a busy zone with more changes than a batch holds does not keep other zones from being sent")
  func busyZone() async throws {
    let device = try await device()
    try await device.database.save(CKRecordZone(zoneID: second))
    let notes = (0..<401).map { note("note-\($0)") }
    let other = note("other", in: second)
    await device.add(notes + [other])
    let lock = try ZoneLock(holding: testZoneID, of: "alice", in: cloud)
    #expect(await code { try await device.engine.sendChanges(.shortTimeout) } == .partialFailure)
    lock.release()
    #expect(try await device.database.record(for: other.recordID).recordID == other.recordID)
    // Also the note that was not in the first batch waits, behind those that failed.
    let sent = await device.app.events.compactMap { $0.sentRecords }
    #expect(sent.map(\.failedRecordSaves.count) == [400, 0])
    #expect(Set(sent.flatMap(\.failedRecordSaves).map(\.error.code)) == [.zoneBusy])
    #expect(device.state.pendingRecordZoneChanges == notes.map { .saveRecord($0.recordID) })
    try await device.engine.sendChanges()
    #expect(device.state.pendingRecordZoneChanges.isEmpty)
  }
}

extension CKSyncEngine.SendChangesOptions {
  /// Options for a short wait: a zone that another process locks is busy soon.
  static var shortTimeout: CKSyncEngine.SendChangesOptions {
    let group = CKOperationGroup()
    group.defaultConfiguration.timeoutIntervalForRequest = 0.1
    return CKSyncEngine.SendChangesOptions(operationGroup: group)
  }
}

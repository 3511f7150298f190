import CloudKit
import FaultInjection
import LocalCloud
import Testing

@Suite("Records that CKSyncEngine sends and fetches", .timeLimit(.minutes(2)))
struct SyncRecordTests {
  private let cloud: TestCloud

  /// The engines do no work at times of their own.
  init() throws {
    cloud = try TestCloud()
    try cloud.holdSyncEngines()
  }

  /// A device in a cloud with the zone ``testZoneID``.
  private func device(_ app: SyncApp = SyncApp(), named name: String? = nil) async throws -> SyncDevice {
    try await SyncDevice(cloud, named: name, app).startedWithZone()
  }

  private func child(_ name: String, of parent: String) -> CKRecord {
    let record = note(name)
    record.parent = CKRecord.Reference(recordID: .note(parent), action: .none)
    return record
  }

  // MARK: Sent records

  // [sync-record-1]
  @Test("a record is asked for when its batch is made, and is sent with the content of that time")
  func contentOfABatch() async throws {
    let requested = Collector<CKRecord.ID>()
    let device = try await device(
      SyncApp(provider: { _, engine, app in
        let records = await app.records
        let changes = engine.state.pendingRecordZoneChanges
        return await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: changes) { recordID in
          requested.append(recordID)
          return records[recordID]
        }
      }))
    await device.add(note("one", "Milk"))
    #expect(requested.values == [])
    await device.app.put(note("one", "Bread"))
    try await device.engine.sendChanges()
    #expect(requested.values == [.note("one")])
    #expect(try await device.database.record(for: .note("one"))["title"] as String? == "Bread")
  }

  // [sync-record-2] [sync-value-7]
  @Test("a change without a record stays pending, and the app is asked for it in each send")
  func skippedChange() async throws {
    let device = try await device()
    device.state.add(pendingRecordZoneChanges: [.saveRecord(.note("later"))])
    await device.add(note("one"))
    try await device.engine.sendChanges()
    for _ in 0..<2 {
      #expect(device.state.pendingRecordZoneChanges == [.saveRecord(.note("later"))])
      await device.app.clear()
      try await device.engine.sendChanges()
      #expect(await device.calls() == ["willSend", "nextBatch", "didSend"])
    }
    await device.app.put(note("later"))
    try await device.engine.sendChanges()
    #expect(device.state.pendingRecordZoneChanges.isEmpty)
  }

  // [sync-record-3]
  @Test("the provider of records may remove the change of a record that no longer exists")
  func removedByTheProvider() async throws {
    let device = try await device(
      SyncApp(provider: { _, engine, app in
        let records = await app.records
        let state = engine.state
        return await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: state.pendingRecordZoneChanges) { recordID in
          if let record = records[recordID] { return record }
          state.remove(pendingRecordZoneChanges: [.saveRecord(recordID)])
          return nil
        }
      }))
    device.state.add(pendingRecordZoneChanges: [.saveRecord(.note("missing"))])
    await device.add(note("one"))
    try await device.engine.sendChanges()
    #expect(device.state.pendingRecordZoneChanges.isEmpty)
    let sent = await device.app.events.compactMap { $0.sentRecords }
    #expect(sent.flatMap(\.savedRecords).map(\.recordID) == [.note("one")])
  }

  // [sync-record-4]
  @Test("a failed save has the batch's record and the item's error, a saved record the server's tag and dates")
  func sentRecords() async throws {
    let device = try await device()
    let server = try await device.database.save(note("conflict", "Server"))
    let conflicting = note("conflict", "Own")
    await device.add(conflicting, note("new"))
    #expect(await code { try await device.engine.sendChanges() } == .partialFailure)
    let sent = try #require(await device.app.events.compactMap { $0.sentRecords }.first)
    #expect(sent.failedRecordSaves.map(\.error.code) == [.serverRecordChanged])
    let failure = try #require(sent.failedRecordSaves.first)
    #expect(failure.record === conflicting)
    #expect(failure.error.serverRecord?.recordChangeTag == server.recordChangeTag)
    #expect(sent.savedRecords.map(\.recordID) == [.note("new")])
    let saved = try #require(sent.savedRecords.first)
    #expect(saved.recordChangeTag != nil)
    #expect(saved.creationDate != nil)
    #expect(saved.modificationDate != nil)
  }

  // [sync-state-6]
  @Test("in the event a failed change is pending only if the engine retries it", arguments: [true, false])
  func failedChangeInTheEvent(isRetried: Bool) async throws {
    let pending = Collector<[CKSyncEngine.PendingRecordZoneChange]>()
    let device = try await device(
      SyncApp(handler: { event, engine, _ in
        if event.sentRecords != nil { pending.append(engine.state.pendingRecordZoneChanges) }
      }))
    try await device.database.save(note("one"))
    await device.add(note("one"))
    if isRetried { try device.acting { try LocalCloud.setNetwork(.offline) } }
    await #expect(throws: CKError.self) { try await device.engine.sendChanges() }
    let expected: [CKSyncEngine.PendingRecordZoneChange] = isRetried ? [.saveRecord(.note("one"))] : []
    #expect(pending.values == [expected])
  }

  // [sync-record-5] [sync-send-5] [sync-error-2]
  @Test("a deletion needs no tag, a missing record counts as deleted, and a failed deletion is dropped")
  func deletions() async throws {
    let device = try await device()
    try await device.database.save(note("parent"))
    try await device.database.save(child("child", of: "parent"))
    try await device.database.save(note("changed"))
    let deletions = ["changed", "missing", "parent"].map { CKRecord.ID.note($0) }
    device.state.add(pendingRecordZoneChanges: deletions.map { .deleteRecord($0) })
    #expect(await code { try await device.engine.sendChanges() } == .partialFailure)
    let sent = try #require(await device.app.events.compactMap { $0.sentRecords }.first)
    #expect(sent.deletedRecordIDs == [.note("changed"), .note("missing")])
    #expect(sent.failedRecordDeletes.mapValues(\.code) == [.note("parent"): .referenceViolation])
    #expect(device.state.pendingRecordZoneChanges.isEmpty)
  }

  // MARK: Fetched records

  // [sync-page-1] [sync-page-3]
  @Test("an event has at most 200 records, and each is delivered once")
  func pages() async throws {
    let device = try await device()
    _ = try await device.database.modifyRecords(saving: (0..<250).map { note("\($0)") }, deleting: [])
    try await device.engine.fetchChanges()
    let pages = await device.app.events.compactMap { $0.fetchedZone }
    #expect(pages.map(\.modifications.count) == [200, 50])
    #expect(Set(pages.flatMap(\.modifications).map(\.record.recordID)).count == 250)
    await device.app.clear()
    try await device.engine.fetchChanges()
    #expect(await device.calls() == ["willFetch", "didFetch"])
  }

  // [sync-page-2]
  @Test("records are in the order of their last changes, so that a child may be before its parent")
  func orderOfRecords() async throws {
    let device = try await device()
    try await device.database.save(note("parent"))
    try await device.database.save(child("child", of: "parent"))
    let parent = try await device.database.record(for: .note("parent"))
    parent["title"] = "Changed"
    try await device.database.save(parent)
    try await device.engine.fetchChanges()
    let pages = await device.app.events.compactMap { $0.fetchedZone }
    #expect(pages.flatMap(\.modifications).map(\.record.recordID) == [.note("child"), .note("parent")])
  }

  // [sync-page-4] [sync-fetch-6]
  @Test("a fetch has the server's version of a record although a newer one is pending")
  func pendingVersion() async throws {
    let device = try await device()
    await device.add(note("one", "Old"))
    try await device.engine.sendChanges()
    let record = try #require(await device.app.record(.note("one")))
    let newer = try #require(record.copy() as? CKRecord)
    newer["title"] = "New"
    await device.add(newer)
    await device.app.clear()
    try await device.engine.fetchChanges()
    let pages = await device.app.events.compactMap { $0.fetchedZone }
    #expect(pages.flatMap(\.modifications).map { $0.record["title"] as String? } == ["Old"])
    #expect(device.state.pendingRecordZoneChanges == [.saveRecord(.note("one"))])
  }

  // [sync-page-5]
  @Test("a first fetch has the deletions of records that its device created, and no others")
  func deletionsOfAFirstFetch() async throws {
    let phone = try await device(named: "phone")
    let tablet = try await device(named: "tablet")
    try await phone.database.save(note("of the phone"))
    try await tablet.database.save(note("of the tablet"))
    try await tablet.database.save(note("present"))
    for name in ["of the phone", "of the tablet"] {
      try await tablet.database.deleteRecord(withID: .note(name))
    }
    let first = try SyncDevice(cloud, named: "phone")
    try await first.engine.fetchChanges()
    let pages = await first.app.events.compactMap { $0.fetchedZone }
    #expect(pages.flatMap(\.modifications).map(\.record.recordID) == [.note("present")])
    #expect(pages.flatMap(\.deletions).map(\.recordID) == [.note("of the phone")])
  }

  // [sync-page-6]
  @Test("a fetched record has all fields, and the bytes of its assets")
  func assets() async throws {
    let folder = try TestFolder()
    let file = folder.url.appendingPathComponent("photo")
    try Data("bytes".utf8).write(to: file)
    let phone = try await device(named: "phone")
    let record = note("one", "Milk")
    record["photo"] = CKAsset(fileURL: file)
    await phone.add(record)
    try await phone.engine.sendChanges()
    let tablet = try await device(named: "tablet")
    try await tablet.engine.fetchChanges()
    let fetched = try #require(await tablet.app.record(.note("one")))
    #expect(fetched["title"] as String? == "Milk")
    let copy = try #require((fetched["photo"] as? CKAsset)?.fileURL)
    #expect(try Data(contentsOf: copy) == Data("bytes".utf8))
  }
}

import CloudKit
import Testing

/// Apple's tests of its sample for the engine, in other words, with an app that does as the sample does.
@Suite("Apple's tests of its sample for CKSyncEngine", .timeLimit(.minutes(2)))
struct SyncSampleTests {
  private let cloud: TestCloud

  /// The engines do no work at times of their own.
  init() throws {
    cloud = try TestCloud()
    try cloud.holdSyncEngines()
  }

  private func device(_ name: String) throws -> SyncDevice { try SyncDevice(cloud, named: name, .sample()) }

  // [sync-send-1] [sync-send-3] [sync-account-2] [sync-state-11]
  @Test("one send saves the zone and any number of records", arguments: [1, 10, 444])
  func oneSend(count: Int) async throws {
    let phone = try device("phone")
    for index in 0..<count { await phone.app.put(note("note-\(index)", "Title \(index)")) }
    try await phone.engine.sendChanges()
    #expect(phone.state.pendingRecordZoneChanges.isEmpty)
    let batches = (1...((count + 399) / 400)).flatMap { _ in ["nextBatch", "sentRecords"] }
    #expect(
      await phone.calls() == ["signIn", "willSend", "sentDatabase"] + batches + ["nextBatch", "didSend"])
    let tablet = try device("tablet")
    try await tablet.engine.fetchChanges()
    #expect(await tablet.app.records.count == count)
  }

  // [sync-2] [sync-fetch-1]
  @Test("fetchChanges returns after the app has another device's record, with its date unchanged")
  func roundTrip() async throws {
    let (phone, tablet) = (try device("phone"), try device("tablet"))
    let date = Date(timeIntervalSince1970: 1_700_000_000.123)
    let record = note("one", "Milk")
    record["date"] = date
    await phone.app.put(record)
    try await phone.engine.sendChanges()
    try await tablet.engine.fetchChanges()
    let fetched = try #require(await tablet.app.record(.note("one")))
    #expect(fetched["title"] as String? == "Milk")
    #expect(fetched["date"] as Date? == date)
    phone.state.add(pendingRecordZoneChanges: [.deleteRecord(.note("one"))])
    try await phone.engine.sendChanges()
    try await tablet.engine.fetchChanges()
    #expect(await tablet.app.record(.note("one")) == nil)
  }

  // [sync-send-10] [sync-error-2]
  @Test("after the zone's deletion by others, a send fails, and the next one succeeds in a new zone")
  func deletedZone() async throws {
    let phone = try device("phone")
    await phone.app.put(note("one", "Milk"))
    try await phone.engine.sendChanges()
    try await phone.database.deleteRecordZone(withID: testZoneID)
    await phone.add(try #require(await phone.app.record(.note("one"))))
    #expect(await code { try await phone.engine.sendChanges() } == .partialFailure)
    #expect(phone.state.pendingRecordZoneChanges == [.saveRecord(.note("one"))])
    try await phone.engine.sendChanges()
    #expect(try await phone.database.record(for: .note("one"))["title"] as String? == "Milk")
  }

  // [sync-error-2]
  @Test("after the record's deletion by others, a send fails, and the next one makes a new record")
  func deletedRecord() async throws {
    let phone = try device("phone")
    await phone.app.put(note("one", "Milk"))
    try await phone.engine.sendChanges()
    let first = try #require(await phone.app.record(.note("one")))
    try await phone.database.deleteRecord(withID: .note("one"))
    await phone.add(first)
    #expect(await code { try await phone.engine.sendChanges() } == .partialFailure)
    try await phone.engine.sendChanges()
    let second = try await phone.database.record(for: .note("one"))
    #expect(second["title"] as String? == "Milk")
    #expect(second.recordChangeTag != first.recordChangeTag)
  }

  // [sync-send-7] [sync-send-9]
  @Test("the device that saves later has a conflict, and its merged record is pending once")
  func conflict() async throws {
    let (phone, tablet) = (try device("phone"), try device("tablet"))
    await phone.app.put(note("one", "Milk"))
    try await phone.engine.sendChanges()
    try await tablet.engine.fetchChanges()
    for (device, title) in [(phone, "Bread"), (tablet, "Eggs")] {
      let record = try #require(await device.app.record(.note("one")))
      record["title"] = title
      await device.add(record)
    }
    try await phone.engine.sendChanges()
    #expect(await code { try await tablet.engine.sendChanges() } == .partialFailure)
    #expect(phone.state.pendingRecordZoneChanges.count == 0)
    #expect(tablet.state.pendingRecordZoneChanges.count == 1)
    try await tablet.engine.sendChanges()
    #expect(tablet.state.pendingRecordZoneChanges.count == 0)
    #expect(try await tablet.database.record(for: .note("one"))["title"] as String? == "Eggs")
  }

  // [sync-send-5]
  @Test("a device that never fetched has a conflict with a record of the same name")
  func neverFetched() async throws {
    let (phone, tablet) = (try device("phone"), try device("tablet"))
    await phone.app.put(note("one", "Milk"))
    try await phone.engine.sendChanges()
    await tablet.app.put(note("one", "Eggs"))
    await #expect(throws: CKError.self) { try await tablet.engine.sendChanges() }
    let failure = try #require(await tablet.app.events.compactMap { $0.sentRecords }.first?.failedRecordSaves.first)
    #expect(failure.error.code == .serverRecordChanged)
    #expect(failure.error.serverRecord?["title"] as String? == "Milk")
    try await tablet.engine.sendChanges()
    #expect(try await tablet.database.record(for: .note("one"))["title"] as String? == "Eggs")
  }

  @Test("deleting a zone that does not exist succeeds")
  func deletingMissingZone() async throws {
    let phone = try device("phone")
    phone.state.add(pendingDatabaseChanges: [.deleteZone(testZoneID)])
    try await phone.engine.sendChanges()
  }
}

extension SyncApp {
  /// An app that merges conflicts, makes missing zones, and makes deleted records again.
  static func sample() -> SyncApp {
    SyncApp(handler: { event, engine, app in
      switch event {
      case .accountChange(let event):
        guard case .signIn = event.changeType else { return }
        engine.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: testZoneID))])
        let recordIDs = await app.records.keys
        engine.state.add(pendingRecordZoneChanges: recordIDs.map { .saveRecord($0) })
      case .sentRecordZoneChanges(let event):
        for failure in event.failedRecordSaves { await app.repair(failure, in: engine) }
      default: break
      }
    })
  }

  private func repair(
    _ failure: CKSyncEngine.Event.SentRecordZoneChanges.FailedRecordSave, in engine: CKSyncEngine
  ) {
    let recordID = failure.record.recordID
    switch failure.error.code {
    case .serverRecordChanged:
      guard let server = failure.error.serverRecord?.copy() as? CKRecord else { return }
      server["title"] = failure.record["title"] as String?
      put(server)
    case .zoneNotFound, .userDeletedZone:
      engine.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: recordID.zoneID))])
      put(note(recordID.recordName, failure.record["title"] as String?))
    case .unknownItem: put(note(recordID.recordName, failure.record["title"] as String?))
    default: return
    }
    engine.state.add(pendingRecordZoneChanges: [.saveRecord(recordID)])
  }
}

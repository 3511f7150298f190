import CloudKit
import LocalCloud
import Testing

@Suite("CKSyncEngine sends", .timeLimit(.minutes(2)))
struct SyncSendTests {
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

  /// The errors by item that a send throws.
  private func failures(
    of device: SyncDevice, _ options: CKSyncEngine.SendChangesOptions = .init()
  ) async throws -> [CKRecord.ID: CKError.Code] {
    do {
      try await device.engine.sendChanges(options)
      return [:]
    } catch {
      let error = try #require(error as? CKError)
      try #require(error.code == .partialFailure)
      let items = error.partialErrorsByItemID ?? [:]
      return Dictionary(
        uniqueKeysWithValues: items.compactMap { key, error -> (CKRecord.ID, CKError.Code)? in
          guard let recordID = key.base as? CKRecord.ID, let error = error as? CKError else { return nil }
          return (recordID, error.code)
        })
    }
  }

  /// A batch of all pending saves, whatever their number and the scope.
  private static let everything: SyncApp.Provider = { _, engine, app in
    let records = await app.records
    let pending = engine.state.pendingRecordZoneChanges
    if pending.isEmpty { return nil }
    return CKSyncEngine.RecordZoneChangeBatch(
      recordsToSave: pending.compactMap { change in
        if case .saveRecord(let recordID) = change { records[recordID] } else { nil }
      })
  }

  /// Merges the app's edit, from "before" to "after", into the record that was saved.
  private static let edit: SyncApp.Handler = { event, _, app in
    guard let saved = event.sentRecords?.savedRecords.first, saved["title"] == "before" else { return }
    saved["title"] = "after"
    await app.put(saved)
  }

  // [sync-send-1] [sync-send-2]
  @Test("zones are sent before records, also those that the app adds during the pass")
  func zonesFirst() async throws {
    let second = CKRecordZone.ID(zoneName: "Second")
    let device = try await SyncDevice(
      cloud,
      SyncApp(handler: { event, engine, app in
        guard let sent = event.sentRecords, sent.savedRecords.contains(where: { $0.recordID == .note("one") }) else {
          return
        }
        await app.put(note("two", in: second))
        engine.state.add(pendingRecordZoneChanges: [.saveRecord(CKRecord.ID(recordName: "two", zoneID: second))])
        engine.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: second))])
      })
    ).started()
    device.addZone()
    await device.add(note("one"))
    try await device.engine.sendChanges()
    #expect(
      await device.calls() == [
        "willSend", "sentDatabase", "nextBatch", "sentRecords", "sentDatabase", "nextBatch", "sentRecords",
        "nextBatch", "didSend",
      ])
    #expect(try await device.database.allRecordZones().map(\.zoneID.zoneName).contains("Second"))
    #expect(await device.app.mostRunning == 1)
  }

  // [sync-send-13]
  @Test("a record that the app edits while it makes a batch is sent once more", arguments: [false, true])
  func editDuringTheBatch(removesBefore: Bool) async throws {
    let app = SyncApp(
      handler: Self.edit,
      provider: { _, engine, app in
        let changes = engine.state.pendingRecordZoneChanges
        let records = await app.records
        let batch = await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: changes) { records[$0] }
        if records[.note("one")]?["title"] == "before" {
          if removesBefore { engine.state.remove(pendingRecordZoneChanges: [.saveRecord(.note("one"))]) }
          engine.state.add(pendingRecordZoneChanges: [.saveRecord(.note("one"))])
        }
        return batch
      })
    let device = try await device(app)
    let record = note("one")
    record["title"] = "before"
    await device.add(record)
    try await device.engine.sendChanges()
    #expect(try await device.database.record(for: .note("one"))["title"] == "after")
    #expect(device.state.pendingRecordZoneChanges.isEmpty)
  }

  // [sync-send-13]
  @Test("an untracked record that the app edits while it makes a batch is sent once more")
  func editOfAnUntrackedRecord() async throws {
    let app = SyncApp(
      handler: Self.edit,
      provider: { _, engine, app in
        let changes = engine.state.pendingRecordZoneChanges
        let records = await app.records
        guard let record = records[.note("one")], record["title"] == "before" else {
          return await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: changes) { records[$0] }
        }
        // The app adds the change outside of the delegate's callback.
        await Task.detached { engine.state.add(pendingRecordZoneChanges: [.saveRecord(.note("one"))]) }.value
        return CKSyncEngine.RecordZoneChangeBatch(recordsToSave: [record])
      })
    let device = try await device(app)
    let record = note("one")
    record["title"] = "before"
    await app.put(record)
    device.state.hasPendingUntrackedChanges = true
    try await device.engine.sendChanges()
    #expect(try await device.database.record(for: .note("one"))["title"] == "after")
  }

  // [sync-send-11] [sync-send-6]
  @Test("an untracked record that waits for the next pass, with the failed rest of its atomic batch, keeps the mark")
  func untrackedRecordOfAFailedBatch() async throws {
    let app = SyncApp(
      handler: { event, engine, app in
        guard event.sentRecords?.failedRecordSaves.isEmpty == false else { return }
        await app.put(note("two"))
        engine.state.hasPendingUntrackedChanges = true
      },
      provider: { _, _, app in
        let records = await app.records.values.sorted { $0.recordID.recordName < $1.recordID.recordName }
        return CKSyncEngine.RecordZoneChangeBatch(recordsToSave: records, atomicByZone: true)
      })
    let device = try await device(app)
    try await device.database.save(note("one"))
    await device.app.put(note("one"))
    device.state.hasPendingUntrackedChanges = true
    #expect(try await failures(of: device) == [.note("one"): .serverRecordChanged])
    #expect(device.state.hasPendingUntrackedChanges)
  }

  // [sync-send-12]
  @Test("a send without pending changes asks for nothing")
  func nothingPending() async throws {
    let device = try await device()
    try await device.engine.sendChanges()
    #expect(await device.calls() == ["willSend", "didSend"])
  }

  // [sync-send-2]
  @Test("zones are deleted, and a zone that does not exist counts as deleted")
  func zoneDeletion() async throws {
    let device = try await device()
    let missing = CKRecordZone.ID(zoneName: "Missing")
    device.state.add(pendingDatabaseChanges: [.deleteZone(testZoneID), .deleteZone(missing)])
    try await device.engine.sendChanges()
    let sent = try #require(await device.app.events.compactMap { $0.sentDatabase }.first)
    #expect(sent.deletedZoneIDs == [testZoneID, missing])
    #expect(device.state.pendingDatabaseChanges.isEmpty)
  }

  // [sync-send-10] [sync-error-2]
  @Test("a save in a missing zone fails with zoneNotFound and is dropped")
  func missingZone() async throws {
    let device = try await SyncDevice(cloud).started()
    await device.add(note("one"))
    #expect(try await failures(of: device) == [.note("one"): .zoneNotFound])
    #expect(device.state.pendingRecordZoneChanges.isEmpty)
    #expect(await device.calls() == ["willSend", "nextBatch", "sentRecords", "nextBatch", "didSend"])
  }

  // [sync-send-4] [sync-send-9]
  @Test("a batch of more than 400 records fails as a whole with limitExceeded")
  func batchOverTheLimit() async throws {
    let device = try await device(SyncApp(provider: Self.everything))
    await device.add((0...400).map { note("note-\($0)") })
    #expect(await code { try await device.engine.sendChanges() } == .limitExceeded)
    let sent = try #require(await device.app.events.compactMap { $0.sentRecords }.first)
    #expect(sent.savedRecords.isEmpty)
    #expect(sent.failedRecordSaves.count == 401)
    #expect(sent.failedRecordSaves.allSatisfy { $0.error.code == .limitExceeded })
    #expect(device.state.pendingRecordZoneChanges.isEmpty)
  }

  // [sync-send-6]
  @Test(
    "a failure fails its zone's changes only with atomicByZone, and never another zone's", arguments: [true, false])
  func atomicity(isAtomic: Bool) async throws {
    let second = CKRecordZone.ID(zoneName: "Second")
    let device = try await device(SyncApp(provider: isAtomic ? Self.everythingAtomically : Self.everything))
    try await device.database.save(CKRecordZone(zoneID: second))
    try await device.database.save(note("conflict"))
    await device.add(note("conflict"), note("neighbour"), note("other", in: second))
    var expected: [CKRecord.ID: CKError.Code] = [.note("conflict"): .serverRecordChanged]
    if isAtomic { expected[.note("neighbour")] = .batchRequestFailed }
    #expect(try await failures(of: device) == expected)
    let sent = try #require(await device.app.events.compactMap { $0.sentRecords }.first)
    #expect(sent.savedRecords.map(\.recordID.recordName) == (isAtomic ? ["other"] : ["neighbour", "other"]))
  }

  // [sync-send-7]
  @Test("a record that failed and was added again waits for the next pass; the others are sent")
  func notOfferedAgain() async throws {
    let device = try await device(
      SyncApp(
        handler: { event, engine, _ in
          guard let sent = event.sentRecords else { return }
          engine.state.add(
            pendingRecordZoneChanges: sent.failedRecordSaves.map { .saveRecord($0.record.recordID) })
        },
        provider: Self.everything))
    try await device.database.save(note("one"))
    await device.add(note("one"), note("two"))
    #expect(try await failures(of: device) == [.note("one"): .serverRecordChanged])
    #expect(device.state.pendingRecordZoneChanges == [.saveRecord(.note("one"))])
    #expect(await device.calls() == ["willSend", "nextBatch", "sentRecords", "didSend"])
    #expect(try await failures(of: device) == [.note("one"): .serverRecordChanged])
  }

  // [sync-send-8]
  @Test("records outside of the scope are not sent, and stay pending")
  func scope() async throws {
    let device = try await device(SyncApp(provider: Self.everything))
    await device.add(note("one"), note("two"))
    let options = CKSyncEngine.SendChangesOptions(scope: .recordIDs([.note("two")]))
    #expect(try await failures(of: device, options) == [.note("one"): .invalidArguments])
    #expect(device.state.pendingRecordZoneChanges == [.saveRecord(.note("one"))])
    let sent = try #require(await device.app.events.compactMap { $0.sentRecords }.first)
    #expect(sent.savedRecords.map(\.recordID) == [.note("two")])
    // An app that stays within the scope has no failure.
    let second = try await self.device()
    await second.add(note("three"), note("four"))
    try await second.engine.sendChanges(.init(scope: .recordIDs([.note("four")])))
    #expect(second.state.pendingRecordZoneChanges == [.saveRecord(.note("three"))])
  }

  // [sync-send-8]
  @Test("a batch of which no record is in the scope makes no request, and ends the pass", arguments: [true, false])
  func nothingInScope(isUntracked: Bool) async throws {
    let device = try await device(SyncApp(provider: Self.everything))
    await device.add(note("one"), note("two"))
    device.state.hasPendingUntrackedChanges = isUntracked
    // A request would fail as a whole.
    try device.acting { try LocalCloud.setNetwork(.offline) }
    let options = CKSyncEngine.SendChangesOptions(scope: .recordIDs([.note("three")]))
    #expect(
      try await failures(of: device, options) == [.note("one"): .invalidArguments, .note("two"): .invalidArguments])
    let calls = await device.calls()
    #expect(calls.filter { $0 != "nextBatch" } == ["willSend", "sentRecords", "didSend"])
    #expect(calls.count == (isUntracked ? 5 : 4))
    #expect(device.state.pendingRecordZoneChanges == [.saveRecord(.note("one")), .saveRecord(.note("two"))])
  }

  /// As ``everything``, with `atomicByZone`.
  private static let everythingAtomically: SyncApp.Provider = { context, engine, app in
    var batch = await Self.everything(context, engine, app)
    batch?.atomicByZone = true
    return batch
  }

  // [sync-send-6] [sync-send-8]
  @Test("of an atomic batch no record of a zone is sent if one is outside of the scope")
  func atomicBatchAndScope() async throws {
    let second = CKRecordZone.ID(zoneName: "Second")
    let device = try await device(SyncApp(provider: Self.everythingAtomically))
    try await device.database.save(CKRecordZone(zoneID: second))
    let other = note("other", in: second)
    await device.add(note("one"), note("two"), other)
    let options = CKSyncEngine.SendChangesOptions(scope: .recordIDs([.note("two"), other.recordID]))
    #expect(
      try await failures(of: device, options) == [.note("one"): .invalidArguments, .note("two"): .batchRequestFailed])
    #expect(device.state.pendingRecordZoneChanges == [.saveRecord(.note("one")), .saveRecord(.note("two"))])
    let sent = await device.app.events.compactMap { $0.sentRecords }
    #expect(sent.flatMap(\.savedRecords).map(\.recordID) == [other.recordID])
    #expect(await code { _ = try await device.database.record(for: .note("two")) } == .unknownItem)
  }

  // [sync-send-6] [sync-send-7]
  @Test("of an atomic batch no record of a zone is sent if one failed earlier in the pass")
  func atomicBatchAfterAFailure() async throws {
    let second = CKRecordZone.ID(zoneName: "Second")
    let other = note("other", in: second)
    let device = try await device(
      SyncApp(
        handler: { event, engine, app in
          guard let failed = event.sentRecords?.failedRecordSaves.first else { return }
          for record in [note("neighbour"), other] { await app.put(record) }
          engine.state.add(
            pendingRecordZoneChanges: [
              .saveRecord(failed.record.recordID), .saveRecord(.note("neighbour")), .saveRecord(other.recordID),
            ])
        },
        provider: Self.everythingAtomically))
    try await device.database.save(CKRecordZone(zoneID: second))
    try await device.database.save(note("conflict"))
    await device.add(note("conflict"))
    #expect(try await failures(of: device) == [.note("conflict"): .serverRecordChanged])
    #expect(
      device.state.pendingRecordZoneChanges == [.saveRecord(.note("conflict")), .saveRecord(.note("neighbour"))])
    #expect(try await device.database.record(for: other.recordID).recordID == other.recordID)
    #expect(await code { _ = try await device.database.record(for: .note("neighbour")) } == .unknownItem)
  }

  // [sync-send-11]
  @Test("the app is asked for untracked changes, with the mark cleared")
  func untracked() async throws {
    let device = try await device(
      SyncApp(provider: { _, engine, app in
        #expect(!engine.state.hasPendingUntrackedChanges)
        guard let record = await app.record(.note("one")), record.recordChangeTag == nil else { return nil }
        return CKSyncEngine.RecordZoneChangeBatch(recordsToSave: [record])
      }))
    await device.app.put(note("one"))
    device.state.hasPendingUntrackedChanges = true
    try await device.engine.sendChanges()
    #expect(await device.calls() == ["willSend", "nextBatch", "sentRecords", "nextBatch", "didSend"])
    #expect(try await device.database.record(for: .note("one")).recordID == .note("one"))
  }

  // [sync-send-11] [sync-state-7]
  @Test("a stored state has the mark while untracked changes are sent, and a request that fails sets it again")
  func failedUntrackedChanges() async throws {
    let stored = Collector<Bool>()
    let device = try await device(
      SyncApp(
        handler: { event, _, _ in
          guard case .stateUpdate(let update) = event else { return }
          let data = try? JSONEncoder().encode(update.stateSerialization)
          stored.append(String(decoding: data ?? Data(), as: UTF8.self).contains(#""hasPendingUntrackedChanges":true"#))
        },
        provider: { _, engine, app in
          #expect(!engine.state.hasPendingUntrackedChanges)
          return CKSyncEngine.RecordZoneChangeBatch(recordsToSave: [note("tracked")])
        }))
    await device.add(note("tracked"))
    device.state.hasPendingUntrackedChanges = true
    try device.acting { try LocalCloud.setNetwork(.offline) }
    let earlier = stored.values.count
    #expect(await code { try await device.engine.sendChanges() } == .networkUnavailable)
    #expect(await device.calls() == ["willSend", "nextBatch", "sentRecords", "didSend"])
    #expect(device.state.hasPendingUntrackedChanges)
    let later = stored.values.dropFirst(earlier)
    #expect(later.count > 1)
    #expect(later.allSatisfy { $0 })
  }

  // [sync-send-11]
  @Test("a failed untracked change that the engine repeats sets the mark again, although the pass goes on")
  func busyUntrackedChange() async throws {
    let device = try await device(
      SyncApp(provider: { _, _, app in
        guard let record = await app.record(.note("one")), record.recordChangeTag == nil else { return nil }
        return CKSyncEngine.RecordZoneChangeBatch(recordsToSave: [record])
      }))
    await device.app.put(note("one"))
    device.state.hasPendingUntrackedChanges = true
    let lock = try ZoneLock(holding: testZoneID, of: "alice", in: cloud)
    #expect(try await failures(of: device, .shortTimeout) == [.note("one"): .zoneBusy])
    lock.release()
    #expect(device.state.hasPendingUntrackedChanges)
    try await device.engine.sendChanges()
    #expect(try await device.database.record(for: .note("one")).recordID == .note("one"))
    #expect(!device.state.hasPendingUntrackedChanges)
  }

  // [sync-send-11]
  @Test("after a send with a scope the mark is set, and the next send asks for the other untracked changes")
  func untrackedChangesOutsideOfTheScope() async throws {
    let device = try await device(
      SyncApp(provider: { context, _, app in
        let unsent = await app.records.values.filter { record in
          record.recordChangeTag == nil && context.options.scope.contains(record.recordID)
        }
        return unsent.isEmpty ? nil : CKSyncEngine.RecordZoneChangeBatch(recordsToSave: unsent)
      }))
    for name in ["one", "two"] { await device.app.put(note(name)) }
    device.state.hasPendingUntrackedChanges = true
    try await device.engine.sendChanges(.init(scope: .recordIDs([.note("two")])))
    #expect(device.state.hasPendingUntrackedChanges)
    try await device.engine.sendChanges()
    #expect(!device.state.hasPendingUntrackedChanges)
    let sent = await device.app.events.compactMap { $0.sentRecords }
    #expect(sent.map { $0.savedRecords.map(\.recordID) } == [[.note("two")], [.note("one")]])
  }

  // [sync-schedule-4]
  @Test("the context has the reason and the options of the call")
  func context() async throws {
    let device = try await device()
    let group = CKOperationGroup()
    try await device.engine.sendChanges(.init(scope: .zoneIDs([testZoneID]), operationGroup: group))
    for event in await device.app.events {
      let context: CKSyncEngine.SendChangesContext
      switch event {
      case .willSendChanges(let event): context = event.context
      case .didSendChanges(let event): context = event.context
      default: continue
      }
      #expect(context.reason == .manual)
      #expect(context.options.operationGroup === group)
      #expect(!context.options.scope.contains(CKRecord.ID(recordName: "a")))
    }
  }
}

import CloudKit
import LocalCloud
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import TestSupport
import Testing

@Suite("CKSyncEngine fetches", .timeLimit(.minutes(2)))
struct SyncFetchTests {
  private let cloud: TestCloud
  private let second = CKRecordZone.ID(zoneName: "Second")

  /// The engines do no work at times of their own.
  init() throws {
    cloud = try TestCloud()
    try cloud.holdSyncEngines()
  }

  /// A device in a cloud with two zones, each with one record.
  private func device(_ app: SyncApp = SyncApp()) async throws -> SyncDevice {
    let device = try await SyncDevice(cloud, app).started()
    for zoneID in [testZoneID, second] {
      try await device.database.save(CKRecordZone(zoneID: zoneID))
      try await device.database.save(note("first", in: zoneID))
    }
    return device
  }

  private func fetchedZones(_ app: SyncApp) async -> [CKRecordZone.ID] {
    await app.events.compactMap { event in
      if case .didFetchRecordZoneChanges(let event) = event { event.zoneID } else { nil }
    }
  }

  // [sync-fetch-1] [sync-fetch-2] [sync-fetch-6]
  @Test("a fetch reports the database, then each zone; a second one has nothing")
  func order() async throws {
    let device = try await device()
    try await device.engine.fetchChanges()
    let zone = ["willFetchZone", "fetchedZone", "didFetchZone"]
    #expect(await device.calls() == ["willFetch", "fetchedDatabase"] + zone + zone + ["didFetch"])
    #expect(device.state.zoneIDsWithUnfetchedServerChanges.isEmpty)
    try await device.engine.fetchChanges()
    #expect(await device.calls() == ["willFetch", "didFetch"])
    // Its own save is fetched, together with a deletion.
    await device.add(note("own"))
    device.state.add(pendingRecordZoneChanges: [.deleteRecord(.note("first"))])
    try await device.engine.sendChanges()
    await device.app.clear()
    try await device.engine.fetchChanges()
    let pages = await device.app.events.compactMap { $0.fetchedZone }
    #expect(pages.count == 1)
    #expect(pages.first?.modifications.map(\.record.recordID) == [.note("own")])
    #expect(pages.first?.deletions.map(\.recordID) == [.note("first")])
    #expect(pages.first?.deletions.map(\.recordType) == ["Note"])
    #expect(await device.app.mostRunning == 1)
  }

  // [sync-fetch-1] [sync-fetch-3]
  @Test("a zone with many records has several pages, and the app is asked for options between them")
  func pages() async throws {
    let questions = Collector<CKSyncEngine.SyncReason>()
    let device = try await device(
      SyncApp(options: { context, _ in
        questions.append(context.reason)
        return context.options
      }))
    let records = (0..<444).map { note("note-\($0)") }
    _ = try await device.database.modifyRecords(saving: Array(records.prefix(400)), deleting: [])
    _ = try await device.database.modifyRecords(saving: Array(records.dropFirst(400)), deleting: [])
    try await device.engine.fetchChanges(.init(scope: .zoneIDs([testZoneID])))
    let pages = await device.app.events.compactMap { $0.fetchedZone?.modifications.map(\.record.recordID.recordName) }
    #expect(pages.map(\.count) == [200, 200, 45])
    #expect(pages.flatMap { $0 }.sorted() == (["first"] + records.map(\.recordID.recordName)).sorted())
    #expect(await device.calls().filter { $0.hasSuffix("FetchZone") } == ["willFetchZone", "didFetchZone"])
    // One request for the database, three for the zone.
    #expect(questions.values == [.manual, .manual, .manual])
  }

  // [sync-fetch-5]
  @Test("zones outside of the scope keep their changes for a later fetch")
  func scope() async throws {
    let device = try await device()
    try await device.engine.fetchChanges(.init(scope: .allExcluding([second])))
    #expect(await fetchedZones(device.app) == [testZoneID])
    #expect(device.state.zoneIDsWithUnfetchedServerChanges == [second])
    await device.app.clear()
    try await device.engine.fetchChanges()
    #expect(await fetchedZones(device.app) == [second])
    #expect(device.state.zoneIDsWithUnfetchedServerChanges == [])
  }

  // [sync-fetch-4]
  @Test("prioritized zones are fetched first, and those without changes are ignored")
  func priorities() async throws {
    let device = try await device()
    var options = CKSyncEngine.FetchChangesOptions()
    options.prioritizedZoneIDs = [CKRecordZone.ID(zoneName: "Missing"), second]
    try await device.engine.fetchChanges(options)
    #expect(await fetchedZones(device.app) == [second, testZoneID])
  }

  // [sync-fetch-3]
  @Test("options that the app returns during a fetch hold from there on")
  func changedOptions() async throws {
    let second = second
    let device = try await device(
      SyncApp(options: { context, _ in
        var options = context.options
        options.scope = .zoneIDs([second])
        return options
      }))
    // The app is asked before the first page of a zone, after the choice of that zone.
    try await device.engine.fetchChanges(.init(scope: .zoneIDs([testZoneID])))
    #expect(await fetchedZones(device.app) == [testZoneID, second])
    try await device.database.save(note("later"))
    await device.app.clear()
    try await device.engine.fetchChanges(.init(scope: .zoneIDs([second])))
    #expect(await fetchedZones(device.app) == [])
    #expect(device.state.zoneIDsWithUnfetchedServerChanges == [testZoneID])
  }

  // [sync-fetch-3] [sync-fetch-4]
  @Test("a zone that the options left out is fetched when the app includes it, and each zone once")
  func includedLater() async throws {
    let second = second
    let device = try await device(
      SyncApp(options: { context, _ in
        var options = CKSyncEngine.FetchChangesOptions()
        options.prioritizedZoneIDs = [second, second]
        return options
      }))
    let third = CKRecordZone.ID(zoneName: "Third")
    try await device.database.save(CKRecordZone(zoneID: third))
    // The app is asked before the first page of the chosen zone.
    try await device.engine.fetchChanges(.init(scope: .zoneIDs([third])))
    #expect(await fetchedZones(device.app) == [third, second, testZoneID])
  }

  // [sync-fetch-7]
  @Test("a zone that fails has its error, and the others are fetched")
  func failingZone() async throws {
    let device = try await device(
      SyncApp(handler: { event, engine, _ in
        if event.fetchedDatabase != nil { _ = try? await engine.database.deleteRecordZone(withID: testZoneID) }
      }))
    #expect(await code { try await device.engine.fetchChanges() } == .partialFailure)
    let ends = await device.app.events.compactMap { event -> CKSyncEngine.Event.DidFetchRecordZoneChanges? in
      if case .didFetchRecordZoneChanges(let event) = event { event } else { nil }
    }
    #expect(ends.count == 2)
    #expect(ends.first { $0.zoneID == testZoneID }?.error?.code == .zoneNotFound)
    #expect(ends.contains { $0.zoneID == second && $0.error == nil })
  }

  // [sync-fetch-13]
  @Test("a record that can't be read is an error of its zone, and is fetched when it can be read again")
  func unreadableRecord() async throws {
    let device = try await device()
    try await device.engine.fetchChanges()
    try await device.database.save(note("bad"))
    for start in stride(from: 0, to: 300, by: 100) {
      _ = try await device.database.modifyRecords(
        saving: (start..<start + 100).map { note("note-\($0)") }, deleting: [])
    }
    let records = try cloud.cloud.zoneFolder(testZoneID.zoneName).directory("records")
    let bytes = try #require(try records.contents("bad.json"))
    try records.writeStaged("bad.json", Array("{".utf8))
    for _ in 0..<2 {
      await device.app.clear()
      #expect(await code { try await device.engine.fetchChanges() } == .partialFailure)
      let pages = await device.app.events.compactMap { $0.fetchedZone }
      #expect(pages.flatMap(\.modifications).count == 300)
      let errors = await device.app.events.compactMap { event -> CKError? in
        if case .didFetchRecordZoneChanges(let event) = event { event.error } else { nil }
      }
      #expect(errors.count == 1)
      #expect(device.state.zoneIDsWithUnfetchedServerChanges == [testZoneID])
    }
    try records.writeStaged("bad.json", bytes)
    try await device.engine.fetchChanges()
    #expect(await device.app.record(.note("bad")) != nil)
    #expect(device.state.zoneIDsWithUnfetchedServerChanges.isEmpty)
    await device.app.clear()
    try await device.engine.fetchChanges()
    #expect(await device.calls() == ["willFetch", "didFetch"])
  }

  // [sync-fetch-8]
  @Test("tokens that the cloud does not know are replaced without an error")
  func expiredTokens() async throws {
    let device = try await device()
    try await device.engine.fetchChanges()
    let restored = try SyncDevice(cloud, state: try await state(of: device, replacing: "databaseToken", "token"))
    try await restored.engine.fetchChanges()
    #expect(await restored.app.records.count == 2)
    for event in await restored.app.events {
      if case .didFetchRecordZoneChanges(let event) = event { #expect(event.error == nil) }
    }
  }

  /// The state of a device, with tokens that the cloud does not know.
  private func state(
    of device: SyncDevice, replacing keys: String...
  ) async throws -> CKSyncEngine.State.Serialization {
    let serialization = try #require(await device.app.serialization)
    var text = String(decoding: try JSONEncoder().encode(serialization), as: UTF8.self)
    let junk = Data("junk".utf8).base64EncodedString()
    for key in keys {
      text = text.replacing(try Regex("\"\(key)\":\"[^\"]*\""), with: "\"\(key)\":\"\(junk)\"")
    }
    #expect(text.contains(junk))
    return try JSONDecoder().decode(CKSyncEngine.State.Serialization.self, from: Data(text.utf8))
  }

  // [sync-fetch-15]
  @Test(
    "after the expiry of the database's token a zone that does not exist is a deletion with its reason",
    arguments: ["deleted", "purged", "reset"])
  func missingZones(reason: String) async throws {
    let device = try await device()
    let zone = CKRecordZone(zoneName: "Secret")
    try await device.database.save(zone)
    let secret = note("secret", in: zone.zoneID)
    secret.encryptedValues["text"] = "hidden"
    try await device.database.save(secret)
    try await device.engine.fetchChanges()
    let state = try await state(of: device, replacing: "databaseToken")
    let expected = try await end(zone.zoneID, of: device, reason)
    let restored = try SyncDevice(cloud, state: state)
    await restored.add(note("pending", in: zone.zoneID))
    try await restored.engine.fetchChanges()
    let deletions = await restored.app.events.compactMap { $0.fetchedDatabase?.deletions }.flatMap { $0 }
    #expect(deletions.filter { $0.zoneID == zone.zoneID }.map(\.reason) == [expected])
    #expect(restored.state.pendingRecordZoneChanges.isEmpty)
    await restored.app.clear()
    try await restored.engine.fetchChanges()
    #expect(await restored.calls() == ["willFetch", "didFetch"])
  }

  // [sync-fetch-8] [sync-fetch-15] [sync-fetch-16]
  @Test("after the restore of a cloud a zone that it does not have is deleted, and the others are fetched anew")
  func restoredCloud() async throws {
    let device = try await SyncDevice(cloud).started()
    try await device.database.save(CKRecordZone(zoneID: testZoneID))
    try await device.database.save(note("first"))
    let root = cloud.cloud.path
    try LocalCloud.acting(as: nil, root: root) { try LocalCloud.saveSnapshot("before") }
    try await device.database.save(CKRecordZone(zoneID: second))
    try await device.database.save(note("later"))
    try await device.engine.fetchChanges()
    try LocalCloud.acting(as: nil, root: root) { try LocalCloud.restoreSnapshot("before") }
    await device.app.clear()
    try await device.engine.fetchChanges()
    let pages = await device.app.events.compactMap { $0.fetchedDatabase }
    #expect(pages.map { $0.deletions.map(\.zoneID) } == [[second], [testZoneID], []])
    #expect(pages.map { $0.modifications.map(\.zoneID) } == [[testZoneID], [], [testZoneID]])
    let records = await device.app.events.compactMap { $0.fetchedZone }.flatMap(\.modifications)
    #expect(records.map(\.record.recordID) == [.note("first")])
  }

  // [sync-fetch-16]
  @Test("a zone that was deleted and made again since the last fetch is deleted before its records are fetched")
  func zoneThatWasMadeAgain() async throws {
    let device = try await device()
    try await device.engine.fetchChanges()
    try await device.database.deleteRecordZone(withID: testZoneID)
    try await device.database.save(CKRecordZone(zoneID: testZoneID))
    try await device.database.save(note("new"))
    await device.add(note("pending"))
    await device.app.clear()
    try await device.engine.fetchChanges()
    let pages = await device.app.events.compactMap { $0.fetchedDatabase }
    #expect(pages.map { $0.deletions.map(\.zoneID) } == [[], [testZoneID], []])
    #expect(pages.flatMap(\.deletions).map(\.reason) == [.deleted])
    #expect(device.state.pendingRecordZoneChanges == [.saveRecord(.note("pending"))])
    let zone = ["willFetchZone", "fetchedDatabase", "fetchedDatabase", "fetchedZone", "didFetchZone"]
    #expect(await device.calls() == ["willFetch", "fetchedDatabase"] + zone + ["didFetch"])
  }

  // [sync-fetch-16]
  @Test("a zone that another device makes again after a failed send is deleted before its records are fetched")
  func zoneThatAnotherDeviceMadeAgain() async throws {
    let device = try await device()
    try await device.engine.fetchChanges()
    try await device.database.deleteRecordZone(withID: testZoneID)
    device.state.add(pendingRecordZoneChanges: [.deleteRecord(.note("first"))])
    await #expect(throws: CKError.self) { try await device.engine.sendChanges() }
    try await device.database.save(CKRecordZone(zoneID: testZoneID))
    await device.app.clear()
    try await device.engine.fetchChanges()
    let deletions = await device.app.events.compactMap { $0.fetchedDatabase }.flatMap(\.deletions)
    #expect(deletions.map(\.zoneID) == [testZoneID])
  }

  // [sync-fetch-16]
  @Test("a zone that the app makes again after a failed send is not deleted once more")
  func zoneThatTheAppMadeAgain() async throws {
    let device = try await device()
    try await device.engine.fetchChanges()
    try await device.database.deleteRecordZone(withID: testZoneID)
    await device.add(note("pending"))
    await #expect(throws: CKError.self) { try await device.engine.sendChanges() }
    device.addZone()
    await device.add(note("pending"))
    try await device.engine.sendChanges()
    await device.app.clear()
    try await device.engine.fetchChanges()
    #expect(await device.app.events.compactMap { $0.fetchedDatabase }.flatMap(\.deletions).isEmpty)
    #expect(await device.app.record(.note("pending")) != nil)
    // Likewise after the app's own deletion.
    device.state.add(pendingDatabaseChanges: [.deleteZone(testZoneID)])
    try await device.engine.sendChanges()
    device.addZone()
    try await device.engine.sendChanges()
    try await device.engine.fetchChanges()
    #expect(await device.app.events.compactMap { $0.fetchedDatabase }.flatMap(\.deletions).isEmpty)
  }

  /// Deletes a zone in one of three ways. Returns the reason of the deletion.
  private func end(
    _ zoneID: CKRecordZone.ID, of device: SyncDevice, _ reason: String
  ) async throws -> CKDatabase.DatabaseChange.Deletion.Reason {
    switch reason {
    case "purged":
      _ = try cloud.cloud.service.zones.purgeData(of: "alice", container: "iCloud.test")
      return .purged
    case "reset":
      _ = try cloud.cloud.service.keys.resetKeys(of: "alice", container: "iCloud.test")
      return .encryptedDataReset
    default:
      try await device.database.deleteRecordZone(withID: zoneID)
      return .deleted
    }
  }

  // [sync-fetch-9] [sync-state-10]
  @Test(
    "a deleted zone has a reason, and takes its pending changes with it", arguments: ["deleted", "purged", "reset"])
  func deletedZones(reason: String) async throws {
    let device = try await device()
    let zone = CKRecordZone(zoneName: "Secret")
    try await device.database.save(zone)
    let secret = note("secret", in: zone.zoneID)
    secret.encryptedValues["text"] = "hidden"
    try await device.database.save(secret)
    try await device.engine.fetchChanges()
    await device.app.clear()
    await device.add(note("pending", in: zone.zoneID))
    let expected = try await end(zone.zoneID, of: device, reason)
    try await device.engine.fetchChanges()
    let deletions = await device.app.events.compactMap { $0.fetchedDatabase?.deletions }.flatMap { $0 }
    #expect(deletions.first { $0.zoneID == zone.zoneID }?.reason == expected)
    #expect(device.state.pendingRecordZoneChanges.isEmpty)
  }

  // [sync-fetch-9]
  @Test("pending changes of a deleted zone stay if the app is about to save the zone again")
  func deletedZoneThatIsSavedAgain() async throws {
    let device = try await device()
    try await device.engine.fetchChanges()
    try await device.database.deleteRecordZone(withID: testZoneID)
    device.addZone()
    await device.add(note("again"))
    try await device.engine.fetchChanges()
    #expect(device.state.pendingRecordZoneChanges == [.saveRecord(.note("again"))])
    try await device.engine.sendChanges()
    #expect(try await device.database.record(for: .note("again")).recordID == .note("again"))
  }

  // [sync-fetch-10]
  @Test("a participant fetches a shared zone, and its deletion when the share ends")
  func endOfShare() async throws {
    let alice = try await device()
    let root = try await alice.database.record(for: .note("first"))
    let share = CKShare(rootRecord: root)
    let participant = try await alice.container.shareParticipant(forEmailAddress: "bob@example.com")
    participant.permission = .readOnly
    share.addParticipant(participant)
    let results = try await alice.database.modifyRecords(saving: [root, share], deleting: []).saveResults
    let url = try #require(try (results[share.recordID]?.get() as? CKShare)?.url)
    let bob = try await SyncDevice(cloud, as: "bob", scope: .shared).started()
    try await bob.container.accept(try await bob.container.shareMetadata(for: url))
    try await bob.engine.fetchChanges()
    #expect(await bob.app.records.values.contains { $0.recordID.recordName == "first" })
    let zoneID = try #require(await fetchedZones(bob.app).first)
    _ = try await alice.database.deleteRecord(withID: share.recordID)
    await bob.app.clear()
    try await bob.engine.fetchChanges()
    let deletions = await bob.app.events.compactMap { $0.fetchedDatabase?.deletions }.flatMap { $0 }
    #expect(deletions.map(\.zoneID) == [zoneID])
    #expect(deletions.map(\.reason) == [.deleted])
  }

  // [sync-fetch-11]
  @Test("calls at the same time have pairs of events, one after another")
  func callsAtTheSameTime() async throws {
    let device = try await device()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { try await device.engine.fetchChanges() } }
      try await group.waitForAll()
    }
    let ends = await device.app.calls.filter { $0 == "willFetch" || $0 == "didFetch" }
    #expect(!ends.isEmpty)
    #expect(ends == (0..<(ends.count / 2)).flatMap { _ in ["willFetch", "didFetch"] })
    #expect(await device.app.calls.filter { $0 == "fetchedDatabase" }.count == 1)
    #expect(await device.app.mostRunning == 1)
  }

  // [sync-fetch-12]
  @Test("records of the default zone are sent and never fetched")
  func defaultZone() async throws {
    let device = try await SyncDevice(cloud).started()
    let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "a"))
    await device.add(record)
    try await device.engine.sendChanges()
    #expect(try await device.database.record(for: record.recordID).recordID == record.recordID)
    await device.app.clear()
    try await device.engine.fetchChanges()
    #expect(await device.calls() == ["willFetch", "didFetch"])
  }

  // [sync-fetch-11]
  @Test("a call that waits for the fetch of another call ends with its own task, and the fetch goes on")
  func cancelledWait() async throws {
    let gate = SyncGate()
    let device = try await device(
      SyncApp(at: gate, in: "willFetch"))
    await gate.close()
    let fetch = Task { try await device.engine.fetchChanges() }
    await gate.isReached()
    let waiting = Task { await code { try await device.engine.fetchChanges() } }
    waiting.cancel()
    #expect(await waiting.value == .operationCancelled)
    await gate.open()
    try await fetch.value
    #expect(await fetchedZones(device.app).count == 2)
  }
}

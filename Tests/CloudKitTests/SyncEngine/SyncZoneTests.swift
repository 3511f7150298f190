import CloudKit
import LocalCloud
import LocalCloudEmulator
import LocalCloudService
import Testing

@Suite("Zones and pushes of CKSyncEngine", .timeLimit(.minutes(2)))
struct SyncZoneTests {
  private let cloud: TestCloud
  private let second = CKRecordZone.ID(zoneName: "Second")

  /// The engines do no work at times of their own.
  init() throws {
    cloud = try TestCloud()
    try cloud.holdSyncEngines()
  }

  // MARK: Zones

  // [sync-zone-2]
  @Test("a saved zone has the server's capabilities; a failed save has the zone of the change, and is dropped")
  func sentZones() async throws {
    let device = try await SyncDevice(cloud).started()
    device.addZone()
    try await device.engine.sendChanges()
    let saved = try #require(await device.app.events.compactMap { $0.sentDatabase }.first?.savedZones.first)
    #expect(saved.capabilities.contains([.fetchChanges, .atomic, .sharing]))
    // The encryption scope of a zone is constant.
    let zone = CKRecordZone(zoneID: testZoneID)
    zone.encryptionScope = .perZone
    device.state.add(pendingDatabaseChanges: [.saveZone(zone)])
    await device.app.clear()
    #expect(await code { try await device.engine.sendChanges() } == .partialFailure)
    let failures = await device.app.events.compactMap { $0.sentDatabase }.flatMap(\.failedZoneSaves)
    #expect(failures.map(\.error.code) == [.serverRejectedRequest])
    #expect(failures.first?.zone === zone)
    #expect(device.state.pendingDatabaseChanges.isEmpty)
  }

  // [sync-send-2]
  @Test("zones that the app adds after a request are sent before it is asked for records")
  func addedZones() async throws {
    let second = second
    let device = try await SyncDevice(
      cloud,
      SyncApp(handler: { event, engine, _ in
        guard let sent = event.sentDatabase, sent.savedZones.contains(where: { $0.zoneID == testZoneID }) else {
          return
        }
        engine.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: second))])
      })
    ).started()
    device.addZone()
    await device.add(note("one"))
    try await device.engine.sendChanges()
    let names = ["willSend", "sentDatabase", "sentDatabase", "nextBatch", "sentRecords", "nextBatch", "didSend"]
    #expect(await device.calls() == names)
  }

  // [sync-send-8]
  @Test("database changes are sent whatever the scope of the send is")
  func scope() async throws {
    let device = try await SyncDevice(cloud).started()
    device.addZone()
    await device.add(note("one"))
    try await device.engine.sendChanges(.init(scope: .zoneIDs([second])))
    #expect(device.state.pendingDatabaseChanges.isEmpty)
    #expect(device.state.pendingRecordZoneChanges == [.saveRecord(.note("one"))])
    #expect(try await device.database.recordZone(for: testZoneID).zoneID == testZoneID)
  }

  // [sync-fetch-1]
  @Test("a database with many changed zones has several events, and no zone is missing")
  func manyZones() async throws {
    let device = try await SyncDevice(cloud).started()
    let zones = (0..<201).map { CKRecordZone(zoneName: "Zone \($0)") }
    try await device.database.modifyRecordZones(saving: zones, deleting: [])
    try await device.engine.fetchChanges(.init(scope: .zoneIDs([])))
    let pages = await device.app.events.compactMap { $0.fetchedDatabase?.modifications.map(\.zoneID) }
    #expect(pages.map(\.count) == [200, 1])
    #expect(Set(pages.flatMap { $0 }) == Set(zones.map(\.zoneID)))
    #expect(device.state.zoneIDsWithUnfetchedServerChanges.count == 201)
  }

  // MARK: Pushes

  // [sync-push-1]
  @Test("an engine receives pushes without help of the app")
  func receivedPush() async throws {
    // The engines of this cloud are not held.
    let cloud = try TestCloud()
    let phone = try SyncDevice(cloud, named: "phone", automatically: true)
    await phone.app.wait(for: "didFetch")
    let tablet = try await SyncDevice(cloud, named: "tablet").started()
    try await tablet.database.save(CKRecordZone(zoneID: testZoneID))
    await phone.app.wait { $0.fetchedDatabase?.modifications.contains { $0.zoneID == testZoneID } == true }
    withExtendedLifetime(phone) {}
  }

  // [sync-push-4]
  @Test("an engine whose listening ended receives pushes and account changes again after its next pass")
  func endedListening() async throws {
    // The engines of this cloud are not held.
    let cloud = try TestCloud()
    let phone = try SyncDevice(cloud, named: "phone", automatically: true)
    await phone.app.wait(for: "didFetch")
    // As when the folder is removed, and cannot be opened again.
    let readers = FolderUsers.users(below: cloud.cloud.path + "/devices")
    #expect(readers.count >= 3)
    for reader in readers {
      reader.stop()
      reader.waitForWrites(seconds: 30)
    }
    try await phone.engine.sendChanges()
    let tablet = try await SyncDevice(cloud, named: "tablet").started()
    try await tablet.database.save(CKRecordZone(zoneID: testZoneID))
    await phone.app.wait { $0.fetchedDatabase?.modifications.contains { $0.zoneID == testZoneID } == true }
    await phone.app.clear()
    _ = try cloud.cloud.service.devices.signOut("phone")
    await phone.app.wait(for: "signOut")
    withExtendedLifetime(phone) {}
  }

  // [sync-push-5] [sync-schedule-3]
  @Test("an automatic engine fetches from a restored cloud by itself, and receives its pushes")
  func restoredCloud() async throws {
    // The engines of this cloud are not held.
    let cloud = try TestCloud()
    let root = cloud.cloud.path
    let tablet = try await SyncDevice(cloud, named: "tablet").started()
    try await tablet.database.save(CKRecordZone(zoneID: testZoneID))
    try await tablet.database.save(note("one"))
    // Without a subscription.
    try LocalCloud.acting(as: nil, root: root) { try LocalCloud.saveSnapshot("before") }
    let phone = try SyncDevice(cloud, named: "phone", automatically: true)
    await phone.app.wait { $0.fetchedZone != nil }
    await phone.app.wait(for: "didFetch")
    await phone.app.clear()
    try LocalCloud.acting(as: nil, root: root) { try LocalCloud.restoreSnapshot("before") }
    // The zone is as it was, so that only the database is fetched again.
    await phone.app.wait(for: "fetchedDatabase")
    // The fetch that reads the restored cloud is followed by one that saves the subscription.
    try await phone.engine.fetchChanges()
    #expect(try await phone.database.allSubscriptions().map(\.subscriptionID) == ["CKSyncEngine-private"])
    try await tablet.database.save(note("two"))
    await phone.app.wait { $0.fetchedZone?.modifications.map(\.record.recordID) == [.note("two")] }
    withExtendedLifetime(phone) {}
  }

  // [sync-push-2] [sync-schedule-3]
  @Test("engines of a database share a subscription for silent pushes, and save it again after its deletion")
  func subscription() async throws {
    let phone = try SyncDevice(cloud, named: "phone", automatically: true)
    let others = [
      try SyncDevice(cloud, named: "phone", automatically: true),
      try SyncDevice(cloud, named: "tablet", automatically: true),
    ]
    try await cloud.runSyncEngines()
    let subscriptions = try await phone.database.allSubscriptions()
    #expect(subscriptions.map(\.subscriptionID) == ["CKSyncEngine-private"])
    let info = try #require(subscriptions.first?.notificationInfo)
    #expect(info.shouldSendContentAvailable)
    #expect(info.alertBody == nil)
    try await phone.database.deleteSubscription(withID: "CKSyncEngine-private")
    let state = try #require(await phone.app.serialization)
    let restored = try SyncDevice(cloud, named: "phone", state: state, automatically: true)
    try await cloud.runSyncEngines()
    #expect(try await phone.database.allSubscriptions().map(\.subscriptionID) == ["CKSyncEngine-private"])
    withExtendedLifetime(others + [restored]) {}
  }

  // [sync-push-3]
  @Test("a change by an engine sends a push to the other devices, and none to its own")
  func ownChange() async throws {
    func pushes(_ device: String) throws -> Int {
      try cloud.cloud.service.pushes.list(by: cloud.cloud.caller("alice", device: device)).all.count
    }
    let phone = try SyncDevice(cloud, named: "phone", automatically: true)
    let tablet = try SyncDevice(cloud, named: "tablet", automatically: true)
    try await cloud.runSyncEngines()
    #expect(try (pushes("phone"), pushes("tablet")) == (0, 0))
    phone.addZone()
    try await cloud.runSyncEngines()
    #expect(try pushes("phone") == 0)
    #expect(try pushes("tablet") > 0)
    withExtendedLifetime(tablet) {}
  }
}

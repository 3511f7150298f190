import LocalCloud
import Testing

@testable import CloudKit

@Suite("CKSyncEngine and errors", .timeLimit(.minutes(2)))
struct SyncErrorTests {
  private let cloud: TestCloud

  init() throws { cloud = try TestCloud() }

  private func device(automatically: Bool = false) async throws -> SyncDevice {
    try await SyncDevice(cloud, automatically: automatically).startedWithZone()
  }

  private static let conditions: [(LocalCloud.Network, CKError.Code)] = [
    (.offline, .networkUnavailable), (.unreachable, .networkFailure),
    (.unavailable(retryAfter: 30), .serviceUnavailable), (.busy(retryAfter: 30), .zoneBusy),
  ]

  // [sync-error-1] [sync-error-4]
  @Test("a change stays pending after an error of the network or the server", arguments: 0..<4)
  func pendingChanges(index: Int) async throws {
    let (network, expected) = Self.conditions[index]
    let device = try await device()
    device.addZone(CKRecordZone.ID(zoneName: "Second"))
    await device.add(note("one"))
    try device.acting { try LocalCloud.setNetwork(network) }
    #expect(await code { try await device.engine.sendChanges() } == expected)
    let failed = await device.app.events.compactMap { $0.sentDatabase }
    #expect(failed.flatMap(\.failedZoneSaves).map(\.error.code) == [expected])
    #expect(device.state.pendingDatabaseChanges.count == 1)
    // The records were not tried.
    #expect(await device.calls() == ["willSend", "sentDatabase", "didSend"])
    device.state.remove(pendingDatabaseChanges: device.state.pendingDatabaseChanges)
    #expect(await code { try await device.engine.sendChanges() } == expected)
    let sent = await device.app.events.compactMap { $0.sentRecords }
    #expect(sent.flatMap(\.failedRecordSaves).map(\.error.code) == [expected])
    #expect(device.state.pendingRecordZoneChanges == [.saveRecord(.note("one"))])
    try device.acting { try LocalCloud.setNetwork(.online) }
    try await device.engine.sendChanges()
    #expect(device.state.pendingRecordZoneChanges.isEmpty)
    #expect(try await device.database.record(for: .note("one")).recordID == .note("one"))
  }

  // [sync-error-4] [sync-fetch-1]
  @Test("a fetch without a network has its two events, and throws the error")
  func fetchOffline() async throws {
    let device = try await device()
    try device.acting { try LocalCloud.setNetwork(.offline) }
    #expect(await code { try await device.engine.fetchChanges() } == .networkUnavailable)
    #expect(await device.calls() == ["willFetch", "didFetch"])
    try device.acting { try LocalCloud.setNetwork(.online) }
    try await device.engine.fetchChanges()
    #expect(await device.calls().contains("fetchedDatabase"))
  }

  // [sync-error-2]
  @Test("a change is dropped after an error that the app decides about")
  func droppedChanges() async throws {
    let device = try await device()
    try device.acting { try LocalCloud.setStorageFull(true, of: "alice") }
    await device.add(note("one"))
    await #expect(throws: CKError.self) { try await device.engine.sendChanges() }
    let sent = await device.app.events.compactMap { $0.sentRecords }
    #expect(sent.flatMap(\.failedRecordSaves).map(\.error.code) == [.quotaExceeded])
    #expect(device.state.pendingRecordZoneChanges.isEmpty)
  }

  // [sync-error-3]
  @Test("an automatic engine sends again when the device is online again")
  func retry() async throws {
    let device = try await device(automatically: true)
    try device.acting { try LocalCloud.setNetwork(.offline) }
    await device.add(note("one"))
    await device.app.wait { $0.sentRecords?.failedRecordSaves.first?.error.code == .networkUnavailable }
    try device.acting { try LocalCloud.setNetwork(.online) }
    await device.app.wait { $0.sentRecords?.savedRecords.first?.recordID == .note("one") }
    #expect(device.state.pendingRecordZoneChanges.isEmpty)
  }

  // [sync-error-3] [sync-schedule-8]
  @Test("work that has to wait for a retry is done once each time the engines are run by hand")
  func retryByHand() async throws {
    try cloud.holdSyncEngines()
    let device = try await device(automatically: true)
    try await cloud.runSyncEngines()
    try device.acting { try LocalCloud.setNetwork(.unavailable(retryAfter: 3600)) }
    await device.add(note("one"))
    for _ in 0..<2 {
      await device.app.clear()
      try await cloud.runSyncEngines()
      let sent = await device.app.events.compactMap { $0.sentRecords }
      #expect(sent.flatMap(\.failedRecordSaves).map(\.error.code) == [.serviceUnavailable])
    }
    try device.acting { try LocalCloud.setNetwork(.online) }
    try await cloud.runSyncEngines()
    #expect(device.state.pendingRecordZoneChanges.isEmpty)
  }

  // [sync-error-3] [sync-schedule-8]
  @Test("a send that is due with a fetch waits for the pause that the fetch gets; by hand it does not")
  func pauseBetweenFetchAndSend() async throws {
    try cloud.holdSyncEngines()
    let device = try await device(automatically: true)
    try await cloud.runSyncEngines()
    try device.acting { try LocalCloud.setNetwork(.unavailable(retryAfter: 3600)) }
    await device.add(note("one"))
    await device.app.clear()
    await device.engine.work.perform([.fetch, .send])
    #expect(await device.calls() == ["willFetch", "didFetch"])
    try await cloud.runSyncEngines()
    #expect(await device.calls().contains("willSend"))
  }

  // [sync-error-3] [sync-send-9]
  @Test("a pass keeps the longest retry-after of each code, and a scheduled one keeps no record of a conflict")
  func memoryOfFailures() throws {
    var failures = SyncFailures(isThrown: false)
    weak var conflicting: CKRecord?
    do {
      let record = note("conflict")
      conflicting = record
      let error = CKError(.serverRecordChanged, userInfo: [CKRecordChangedErrorServerRecordKey: record])
      failures.add(error, of: record.recordID)
    }
    #expect(conflicting == nil)
    #expect(failures.errors.isEmpty)
    for seconds in [2, 3, 1] {
      failures.add(CKError(.zoneBusy, userInfo: [CKErrorRetryAfterKey: seconds]), of: CKRecord.ID.note("busy"))
    }
    #expect(failures.errors.map(\.retryAfterSeconds) == [3])
    #expect(failures.recordIDs == [.note("conflict"), .note("busy")])
    try failures.check("send changes", container: nil)
    var manual = SyncFailures()
    manual.add(CKError(.serverRecordChanged), of: CKRecord.ID.note("conflict"))
    let thrown = manual
    #expect(throws: CKError.self) { try thrown.check("send changes", container: nil) }
  }
}

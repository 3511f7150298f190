import LocalCloud
import Testing

@testable import CloudKit

@Suite("CKSyncEngine and faults on demand", .timeLimit(.minutes(2)))
struct SyncFaultTests {
  private let cloud: TestCloud

  /// The engines do no work at times of their own.
  init() throws {
    cloud = try TestCloud()
    try cloud.holdSyncEngines()
  }

  private func device() async throws -> SyncDevice { try await SyncDevice(cloud).startedWithZone() }

  private func add(_ fault: LocalCloud.Fault, on device: SyncDevice) throws {
    try device.acting { _ = try LocalCloud.addFaults([fault]) }
  }

  private static let errors: [LocalCloud.Fault.Effect] = [
    .error(.zoneBusy, retryAfter: 30), .error(.serviceUnavailable, retryAfter: 30), .requestLost,
  ]

  // [sync-error-1] [fault-4] [fault-6]
  @Test("a change stays pending after a request that failed on demand, and is sent by the next call", arguments: 0..<3)
  func pendingChange(index: Int) async throws {
    let device = try await device()
    await device.add(note("one"))
    try add(.init(Self.errors[index], on: .modifyRecords, times: 1), on: device)
    #expect(await code { try await device.engine.sendChanges() } != nil)
    #expect(device.state.pendingRecordZoneChanges == [.saveRecord(.note("one"))])
    try await device.engine.sendChanges()
    #expect(device.state.pendingRecordZoneChanges.isEmpty)
    #expect(try await device.database.record(for: .note("one")).recordID == .note("one"))
  }

  // [fault-5]
  @Test("a conflict on demand is reported with the server's record; the merged record is sent")
  func conflict() async throws {
    let device = try await device()
    await device.add(note("one", "server"))
    try await device.engine.sendChanges()
    let record = try await device.database.record(for: .note("one"))
    record["title"] = "client"
    await device.add(record)
    await device.app.clear()
    try add(.init(.itemError(.serverRecordChanged), recordName: "one", times: 1), on: device)
    #expect(await code { try await device.engine.sendChanges() } == .partialFailure)
    let failed = await device.app.events.compactMap { $0.sentRecords }.flatMap(\.failedRecordSaves)
    #expect(failed.map(\.error.code) == [.serverRecordChanged])
    let server = try #require(failed.first?.error.serverRecord)
    #expect(server["title"] == "server")
    server["title"] = "merged"
    await device.add(server)
    try await device.engine.sendChanges()
    #expect(try await device.database.record(for: .note("one"))["title"] == "merged")
    #expect(device.state.pendingRecordZoneChanges.isEmpty)
  }

  // [sync-error-2] [fault-6]
  @Test("a lost answer is reported for the record; the app's next save is a conflict with the record that was saved")
  func lostReply() async throws {
    let device = try await device()
    await device.add(note("one", "sent"))
    try add(.init(.replyLost, on: .modifyRecords, times: 1), on: device)
    await #expect(throws: CKError.self) { try await device.engine.sendChanges() }
    let lost = await device.app.events.compactMap { $0.sentRecords }.flatMap(\.failedRecordSaves)
    #expect(lost.map(\.error.code) == [.serverResponseLost])
    #expect(try await device.database.record(for: .note("one"))["title"] == "sent")
    #expect(device.state.pendingRecordZoneChanges.isEmpty)
    await device.app.clear()
    await device.add(note("one", "sent"))
    await #expect(throws: CKError.self) { try await device.engine.sendChanges() }
    let failed = await device.app.events.compactMap { $0.sentRecords }.flatMap(\.failedRecordSaves)
    #expect(failed.map(\.error.code) == [.serverRecordChanged])
    #expect(failed.first?.error.serverRecord?["title"] == "sent")
  }

  // [fault-4]
  @Test("a fetch that fails on demand brings everything the next time")
  func fetch() async throws {
    let device = try await device()
    let other = try await SyncDevice(cloud, named: "phone").started()
    try await device.database.save(note("one"))
    try add(.init(.error(.serviceUnavailable), on: .zoneChanges, device: "phone", times: 1), on: device)
    #expect(await code { try await other.engine.fetchChanges() } != nil)
    try await other.engine.fetchChanges()
    let fetched = await other.app.events.compactMap { $0.fetchedZone }.flatMap(\.modifications)
    #expect(fetched.map(\.record.recordID) == [.note("one")])
  }

  // [fault-10]
  @Test("a slow answer delays the call, and the change is sent once")
  func latency() async throws {
    let device = try await device()
    await device.add(note("one"))
    try add(.init(.latency(0.05), on: .modifyRecords, times: 1), on: device)
    let start = ContinuousClock.now
    try await device.engine.sendChanges()
    #expect(ContinuousClock.now - start >= .milliseconds(50))
    #expect(device.state.pendingRecordZoneChanges.isEmpty)
    #expect(await device.app.events.compactMap { $0.sentRecords }.flatMap(\.savedRecords).count == 1)
  }

  // [sync-fetch-14] [fault-8] [fault-9]
  @Test(
    "a zone whose push went astray is marked when the push arrives; each change is fetched once",
    arguments: [
      .lostPushes, .doubledPushes, .reorderedPushes, .latePushes(100_000),
    ] as [LocalCloud.Fault.Effect])
  func pushes(effect: LocalCloud.Fault.Effect) async throws {
    let tablet = try await SyncDevice(cloud, named: "tablet").started()
    let zones = ["first", "second"].map { CKRecordZone.ID(zoneName: $0) }
    for zone in zones { try await tablet.database.save(CKRecordZone(zoneID: zone)) }
    let phone = try SyncDevice(cloud, named: "phone", automatically: true)
    try await cloud.runSyncEngines()
    #expect(phone.state.zoneIDsWithUnfetchedServerChanges.isEmpty)
    // Nothing but pushes changes the state of a held engine.
    let (changes, change) = AsyncStream<Void>.makeStream()
    phone.state.changed = { _ in change.yield() }
    var iterator = changes.makeAsyncIterator()
    try add(.init(effect, device: "phone", times: 1), on: tablet)
    for zone in zones {
      let recordID = CKRecord.ID(recordName: zone.zoneName, zoneID: zone)
      try await tablet.database.save(CKRecord(recordType: "Note", recordID: recordID))
    }
    // Both pushes of a doubled one may be noticed.
    var marked: Set<CKRecordZone.ID> { Set(phone.state.zoneIDsWithUnfetchedServerChanges) }
    switch effect {
    case .lostPushes:
      while marked.isEmpty { _ = await iterator.next() }
      #expect(marked == [zones[1]])
    case .latePushes:
      while marked.isEmpty { _ = await iterator.next() }
      #expect(marked == [zones[1]])
      #expect(try phone.acting { try LocalCloud.releasePushes(in: phone.container) } == 1)
      while marked.count < 2 { _ = await iterator.next() }
    default:
      while marked.count < 2 { _ = await iterator.next() }
    }
    try await cloud.runSyncEngines()
    let fetched = await phone.app.events.compactMap { $0.fetchedZone }.flatMap(\.modifications)
    #expect(fetched.map(\.record.recordID.recordName).sorted() == ["first", "second"])
    #expect(phone.state.zoneIDsWithUnfetchedServerChanges.isEmpty)
  }
}

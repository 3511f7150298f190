import CloudKit
import LocalCloud
import Testing

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
}

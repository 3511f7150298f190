import CloudKit
import Foundation
import LocalCloud
import TestSupport
import Testing

@Suite("Mistakes with operations that raise an exception")
struct OperationMistakeTests {
  /// An operation that waits for a zone's lock until the process ends.
  private static func running() throws -> CKModifyRecordsOperation {
    let cloud = try TestCloud()
    // The cloud exists until the process ends.
    _ = Unmanaged.passRetained(cloud.cloud)
    let database = try cloud.container(of: "alice").privateCloudDatabase
    let done = DispatchSemaphore(value: 0)
    database.save(CKRecordZone(zoneID: testZoneID)) { _, _ in done.signal() }
    done.wait()
    _ = try ZoneLock(holding: testZoneID, of: "alice", in: cloud)
    let operation = CKModifyRecordsOperation(recordsToSave: [note("n")])
    database.add(operation)
    while !operation.isExecuting { Thread.sleep(forTimeInterval: 0.001) }
    return operation
  }

  @Test("adding an operation twice to a database or a container raises an exception")
  func addedTwice() async {
    await expectException(
      "The operation was added before: …",
      #expect(processExitsWith: .failure, observing: saying) {
        let database = CKContainer(identifier: "iCloud.test").privateCloudDatabase
        let operation = CKFetchRecordsOperation(recordIDs: [])
        database.add(operation)
        database.add(operation)
      })
    await expectException(
      "The operation was added before: …",
      #expect(processExitsWith: .failure, observing: saying) {
        let container = CKContainer(identifier: "iCloud.test")
        let operation = CKFetchShareMetadataOperation(shareURLs: [])
        container.add(operation)
        container.add(operation)
      })
    // The same while the operation runs.
    await expectException(
      "The operation was added before: …",
      #expect(processExitsWith: .failure, observing: saying) {
        let operation = try Self.running()
        operation.database?.add(operation)
      })
  }

  @available(*, deprecated)
  @Test("setting a deprecated block of a running operation raises an exception with the block's name")
  func deprecatedBlockWhileRunning() async {
    await expectException(
      "perRecordCompletionBlock can't be set while the operation runs: …",
      #expect(processExitsWith: .failure, observing: saying) {
        try Self.running().perRecordCompletionBlock = { _, _ in }
      })
    await expectException(
      "modifyRecordsCompletionBlock can't be set while the operation runs: …",
      #expect(processExitsWith: .failure, observing: saying) { try Self.running().modifyRecordsCompletionBlock = nil })
  }

  @Test("setting inputs, blocks and settings of a running operation raises an exception; after its end it does not")
  func changedWhileRunning() async {
    await expectException(
      "recordsToSave can't be set while the operation runs: …",
      #expect(processExitsWith: .failure, observing: saying) { try Self.running().recordsToSave = [] })
    await expectException(
      "isAtomic can't be set while the operation runs: …",
      #expect(processExitsWith: .failure, observing: saying) { try Self.running().isAtomic = false })
    await expectException(
      "perRecordSaveBlock can't be set while the operation runs: …",
      #expect(processExitsWith: .failure, observing: saying) { try Self.running().perRecordSaveBlock = { _, _ in } })
    await expectException(
      "modifyRecordsResultBlock can't be set while the operation runs: …",
      #expect(processExitsWith: .failure, observing: saying) { try Self.running().modifyRecordsResultBlock = nil })
    await expectException(
      "configuration can't be set while the operation runs: …",
      #expect(processExitsWith: .failure, observing: saying) {
        try Self.running().configuration = CKOperation.Configuration()
      })
    await expectException(
      "group can't be set while the operation runs: …",
      #expect(processExitsWith: .failure, observing: saying) { try Self.running().group = CKOperationGroup() })
    await expectException(
      "database can't be set while the operation runs: …",
      #expect(processExitsWith: .failure, observing: saying) { try Self.running().database = nil })
    await #expect(processExitsWith: .success) {
      let operation = try Self.running()
      operation.cancel()
      while !operation.isFinished { try await Task.sleep(for: .milliseconds(1)) }
      operation.recordsToSave = []
      operation.modifyRecordsResultBlock = nil
    }
  }
}

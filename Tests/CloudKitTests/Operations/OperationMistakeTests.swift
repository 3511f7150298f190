import CloudKit
import Foundation
import LocalCloud
import TestSupport
import Testing

@Suite("Mistakes with operations, over which Apple raises an exception")
struct OperationMistakeTests {
  /// An operation that waits for a zone until the test is over.
  private static func running() throws -> CKModifyRecordsOperation {
    let cloud = try TestCloud()
    // It stays until the process ends.
    _ = Unmanaged.passRetained(cloud.cloud)
    let database = try cloud.container(of: "alice").privateCloudDatabase
    let done = DispatchSemaphore(value: 0)
    database.save(CKRecordZone(zoneID: home)) { _, _ in done.signal() }
    done.wait()
    _ = try ZoneLock(holding: home, of: "alice", in: cloud)
    let operation = CKModifyRecordsOperation(recordsToSave: [note("n")])
    database.add(operation)
    while !operation.isExecuting { Thread.sleep(forTimeInterval: 0.001) }
    return operation
  }

  @Test("added a second time, to a database or a container")
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
    // While it runs, no less.
    await expectException(
      "The operation was added before: …",
      #expect(processExitsWith: .failure, observing: saying) {
        let operation = try Self.running()
        operation.database?.add(operation)
      })
  }

  @available(*, deprecated)
  @Test("the deprecated blocks are no different, and called by their names")
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

  @Test("inputs, blocks and settings are set while it runs; afterwards they may be")
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

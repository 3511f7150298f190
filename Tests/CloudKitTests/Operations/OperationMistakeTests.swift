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
    await #expect(processExitsWith: .failure) {
      let database = CKContainer(identifier: "iCloud.test").privateCloudDatabase
      let operation = CKFetchRecordsOperation(recordIDs: [])
      database.add(operation)
      database.add(operation)
    }
    await #expect(processExitsWith: .failure) {
      let container = CKContainer(identifier: "iCloud.test")
      let operation = CKFetchShareMetadataOperation(shareURLs: [])
      container.add(operation)
      container.add(operation)
    }
  }

  @Test("inputs, blocks and settings are set while it runs; afterwards they may be")
  func changedWhileRunning() async {
    await #expect(processExitsWith: .failure) { try Self.running().recordsToSave = [] }
    await #expect(processExitsWith: .failure) { try Self.running().isAtomic = false }
    await #expect(processExitsWith: .failure) { try Self.running().perRecordSaveBlock = { _, _ in } }
    await #expect(processExitsWith: .failure) { try Self.running().modifyRecordsResultBlock = nil }
    await #expect(processExitsWith: .failure) { try Self.running().configuration = CKOperation.Configuration() }
    await #expect(processExitsWith: .failure) { try Self.running().group = CKOperationGroup() }
    await #expect(processExitsWith: .failure) { try Self.running().database = nil }
    await #expect(processExitsWith: .success) {
      let operation = try Self.running()
      operation.cancel()
      while !operation.isFinished { try await Task.sleep(for: .milliseconds(1)) }
      operation.recordsToSave = []
      operation.modifyRecordsResultBlock = nil
    }
  }
}

import CloudKit
import Foundation
import LocalCloud
import Synchronization
import Testing

/// Stress tests of callbacks, threads and cancellation.
@Suite(.timeLimit(.minutes(30))) struct AppDepthTests: OnZoneStage {
  let stage: ZoneStage

  init() async throws { stage = try await ZoneStage() }

  /// Many callbacks. Each one waits on a semaphore for another request.
  @Test func manyCallbacksThatWait() async throws {
    let database = database
    let good = Collector<Bool>()
    await withCheckedContinuation { continuation in
      let all = DispatchGroup()
      for number in 0..<120 {
        all.enter()
        database.fetch(withRecordID: note("f\(number)").recordID) { _, _ in
          let done = DispatchSemaphore(value: 0)
          database.fetch(withRecordID: note("g\(number)").recordID) { _, _ in done.signal() }
          good.append(done.wait(timeout: .now() + 600) == .success)
          all.leave()
        }
      }
      Thread.detachNewThread {
        all.wait()
        continuation.resume()
      }
    }
    #expect(good.values.count == 120)
    #expect(good.values.allSatisfy { $0 })
  }

  @Test func thousandOperationsAtOnce() async throws {
    let database = database
    let ends = Collector<Bool>()
    await withCheckedContinuation { continuation in
      let all = DispatchGroup()
      for number in 0..<1000 {
        all.enter()
        database.fetch(withRecordID: note("t\(number)").recordID) { record, error in
          ends.append(record == nil && (error as? CKError)?.code == .unknownItem)
          all.leave()
        }
      }
      Thread.detachNewThread {
        all.wait()
        continuation.resume()
      }
    }
    #expect(ends.values.count == 1000)
    #expect(ends.values.allSatisfy { $0 })
  }

  @Test func blocksOfOneOperationNeverOverlap() async throws {
    let database = database
    let operation = CKModifyRecordsOperation(recordsToSave: (0..<100).map { note("o\($0)") }, recordIDsToDelete: nil)
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      operation.perRecordProgressBlock = { _, _ in }
      operation.perRecordSaveBlock = { _, _ in Self.tick() }
      operation.modifyRecordsResultBlock = { _ in continuation.resume() }
      database.add(operation)
    }
    #expect(Self.inside.withLock { $0.overlaps } == 0)
    #expect(Self.inside.withLock { $0.calls } == 100)
  }

  private static let inside = Mutex<(depth: Int, overlaps: Int, calls: Int)>((0, 0, 0))

  private static func tick() {
    inside.withLock { state in
      state.depth += 1
      state.calls += 1
      if state.depth > 1 { state.overlaps += 1 }
    }
    usleep(200)
    inside.withLock { $0.depth -= 1 }
  }

  @Test func cancelAtRandomMoments() async throws {
    let database = database
    for round in 0..<60 {
      let ends = Collector<Int>()
      let operation = CKModifyRecordsOperation(
        recordsToSave: (0..<5).map { note("r\(round)-\($0)") }, recordIDsToDelete: nil)
      let items = Collector<CKRecord.ID>()
      operation.perRecordSaveBlock = { recordID, _ in items.append(recordID) }
      operation.modifyRecordsResultBlock = { result in ends.append(result.code?.rawValue ?? 0) }
      await withCheckedContinuation { continuation in
        operation.completionBlock = { continuation.resume() }
        database.add(operation)
        usleep(UInt32(round) * 60)
        operation.cancel()
        operation.cancel()
      }
      #expect(ends.values == [0] || ends.values == [20])
      if ends.values == [0] { #expect(items.values.count == 5) }
      #expect(operation.isFinished)
      #expect(!operation.isExecuting)
    }
  }

  @Test func cancelledTasksEnd() async throws {
    let database = database
    for round in 0..<40 {
      let task = Task { try await database.modifyRecords(saving: (0..<5).map { note("c\(round)-\($0)") }) }
      try await Task.sleep(for: .microseconds(round * 50))
      task.cancel()
      switch await task.result {
      case .success(let results): #expect(results.saveResults.count == 5)
      case .failure(let error): #expect((error as? CKError)?.code == .operationCancelled)
      }
    }
  }

  @Test func startedByHandAndWaitedFor() async throws {
    let operation = CKFetchRecordsOperation(recordIDs: [note("h").recordID])
    operation.database = database
    let ends = Collector<Int>()
    operation.perRecordResultBlock = { _, result in ends.append(result.code?.rawValue ?? 0) }
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        operation.start()
        operation.waitUntilFinished()
        continuation.resume()
      }
    }
    #expect(ends.values == [11])
    #expect(operation.isFinished)
    #expect(operation.isAsynchronous)
  }

  @Test func observingAnOperationThatNeverRuns() {
    weak var gone: CKOperation?
    do {
      let operation = CKFetchRecordsOperation(recordIDs: [note("h").recordID])
      operation.fetchRecordsResultBlock = { _ in }
      operation.cancel()
      gone = operation
    }
    #expect(gone == nil)
  }

  @Test @MainActor func mainActorApp() async throws {
    let record = try await database.save(note("main", "x"))
    MainActor.assertIsolated()
    let fetched = try await database.record(for: record.recordID)
    #expect(fetched["title"] as? String == "x")
    let answer = try await database.configuredWith(configuration: CKOperation.Configuration()) { database in
      MainActor.assertIsolated()
      return try await database.record(for: record.recordID)
    }
    #expect(answer.recordID == record.recordID)
  }

  @Test func identityOfContainersAndDatabases() throws {
    try LocalCloud.acting(as: "alice", root: cloud.cloud.path) {
      let container = CKContainer(identifier: "iCloud.test")
      #expect(container.privateCloudDatabase === container.database(with: .private))
      #expect(container.publicCloudDatabase === container.database(with: .public))
      #expect(container.sharedCloudDatabase === container.database(with: .shared))
      #expect(CKContainer.default() === CKContainer.default())
      #expect(container.containerIdentifier == "iCloud.test")
      #expect(container.privateCloudDatabase.databaseScope == .private)
    }
  }

  /// An app cancels a fetch operation inside one of its blocks.
  @Test func stoppingAFetchFromInside() async throws {
    try await database.modifyRecords(saving: (0..<300).map { note("s\($0)") })
    let token = Collector<CKServerChangeToken>()
    let ends = Collector<String>()
    let operation = CKFetchRecordZoneChangesOperation(
      recordZoneIDs: [testZoneID],
      configurationsByRecordZoneID: [
        testZoneID: CKFetchRecordZoneChangesOperation.ZoneConfiguration(resultsLimit: 50)
      ])
    operation.recordZoneChangeTokensUpdatedBlock = { [unowned operation] _, new, _ in
      if let new { token.append(new) }
      operation.cancel()
    }
    operation.recordZoneFetchResultBlock = { _, result in ends.append("zone \(result.code?.rawValue ?? 0)") }
    await withCheckedContinuation { continuation in
      operation.fetchRecordZoneChangesResultBlock = { result in
        ends.append("end \(result.code?.rawValue ?? 0)")
        continuation.resume()
      }
      database.add(operation)
    }
    #expect(ends.values == ["end 20"])
    #expect(token.values.count == 1)
    let rest = try await database.recordZoneChanges(inZoneWith: testZoneID, since: token.values.first)
    #expect(!rest.modificationResultsByID.isEmpty)
  }

  @Test func busyZone() async throws {
    let lock = try ZoneLock(holding: testZoneID, of: "alice", in: cloud)
    let database = database
    let task = Task { try await database.save(note("busy")) }
    try await lock.isAwaited()
    task.cancel()
    // The save ends while the lock is still held, so the cancellation ended it.
    #expect(await task.result.code == .operationCancelled)
    lock.release()
    try await database.save(note("after"))
  }
}

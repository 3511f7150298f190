import CloudKit
import Foundation
import LocalCloud
import Synchronization
import Testing

/// Operations as apps and samples use them, in the style of Swift 5.
@Suite(.timeLimit(.minutes(30))) struct AppOperationTests {
  private let cloud: TestCloud

  init() throws {
    cloud = try TestCloud()
  }

  private func prepared() async throws -> (CKContainer, CKDatabase) {
    let container = try cloud.container(of: "alice")
    let database = container.privateCloudDatabase
    try await database.save(CKRecordZone(zoneID: testZoneID))
    return (container, database)
  }

  private func wait(_ semaphore: DispatchSemaphore, seconds: Double = 600) -> Bool {
    semaphore.wait(timeout: .now() + seconds) == .success
  }

  /// Waits on a separate thread, as a command-line tool does.
  private func finish(_ queue: OperationQueue) async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        queue.waitUntilAllOperationsAreFinished()
        continuation.resume()
      }
    }
  }

  @Test func mainThreadBlockedOnASemaphore() async throws {
    let (container, database) = try await prepared()
    let ok = await MainActor.run { () -> [Bool] in
      var answers: [Bool] = []
      let saved = DispatchSemaphore(value: 0)
      database.save(note("n", "x")) { record, error in
        if record != nil && error == nil { saved.signal() }
      }
      answers.append(wait(saved))
      let fetched = DispatchSemaphore(value: 0)
      let operation = CKFetchRecordsOperation(recordIDs: [note("n").recordID])
      operation.qualityOfService = .userInitiated
      operation.fetchRecordsResultBlock = { _ in fetched.signal() }
      database.add(operation)
      answers.append(wait(fetched))
      let group = DispatchGroup()
      for number in 0..<5 {
        group.enter()
        database.save(note("g\(number)")) { _, _ in group.leave() }
      }
      answers.append(group.wait(timeout: .now() + 600) == .success)
      let status = DispatchSemaphore(value: 0)
      container.accountStatus { _, _ in status.signal() }
      answers.append(wait(status))
      let own = CKFetchRecordZonesOperation.fetchAllRecordZonesOperation()
      own.database = database
      let queue = OperationQueue()
      queue.addOperations([own], waitUntilFinished: true)
      answers.append(own.isFinished)
      return answers
    }
    #expect(ok == [true, true, true, true, true])
  }

  @Test func everyDispatchThreadBlocked() async throws {
    let (_, database) = try await prepared()
    let all = DispatchGroup()
    let good = Collector<Int>()
    for number in 0..<70 {
      all.enter()
      DispatchQueue.global().async {
        let done = DispatchSemaphore(value: 0)
        database.save(note("d\(number)")) { record, _ in
          if record != nil { good.append(number) }
          done.signal()
        }
        _ = done.wait(timeout: .now() + 600)
        all.leave()
      }
    }
    await withCheckedContinuation { continuation in all.notify(queue: .global()) { continuation.resume() } }
    #expect(good.values.count == 70)
  }

  @Test func cooperativeThreadsBlocked() async throws {
    let (_, database) = try await prepared()
    func blocking(_ number: Int) -> Bool {
      let done = DispatchSemaphore(value: 0)
      database.save(note("c\(number)")) { _, _ in done.signal() }
      return done.wait(timeout: .now() + 600) == .success
    }
    let good = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<20 { group.addTask { blocking(number) } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(good == 20)
  }

  @Test func waitingInsideACallback() async throws {
    let (_, database) = try await prepared()
    let answers = await withCheckedContinuation { continuation in
      database.save(note("outer")) { _, _ in
        let inner = DispatchSemaphore(value: 0)
        database.fetch(withRecordID: note("outer").recordID) { record, _ in
          let innermost = DispatchSemaphore(value: 0)
          database.delete(withRecordID: note("outer").recordID) { _, _ in innermost.signal() }
          if innermost.wait(timeout: .now() + 600) == .success { inner.signal() }
        }
        continuation.resume(returning: inner.wait(timeout: .now() + 600) == .success)
      }
    }
    #expect(answers)
  }

  @Test func hundredParallelSaves() async throws {
    let (_, database) = try await prepared()
    let saved = try await withThrowingTaskGroup(of: CKRecord.ID.self) { group in
      for number in 0..<100 {
        group.addTask { try await database.save(note("p\(number)", "title \(number)")).recordID }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(saved.count == 100)
    try await cloud.acting(as: "alice") { container in
      let changes = try await container.privateCloudDatabase.recordZoneChanges(inZoneWith: testZoneID, since: nil)
      #expect(changes.modificationResultsByID.count == 100)
    }
  }

  @Test func hundredSavesOfOneRecord() async throws {
    let (_, database) = try await prepared()
    try await database.save(note("counter", "0"))
    let codes = await withTaskGroup(of: CKError.Code?.self) { group in
      for _ in 0..<20 {
        group.addTask {
          await code {
            let record = try await database.record(for: note("counter").recordID)
            record["n"] = 1
            try await database.save(record)
          }
        }
      }
      return await group.reduce(into: [CKError.Code?]()) { $0.append($1) }
    }
    #expect(codes.allSatisfy { $0 == nil || $0 == .serverRecordChanged })
    #expect(codes.contains(nil))
  }

  // [record-batch-9]
  @Test @available(*, deprecated) func oldStyleModify() async throws {
    let (_, database) = try await prepared()
    let seen = Collector<String>()
    let stale = note("stale", "1")
    try await database.save(stale.copy() as! CKRecord)
    let fresh = note("fresh", "1")
    await withCheckedContinuation { continuation in
      let operation = CKModifyRecordsOperation(
        recordsToSave: [fresh, stale], recordIDsToDelete: [note("nothing").recordID])
      operation.isAtomic = false
      operation.savePolicy = .ifServerRecordUnchanged
      operation.perRecordProgressBlock = { record, progress in
        seen.append("progress \(record.recordID.recordName) \(progress)")
      }
      operation.perRecordCompletionBlock = { record, error in
        seen.append("record \(record.recordID.recordName) \((error as? CKError)?.code.rawValue ?? 0)")
      }
      operation.modifyRecordsCompletionBlock = { records, recordIDs, error in
        let code = (error as? CKError)?.code.rawValue ?? 0
        seen.append("end \(records?.count ?? -1) \(recordIDs?.count ?? -1) \(code)")
      }
      operation.completionBlock = {
        seen.append("completion")
        continuation.resume()
      }
      database.add(operation)
    }
    #expect(
      seen.values == ["progress fresh 1.0", "record fresh 0", "record stale 14", "end 1 1 2", "completion"])
  }

  // [record-batch-9]
  @Test func newStyleModifyAtomic() async throws {
    let (_, database) = try await prepared()
    let seen = Collector<String>()
    let stale = note("stale", "1")
    try await database.save(stale.copy() as! CKRecord)
    let operation = CKModifyRecordsOperation(
      recordsToSave: [note("innocent"), stale], recordIDsToDelete: [note("other").recordID])
    operation.perRecordSaveBlock = { recordID, result in
      seen.append("save \(recordID.recordName) \(result.code?.rawValue ?? 0)")
    }
    operation.perRecordDeleteBlock = { recordID, result in
      seen.append("delete \(recordID.recordName) \(result.code?.rawValue ?? 0)")
    }
    await withCheckedContinuation { continuation in
      operation.modifyRecordsResultBlock = { result in
        switch result {
        case .success: seen.append("success")
        case .failure(let error): seen.append("failure \(error)")
        }
        continuation.resume()
      }
      database.add(operation)
    }
    #expect(seen.values == ["save innocent 22", "save stale 14", "delete other 22", "success"])
  }

  @Test func dependenciesAndSerialQueues() async throws {
    let (container, database) = try await prepared()
    let seen = Collector<String>()
    let zone = CKModifyRecordZonesOperation(
      recordZonesToSave: [CKRecordZone(zoneName: "Later")], recordZoneIDsToDelete: nil)
    zone.modifyRecordZonesResultBlock = { _ in seen.append("zone") }
    let later = CKRecordZone.ID(zoneName: "Later", ownerName: CKCurrentUserDefaultName)
    let save = CKModifyRecordsOperation(recordsToSave: [note("r", in: later)], recordIDsToDelete: nil)
    save.perRecordSaveBlock = { _, result in seen.append("saved \(result.code?.rawValue ?? 0)") }
    save.modifyRecordsResultBlock = { _ in seen.append("save") }
    let fetch = CKFetchRecordsOperation(recordIDs: [note("r", in: later).recordID])
    fetch.fetchRecordsResultBlock = { _ in seen.append("fetch") }
    let last = BlockOperation { seen.append("block") }
    save.addDependency(zone)
    fetch.addDependency(save)
    last.addDependency(fetch)
    for operation in [fetch, save, zone] as [CKDatabaseOperation] { operation.database = database }
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    for operation in [last, fetch, save, zone] { queue.addOperation(operation) }
    await finish(queue)
    #expect(seen.values == ["zone", "saved 0", "save", "fetch", "block"])
    #expect([zone, save, fetch].allSatisfy { $0.isFinished && !$0.isExecuting && !$0.isCancelled })

    // Dependencies between operations of the database's own queue.
    let more = Collector<String>()
    let first = CKFetchRecordsOperation(recordIDs: [note("r", in: later).recordID])
    first.perRecordResultBlock = { _, result in more.append("first \(result.code?.rawValue ?? 0)") }
    let second = CKModifyRecordsOperation(recordsToSave: nil, recordIDsToDelete: [note("r", in: later).recordID])
    second.addDependency(first)
    await withCheckedContinuation { continuation in
      second.modifyRecordsResultBlock = { _ in more.append("second") }
      second.completionBlock = { continuation.resume() }
      database.add(second)
      container.privateCloudDatabase.add(first)
    }
    #expect(more.values == ["first 0", "second"])
  }

  @Test func cancellation() async throws {
    let (_, database) = try await prepared()
    let seen = Collector<String>()
    let before = CKModifyRecordsOperation(recordsToSave: [note("cancelled")], recordIDsToDelete: nil)
    before.perRecordSaveBlock = { _, _ in seen.append("record") }
    before.cancel()
    await withCheckedContinuation { continuation in
      before.modifyRecordsResultBlock = { result in seen.append("code \(result.code?.rawValue ?? 0)") }
      before.completionBlock = { continuation.resume() }
      database.add(before)
    }
    #expect(seen.values == ["code 20"])
    #expect(await code { _ = try await database.record(for: note("cancelled").recordID) } == .unknownItem)

    let queue = OperationQueue()
    queue.isSuspended = true
    let ends = Collector<Int>()
    let operations = (0..<10).map { number in
      let operation = CKFetchRecordsOperation(recordIDs: [note("x\(number)").recordID])
      operation.database = database
      operation.fetchRecordsResultBlock = { result in ends.append(result.code?.rawValue ?? 0) }
      return operation
    }
    for operation in operations { queue.addOperation(operation) }
    queue.cancelAllOperations()
    queue.isSuspended = false
    await finish(queue)
    #expect(ends.values == Array(repeating: 20, count: 10))
    operations[0].cancel()
    #expect(operations.allSatisfy { $0.isFinished && $0.isCancelled })

    let task = Task { try await database.save(note("task")) }
    task.cancel()
    let result = await task.result
    #expect(result.value != nil || result.code == .operationCancelled)
  }

  /// Starts more operations than there are threads: waiting operations must be released too.
  @Test func operationsAreReleased() async throws {
    let (_, database) = try await prepared()
    final class CapturedObject: Sendable {}
    final class Held: @unchecked Sendable {  // Only this task touches it.
      weak var operation: CKFetchRecordsOperation?
      weak var captured: CapturedObject?
      var isReleased: Bool { operation == nil && captured == nil }
    }
    let all = (0..<300).map { _ in Held() }
    let ended = DispatchGroup()
    for held in all {
      let operation = CKFetchRecordsOperation(recordIDs: [note("m").recordID])
      let captured = CapturedObject()
      held.operation = operation
      held.captured = captured
      operation.fetchRecordsResultBlock = { _ in _ = captured }
      ended.enter()
      operation.completionBlock = { ended.leave() }
      database.add(operation)
    }
    await withCheckedContinuation { continuation in ended.notify(queue: .global()) { continuation.resume() } }
    // The threads that end operations may have to wait on a busy machine. The limit ends only a failing test.
    for _ in 0..<3000 where !all.allSatisfy(\.isReleased) { try await Task.sleep(for: .milliseconds(20)) }
    #expect(all.filter { !$0.isReleased }.isEmpty)
  }

  @Test func configurations() async throws {
    let (container, database) = try await prepared()
    let operation = CKFetchRecordsOperation(recordIDs: [])
    operation.configuration.timeoutIntervalForRequest = 10
    operation.configuration.qualityOfService = .userInitiated
    operation.configuration.isLongLived = false
    #expect(operation.configuration.timeoutIntervalForRequest == 10)
    let configuration = CKOperation.Configuration()
    configuration.timeoutIntervalForResource = 30
    operation.configuration = configuration
    configuration.timeoutIntervalForResource = 31
    #expect(operation.configuration.timeoutIntervalForResource == 30)
    operation.configuration = nil
    #expect(operation.configuration.timeoutIntervalForResource == 604_800)
    operation.configuration.qualityOfService = .userInitiated
    #expect(operation.configuration.timeoutIntervalForResource == -1)
    operation.qualityOfService = .utility
    #expect(operation.qualityOfService == .utility)

    let group = CKOperationGroup()
    group.name = "g"
    group.defaultConfiguration.allowsCellularAccess = false
    operation.group = group
    let records = try await database.configuredWith(configuration: configuration, group: group) { database in
      try await database.records(for: [])
    }
    #expect(records.isEmpty)

    let long = CKFetchRecordsOperation(recordIDs: [])
    long.configuration.isLongLived = true
    let result: Result<Void, any Error> = await withCheckedContinuation { continuation in
      long.fetchRecordsResultBlock = { continuation.resume(returning: $0) }
      database.add(long)
    }
    #expect(result.value != nil)
    while !(try await container.allLongLivedOperationIDs().isEmpty) { await Task.yield() }
  }

  @Test @available(*, deprecated) func changesLoopInTheOldStyle() async throws {
    let (_, database) = try await prepared()
    try await database.modifyRecords(saving: (0..<250).map { note("n\($0)") })
    try await database.deleteRecord(withID: note("n3").recordID)
    let kept = Collector<Data>()
    func fetch() async -> (changed: Int, deleted: Int, tokens: Int, errors: Int) {
      var token: CKServerChangeToken?
      if let data = kept.values.last {
        token = try? NSKeyedUnarchiver.unarchivedObject(ofClass: CKServerChangeToken.self, from: data)
      }
      let configuration = CKFetchRecordZoneChangesOperation.ZoneConfiguration()
      configuration.previousServerChangeToken = token
      let operation = CKFetchRecordZoneChangesOperation(
        recordZoneIDs: [testZoneID], configurationsByRecordZoneID: [testZoneID: configuration])
      operation.fetchAllChanges = true
      let changed = Collector<String>()
      let deleted = Collector<String>()
      let errors = Collector<String>()
      @Sendable func keep(_ token: CKServerChangeToken?) {
        guard let token else { return }
        if let data = try? NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true) {
          kept.append(data)
        }
      }
      let before = kept.values.count
      operation.recordChangedBlock = { record in changed.append(record.recordID.recordName) }
      operation.recordWithIDWasDeletedBlock = { recordID, _ in deleted.append(recordID.recordName) }
      operation.recordZoneChangeTokensUpdatedBlock = { _, token, _ in keep(token) }
      operation.recordZoneFetchCompletionBlock = { _, token, _, _, error in
        if let error { errors.append("\(error)") }
        keep(token)
      }
      await withCheckedContinuation { continuation in
        operation.fetchRecordZoneChangesCompletionBlock = { error in
          if let error { errors.append("\(error)") }
          continuation.resume()
        }
        database.add(operation)
      }
      return (changed.values.count, deleted.values.count, kept.values.count - before, errors.values.count)
    }
    let first = await fetch()
    #expect(first.changed == 249)
    #expect(first.tokens == 2)
    #expect(first.errors == 0)
    let second = await fetch()
    #expect(second.changed == 0)
    #expect(second.deleted == 0)
    #expect(second.tokens == 1)
    _ = try await database.save(note("late"))
    try await database.deleteRecord(withID: note("n4").recordID)
    let third = await fetch()
    #expect(third.changed == 1)
    #expect(third.deleted == 1)
    #expect(third.errors == 0)
  }

  @Test func limitsAndDuplicates() async throws {
    let (_, database) = try await prepared()
    #expect(
      await code { _ = try await database.modifyRecords(saving: (0..<401).map { note("m\($0)") }) }
        == .limitExceeded)
    #expect(
      await code { _ = try await database.records(for: (0..<401).map { note("m\($0)").recordID }) }
        == .limitExceeded)
    #expect(await code { _ = try await database.modifyRecords(saving: [note("d"), note("d")]) } == .invalidArguments)
    #expect(
      await code { _ = try await database.modifyRecords(saving: [note("d")], deleting: [note("d").recordID]) }
        == .invalidArguments)
    #expect(
      await code { _ = try await database.modifyRecords(deleting: [note("d").recordID, note("d").recordID]) }
        == .invalidArguments)
    let twice = try await database.records(for: [note("d").recordID, note("d").recordID])
    #expect(twice.count == 1)
    let zones = try? await database.modifyRecordZones(
      saving: [CKRecordZone(zoneName: "T"), CKRecordZone(zoneName: "T")], deleting: [])
    _ = zones
  }

  @Test func badContainer() async throws {
    let cloud = try TestCloud()
    for name in ["", "x", "iCloud.", "iCloud.../..", "iCloud.a/b"] {
      try await LocalCloud.acting(as: "alice", root: cloud.cloud.path) {
        let container = CKContainer(identifier: name)
        #expect(await code { _ = try await container.privateCloudDatabase.allRecordZones() } == .badContainer)
      }
    }
  }
}

import CloudKit
import Dispatch
import Foundation
import LocalCloud
import LocalCloudStorage
import Synchronization
import Testing

/// The lines that callbacks write, in order.
final class Journal: Sendable {
  private let list = Mutex<[String]>([])
  private let listener = Mutex<(@Sendable ([String]) -> Void)?>(nil)

  func write(_ line: String) {
    let lines = list.withLock { list in
      list.append(line)
      return list
    }
    listener.withLock { $0 }?(lines)
  }

  var lines: [String] { list.withLock { $0 } }

  /// Calls `body` after each line, with all lines so far.
  func onWrite(_ body: @escaping @Sendable ([String]) -> Void) { listener.withLock { $0 = body } }
}

/// Adds the operation and waits for its completion block.
func run(_ operation: CKDatabaseOperation, on database: CKDatabase, journal: Journal? = nil) async {
  await withCheckedContinuation { done in
    operation.completionBlock = {
      journal?.write("completion")
      done.resume()
    }
    database.add(operation)
  }
}

@Suite("Operations")
struct OperationTests {
  let cloud: TestCloud
  let database: CKDatabase

  init() throws {
    cloud = try TestCloud()
    database = try cloud.container(of: "alice").privateCloudDatabase
  }

  @Test func orderOfCallbacks() async throws {
    try await database.save(CKRecordZone(zoneID: testZoneID))
    let journal = Journal()
    let operation = CKModifyRecordsOperation(
      recordsToSave: [note("n1"), note("n2")], recordIDsToDelete: [note("n3").recordID])
    #expect(operation.operationID.count == 16)
    #expect(operation.operationID == operation.operationID.uppercased())
    operation.perRecordProgressBlock = { record, progress in journal.write("\(record.recordID.recordName) \(progress)")
    }
    operation.perRecordSaveBlock = { recordID, result in
      journal.write("save \(recordID.recordName) \(result.value?.recordChangeTag != nil)")
    }
    operation.perRecordDeleteBlock = { recordID, _ in journal.write("delete \(recordID.recordName)") }
    operation.modifyRecordsResultBlock = { [unowned operation] result in
      journal.write("result \(result.value != nil) \(operation.isExecuting) \(operation.isFinished)")
    }
    await run(operation, on: database, journal: journal)
    #expect(
      journal.lines == [
        "n1 1.0", "save n1 true", "n2 1.0", "save n2 true", "delete n3", "result true true false", "completion",
      ])
    #expect(operation.isFinished)
    #expect(!operation.isExecuting)
  }

  @Test func callbacksNeverRunOnTheCallersStack() async throws {
    let journal = Journal()
    let operation = CKFetchRecordsOperation(recordIDs: [])
    operation.fetchRecordsResultBlock = { _ in journal.write("result") }
    let cancelled = CKFetchRecordsOperation(recordIDs: [])
    cancelled.fetchRecordsResultBlock = { result in journal.write("cancelled \(result.code == .operationCancelled)") }
    cancelled.cancel()
    cancelled.start()
    cancelled.start()
    #expect(cancelled.isExecuting || cancelled.isFinished)
    await run(operation, on: database)
    while !cancelled.isFinished { await Task.yield() }
    #expect(journal.lines.sorted() == ["cancelled true", "result"])
  }

  @Test func queuesAndDependencies() async throws {
    let journal = Journal()
    let queue = OperationQueue()
    let zone = CKModifyRecordZonesOperation(recordZonesToSave: [CKRecordZone(zoneID: testZoneID)])
    zone.database = database
    zone.perRecordZoneSaveBlock = { zoneID, result in journal.write("zone \(result.value != nil)") }
    let save = CKModifyRecordsOperation(recordsToSave: [note("n1", "a")])
    save.database = database
    save.addDependency(zone)
    save.perRecordSaveBlock = { _, result in journal.write("record \(result.value != nil)") }
    let fetch = CKFetchRecordsOperation(recordIDs: [note("n1").recordID])
    fetch.database = database
    fetch.addDependency(save)
    fetch.perRecordResultBlock = { _, result in journal.write("fetched \(result.value?["title"] as? String ?? "")") }
    await withCheckedContinuation { done in
      let last = BlockOperation { done.resume() }
      last.addDependency(fetch)
      queue.addOperations([fetch, save, zone, last], waitUntilFinished: false)
    }
    #expect(journal.lines == ["zone true", "record true", "fetched a"])
  }

  @Test func cancellingInACallback() async throws {
    try await database.save(CKRecordZone(zoneID: testZoneID))
    try await database.modifyRecords(saving: (0..<20).map { note("n\($0)") })
    let journal = Journal()
    let operation = CKFetchRecordsOperation(recordIDs: (0..<20).map { note("n\($0)").recordID })
    operation.perRecordResultBlock = { [unowned operation] recordID, _ in
      journal.write("item")
      if journal.lines.count == 3 { operation.cancel() }
    }
    operation.fetchRecordsResultBlock = { result in journal.write("\(result.code == .operationCancelled)") }
    await run(operation, on: database)
    #expect(journal.lines == ["item", "item", "item", "true"])
  }

  @Test func cancellingATask() async throws {
    let database = database
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await database.record(for: note("n").recordID)
    }
    let result = await task.result
    #expect(result.code == .operationCancelled)
  }

  /// Another process has the zone's lock: a save waits for it, until it is cancelled.
  @Test func cancellingARequestThatWaits() async throws {
    try await database.save(CKRecordZone(zoneID: testZoneID))
    let record = note("n")
    let lock = try ZoneLock(holding: testZoneID, of: "alice", in: cloud)
    let task = Task { try await database.save(record) }
    try await lock.isAwaited()
    task.cancel()
    let result = await task.result
    #expect(result.code == .operationCancelled)
    lock.release()
    // The cancelled save takes effect when the lock is released, and the record gets its change tag.
    while record.recordChangeTag == nil { try await Task.sleep(for: .milliseconds(2)) }
    record["title"] = "again"
    try await database.save(record)
  }

  /// An operation without a database uses the private database of the default container of its scope.
  @Test func withoutADatabase() async throws {
    let names = try await LocalCloud.acting(as: "bob", root: cloud.cloud.path, container: "iCloud.default") {
      try await CKContainer.default().privateCloudDatabase.save(CKRecordZone(zoneID: testZoneID))
      let operation = CKFetchRecordZonesOperation.fetchAllRecordZonesOperation()
      let journal = Journal()
      operation.perRecordZoneResultBlock = { zoneID, _ in journal.write(zoneID.zoneName) }
      await withCheckedContinuation { done in
        operation.completionBlock = { done.resume() }
        OperationQueue().addOperation(operation)
      }
      return journal.lines
    }
    #expect(Set(names) == ["Home", "_defaultZone"])
    #expect(try await database.allRecordZones().count == 1)
  }

  @Test func callbacksRunInTheScopeOfTheCall() async throws {
    let names = try await cloud.acting(as: "bob") { container in
      let name = try await container.userRecordID().recordName
      let inside: CKRecord.ID? = await withCheckedContinuation { done in
        container.privateCloudDatabase.fetchAllRecordZones { _, _ in
          cloud.container().fetchUserRecordID { recordID, _ in done.resume(returning: recordID) }
        }
      }
      return [name, inside?.recordName]
    }
    #expect(names[0] == names[1])
  }

  @available(*, deprecated)
  @Test func deprecatedBlocks() async throws {
    try await database.save(CKRecordZone(zoneID: testZoneID))
    try await database.save(note("taken"))
    let journal = Journal()
    let errors = Mutex<[any Error]>([])
    let modify = CKModifyRecordsOperation(recordsToSave: [note("taken"), note("new")])
    modify.isAtomic = false
    modify.perRecordCompletionBlock = { record, error in
      journal.write("\(record.recordID.recordName) \((error as? CKError)?.code == .serverRecordChanged)")
    }
    modify.modifyRecordsResultBlock = { result in journal.write("result \(result.value != nil)") }
    modify.modifyRecordsCompletionBlock = { saved, deleted, error in
      journal.write("\(saved?.map(\.recordID.recordName) ?? []) \(deleted ?? [])")
      if let error { errors.withLock { $0.append(error) } }
    }
    await run(modify, on: database)
    #expect(journal.lines == ["taken true", "new false", "result true", "[\"new\"] []"])
    let fetch = CKFetchRecordsOperation(recordIDs: [note("new").recordID, note("absent").recordID])
    fetch.perRecordCompletionBlock = { record, recordID, error in
      journal.write("\(recordID?.recordName ?? "") \(record != nil) \(error != nil)")
    }
    fetch.fetchRecordsCompletionBlock = { records, error in
      journal.write("\(records?.count ?? 0)")
      if let error { errors.withLock { $0.append(error) } }
    }
    await run(fetch, on: database)
    #expect(journal.lines.suffix(3) == ["new true false", "absent false true", "1"])
    let codes = errors.withLock { $0 }.map { error -> CKError.Code? in
      let error = error as? CKError
      #expect(error?.code == .partialFailure)
      #expect(error?.partialErrorsByItemID?.count == 1)
      return (error?.partialErrorsByItemID?.values.first as? CKError)?.code
    }
    #expect(codes == [.serverRecordChanged, .unknownItem])
  }

  @Test func wholeFailures() async throws {
    let nobody = try cloud.container(of: nil)
    let journal = Journal()
    let operation = CKFetchRecordsOperation(recordIDs: [note("n").recordID])
    operation.perRecordResultBlock = { _, _ in journal.write("item") }
    operation.fetchRecordsResultBlock = { result in journal.write("\(result.code == .notAuthenticated)") }
    await run(operation, on: nobody.privateCloudDatabase)
    #expect(journal.lines == ["true"])
  }

  @Test func currentUserRecord() async throws {
    let name = try await cloud.container(of: "alice").userRecordID().recordName
    let journal = Journal()
    let operation = CKFetchRecordsOperation.fetchCurrentUserRecordOperation()
    operation.perRecordResultBlock = { recordID, result in
      journal.write("\(recordID.recordName) \(result.value?.recordType ?? "")")
    }
    await run(operation, on: database)
    #expect(journal.lines == ["\(name) Users"])
  }

  @Test("the quality of service of an operation and of its configuration are the same value")
  func qualityOfService() {
    let operation = CKFetchRecordsOperation()
    #expect(operation.qualityOfService == .default)
    operation.qualityOfService = .utility
    #expect(operation.configuration.qualityOfService == .utility)
    operation.configuration.qualityOfService = .background
    #expect(operation.qualityOfService == .background)
    operation.configuration = nil
    #expect(operation.qualityOfService == .default)
    let plain: Operation = operation
    plain.qualityOfService = .userInitiated
    #expect(operation.configuration.qualityOfService == .userInitiated)
    #expect(operation.configuration.timeoutIntervalForResource == -1)
  }

  @Test("a copied group has the same ID and its own settings")
  func groupCopy() throws {
    let group = CKOperationGroup()
    (group.name, group.quantity, group.expectedSendSize) = ("first", 3, .megabytes)
    group.defaultConfiguration.timeoutIntervalForRequest = 7
    let copy = try #require(group.copy() as? CKOperationGroup)
    (group.name, group.defaultConfiguration.timeoutIntervalForRequest) = ("changed", 8)
    #expect(copy.operationGroupID == group.operationGroupID)
    #expect(copy.name == "first")
    #expect(copy.quantity == 3)
    #expect(copy.expectedSendSize == .megabytes)
    #expect(copy.defaultConfiguration.timeoutIntervalForRequest == 7)
  }

  @Test func configurations() throws {
    let operation = CKFetchRecordsOperation()
    let group = CKOperationGroup()
    group.defaultConfiguration.allowsCellularAccess = false
    group.defaultConfiguration.timeoutIntervalForRequest = 5
    operation.group = group
    operation.configuration.timeoutIntervalForRequest = 60
    #expect(operation.configuration.timeoutIntervalForResource == 604_800)
    let copy = CKOperation.Configuration()
    copy.qualityOfService = .utility
    operation.configuration = copy
    copy.qualityOfService = .background
    #expect(operation.configuration.qualityOfService == .utility)
    operation.configuration = nil
    #expect(operation.configuration.qualityOfService == .default)
    group.name = "import"
    group.quantity = 3
    group.expectedSendSize = .megabytes
    let archivedGroup = try archived(group)
    #expect(archivedGroup?.operationGroupID == group.operationGroupID)
    #expect(archivedGroup?.name == "import")
    #expect(archivedGroup?.quantity == 3)
    #expect(archivedGroup?.expectedSendSize == .megabytes)
    #expect(archivedGroup?.defaultConfiguration.allowsCellularAccess == false)
    let database = database
    let name = database.configuredWith(group: group) { $0.databaseScope }
    #expect(name == .private)
  }

  @Test func manyAtOnce() async throws {
    try await database.save(CKRecordZone(zoneID: testZoneID))
    let database = database
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 { group.addTask { try await database.save(note("n\(number)")) } }
      try await group.waitForAll()
    }
    let found = try await database.records(for: (0..<200).map { note("n\($0)").recordID })
    #expect(found.values.allSatisfy { $0.value != nil })
  }
}

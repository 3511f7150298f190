import CloudKit
import Foundation
import LocalCloud
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

/// Operations that outlive a process. The stress tests contain the cases with killed processes.
@Suite("Long-lived operations")
struct LongLivedTests {
  let stage: OperationStage
  var alice: CKContainer { stage.alice }
  var database: CKDatabase { stage.alice.privateCloudDatabase }

  init() async throws { stage = try await OperationStage() }

  /// Runs an operation, and calls `body` with its ID before the completion block returns.
  func pending<Value: Sendable>(
    _ operation: CKOperation, _ body: @Sendable (CKOperation.ID) async throws -> Value
  ) async throws -> Value {
    func start() {
      if let operation = operation as? CKDatabaseOperation { database.add(operation) } else { alice.add(operation) }
    }
    return try await operation.whilePending(start) { try await body(operation.operationID) }
  }

  /// Waits until exactly these operations exist.
  private func expectIDs(_ ids: [CKOperation.ID], sourceLocation: SourceLocation = #_sourceLocation) async throws {
    for _ in 0..<1000 {
      if try await alice.allLongLivedOperationIDs() == ids { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(try await alice.allLongLivedOperationIDs() == ids, sourceLocation: sourceLocation)
  }

  private func end(_ operation: CKOperation) async {
    await withCheckedContinuation { done in
      operation.completionBlock = { done.resume() }
      if let operation = operation as? CKDatabaseOperation { database.add(operation) } else { alice.add(operation) }
    }
  }

  // MARK: Stored until delivered

  @Test("a long-lived operation is stored, reported as persisted once before its results, and removed after its end")
  func longLivedOperationIsStoredReported() async throws {
    let journal = Journal()
    let operation = CKModifyRecordsOperation(recordsToSave: [note("a", "1")])
    operation.configuration.isLongLived = true
    operation.longLivedOperationWasPersistedBlock = { journal.write("persisted") }
    operation.perRecordSaveBlock = { journal.item($0.recordName, $1) }
    operation.modifyRecordsResultBlock = { journal.result($0) }
    await run(operation, on: database, journal: journal)
    #expect(journal.lines == ["persisted", "item a ok", "result ok", "completion"])
    try await expectIDs([])
    #expect(try await alice.longLivedOperation(for: operation.operationID) == nil)
    #expect(try await alice.longLivedOperation(for: "../../../cloud") == nil)
    #expect(try stage.cloud.cloud.service.checks.check() == [])
  }

  @available(*, deprecated)
  @Test(
    "each long-lived database operation can be run again with the same results, without another request",
    arguments: OperationRow.all)
  func eachLongLivedDatabaseOperation(row: OperationRow) async throws {
    for course in [OperationCourse.good, .oneBad, .empty, .tooMany] {
      guard let plan = row.plan(course) else { continue }
      let blocks = row.blockChoices.last ?? .current
      let first = Journal()
      let operation = row.make(stage, course, blocks, first)
      guard operation is CKDatabaseOperation else { continue }
      let stage = try await OperationStage()
      let lines = try await LongLivedTests(stage).pending(operation) { id in
        #expect(try await stage.alice.allLongLivedOperationIDs() == [id])
        // The server can't answer the request any more.
        _ = try await stage.alice.privateCloudDatabase.modifyRecordZones(deleting: [testZoneID, stage.spare])
        let again = try #require(try await stage.alice.longLivedOperation(for: id))
        #expect(again.operationID == id)
        #expect("\(type(of: again))" == "\(type(of: operation))")
        #expect(again.configuration.isLongLived)
        let second = Journal()
        row.setBlocks(again, blocks, second)
        await LongLivedTests(stage).end(again)
        second.write("completion")
        return second.lines
      }
      #expect(lines == row.lines(plan, blocks), "\(row.name), \(course)")
      #expect(lines == first.lines + ["completion"], "\(row.name), \(course)")
    }
  }

  private init(_ stage: OperationStage) { self.stage = stage }

  @Test("a stored operation is read back with records, errors with records, settings and group")
  func storedOperationIsReadBackWithRecords() async throws {
    let group = CKOperationGroup()
    group.name = "import"
    let operation = CKModifyRecordsOperation(recordsToSave: [note("a", "1"), note("n2", "2")])
    operation.isAtomic = false
    operation.group = group
    operation.configuration.timeoutIntervalForRequest = 7
    let again = try await pending(operation) { id in
      let again = try #require(try await alice.longLivedOperation(for: id) as? CKModifyRecordsOperation)
      #expect(again.recordsToSave?.map(\.recordID.recordName) == ["a", "n2"])
      #expect(again.recordIDsToDelete == nil)
      #expect(!again.isAtomic)
      #expect(again.savePolicy == .ifServerRecordUnchanged)
      #expect(again.group?.operationGroupID == group.operationGroupID)
      #expect(again.group?.name == "import")
      #expect(again.configuration.timeoutIntervalForRequest == 7)
      #expect(again.database?.databaseScope == .private)
      let reported = ReportedResults<CKRecord.ID, CKRecord>()
      again.perRecordSaveBlock = reported.item
      again.modifyRecordsResultBlock = reported.end
      await end(again)
      return reported
    }
    let saved = try #require(again.items[note("a").recordID]?.value)
    #expect(saved["title"] as? String == "1")
    #expect(saved.recordChangeTag != nil)
    #expect(saved.creationDate != nil)
    guard case .failure(let error as CKError)? = again.items[note("n2").recordID] else {
      Issue.record("no conflict")
      return
    }
    #expect(error.code == .serverRecordChanged)
    #expect(error.serverRecord?["title"] as? String == "2")
    #expect(error.clientRecord?["title"] as? String == "2")
    #expect(error.ancestorRecord == nil)
    #expect((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == 2004)
    #expect(again.whole?.value != nil)
  }

  @Test("a failure of the whole operation is stored too")
  func wholeFailure() async throws {
    let operation = CKFetchRecordsOperation(recordIDs: OperationStage.tooMany.map { note($0).recordID })
    let code = try await pending(operation) { id -> CKError.Code? in
      let again = try #require(try await alice.longLivedOperation(for: id) as? CKFetchRecordsOperation)
      let reported = ReportedResults<CKRecord.ID, CKRecord>()
      again.fetchRecordsResultBlock = reported.end
      await end(again)
      return reported.whole?.code
    }
    #expect(code == .limitExceeded)
  }

  @Test("a cancelled long-lived operation is removed, also one that was fetched again")
  func cancelledLongLivedOperationIsRemoved() async throws {
    try await pending(CKFetchRecordsOperation(recordIDs: [note("n1").recordID])) { id in
      let again = try #require(try await alice.longLivedOperation(for: id))
      again.cancel()
      try await expectIDs([])
    }
    let lock = try ZoneLock(holding: testZoneID, of: "alice", in: stage.cloud)
    let waiting = CKFetchRecordsOperation(recordIDs: [note("n1").recordID])
    waiting.configuration.isLongLived = true
    let kept = AsyncStream<Void>.makeStream()
    waiting.longLivedOperationWasPersistedBlock = { kept.continuation.yield() }
    database.add(waiting)
    for await _ in kept.stream { break }
    #expect(try await alice.allLongLivedOperationIDs() == [waiting.operationID])
    waiting.cancel()
    try await expectIDs([])
    lock.release()
    #expect(try stage.cloud.cloud.service.checks.check() == [])
  }

  @Test("only the account, device, container and environment that started an operation can fetch it")
  func onlyTheAccountDeviceContainerAndEnvironment() async throws {
    try await pending(CKFetchRecordsOperation(recordIDs: [note("n1").recordID])) { id in
      let others = [
        try stage.cloud.container(of: "bob"),
        try LocalCloud.acting(as: "alice", root: stage.cloud.cloud.path) { CKContainer(identifier: "iCloud.other") },
        try LocalCloud.acting(as: "alice", device: "watch", root: stage.cloud.cloud.path) { stage.cloud.container() },
        try LocalCloud.acting(as: "alice", root: stage.cloud.cloud.path, environment: "production") {
          stage.cloud.container()
        },
        try stage.cloud.container(of: nil),
      ]
      for container in others {
        #expect(try await container.allLongLivedOperationIDs() == [])
        #expect(try await container.longLivedOperation(for: id) == nil)
      }
    }
  }

  @Test("the functions with completion handlers find a long-lived operation")
  func completionHandlers() async throws {
    try await pending(CKFetchRecordsOperation(recordIDs: [note("n1").recordID])) { id in
      let ids: [CKOperation.ID]? = await withCheckedContinuation { done in
        alice.fetchAllLongLivedOperationIDs { ids, error in done.resume(returning: error == nil ? ids : nil) }
      }
      #expect(ids == [id])
      let found: String? = await withCheckedContinuation { done in
        alice.fetchLongLivedOperation(withID: id) { operation, _ in done.resume(returning: operation?.operationID) }
      }
      #expect(found == id)
      let absent: (Bool, Bool) = await withCheckedContinuation { done in
        alice.fetchLongLivedOperation(withID: "0123456789ABCDEF") { operation, error in
          done.resume(returning: (operation == nil, error == nil))
        }
      }
      #expect(absent == (true, true))
    }
  }

  @Test("an operation that can't be stored is refused as long-lived; functions without operation ignore the setting")
  func operationThatCannotBeStoredIsRefused() async throws {
    let journal = Journal()
    let operation = CKFetchShareMetadataOperation(shareURLs: [stage.url])
    operation.configuration.isLongLived = true
    operation.fetchShareMetadataResultBlock = { journal.result($0) }
    await end(operation)
    #expect(journal.lines == ["result serverRejectedRequest"])
    let configuration = CKOperation.Configuration()
    configuration.isLongLived = true
    let status = try await alice.configuredWith(configuration: configuration) { try await $0.accountStatus() }
    #expect(status == .available)
  }

  // MARK: The tree

  var folder: String { "\(stage.cloud.cloud.path)/devices/alice-device/operations" }

  @Test("damaged operation files are not listed, or fail when they are fetched, and check reports them")
  func damagedOperationFilesAreNotListed() async throws {
    let texts = [
      "", "{", "[]", "{}", #"{"operationID":"@@"}"#,
      #"{"operationID":"@@","containerIdentifier":"iCloud.test","environment":"development","kept":"x","content":{}}"#,
    ]
    let valid = { (content: String) in
      #"{"operationID":"@@","account":"alice","containerIdentifier":"iCloud.test","environment":"development","#
        + #""kept":"2026-01-01T00:00:00.000Z","content":\#(content)}"#
    }
    let contents = [
      "{}", #"{"kind":"CKQueryOperation"}"#,
      #"{"kind":"CKQueryOperation","databaseScope":9,"configuration":{},"inputs":{"resultsLimit":1}}"#,
      #"{"kind":"NSObject","databaseScope":2,"configuration":{},"inputs":{}}"#,
      #"{"kind":"CKFetchRecordsOperation","databaseScope":2,"configuration":{},"inputs":"#
        + #"{"fetchesCurrentUser":false,"recordIDs":[{"recordName":"","zoneID":{"zoneName":"a","ownerName":"b"}}]}}"#,
      #"{"kind":"CKModifyRecordsOperation","databaseScope":2,"configuration":{},"inputs":{"savePolicy":7,"isAtomic":true}}"#,
    ]
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let id = "0123456789ABCDEF"
    for (index, text) in (texts + contents.map(valid)).enumerated() {
      let bytes = Data(text.replacing("@@", with: id).utf8)
      #expect(FileManager.default.createFile(atPath: "\(folder)/\(id).json", contents: bytes))
      let listed = try await alice.allLongLivedOperationIDs()
      #expect(listed == (index < texts.count ? [] : [id]), "\(text)")
      await #expect(throws: CKError.self, "\(text)") { _ = try await alice.longLivedOperation(for: id) }
      #expect(try stage.cloud.cloud.service.checks.check().isEmpty == (index >= texts.count), "\(text)")
    }
    for name in ["note.json", "0123456789abcdef.json", "0123456789ABCDEF0.json"] {
      #expect(FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: Data("{}".utf8)))
    }
    #expect(try stage.cloud.cloud.service.checks.check().count == 3)
    #expect(try stage.cloud.cloud.service.repairs.repair().left == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["\(id).json"])
  }

  @Test("damaged answers fail the operation, and without its operation file it is unknown")
  func damagedAnswers() async throws {
    for text in [
      "{", "{}",
      #"{"operationID":"@@","finished":"2027-01-01T00:00:00.000Z","content":{"events":[{"kind":"record"}]}}"#,
    ] {
      let operation = CKFetchRecordsOperation(recordIDs: [note("n1").recordID])
      let folder = folder
      let code = try await pending(operation) { id -> CKError.Code? in
        let again = try #require(try await alice.longLivedOperation(for: id) as? CKFetchRecordsOperation)
        let bytes = Data(text.replacing("@@", with: id).utf8)
        #expect(FileManager.default.createFile(atPath: "\(folder)/\(id)-answers.json", contents: bytes))
        let reported = ReportedResults<CKRecord.ID, CKRecord>()
        again.fetchRecordsResultBlock = reported.end
        await end(again)
        return reported.whole?.code
      }
      #expect(code == .internalError, "\(text)")
    }
    let operation = CKFetchRecordsOperation(recordIDs: [note("n1").recordID])
    let code = try await pending(operation) { id -> CKError.Code? in
      let again = try #require(try await alice.longLivedOperation(for: id) as? CKFetchRecordsOperation)
      try FileManager.default.removeItem(atPath: "\(folder)/\(id).json")
      let reported = ReportedResults<CKRecord.ID, CKRecord>()
      again.fetchRecordsResultBlock = reported.end
      await end(again)
      return reported.whole?.code
    }
    #expect(code == .unknownItem)
    // The next stored operation removes the remaining answers.
    _ = try await pending(CKFetchRecordsOperation(recordIDs: [])) { _ in }
    try await expectIDs([])
    var left = [""]
    for _ in 0..<1000 where !left.isEmpty {
      try await Task.sleep(for: .milliseconds(10))
      left = try FileManager.default.contentsOfDirectory(atPath: folder)
    }
    #expect(left == [])
  }
}

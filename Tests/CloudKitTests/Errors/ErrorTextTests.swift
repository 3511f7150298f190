import CloudKit
import Foundation
import LocalCloud
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import Testing

/// The error texts that developers see in logs and search for on the web.
@Suite("Texts of errors")
struct ErrorTextTests: OnZoneStage {
  let stage: ZoneStage

  init() async throws { stage = try await ZoneStage() }

  private func error(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
  ) async throws -> CKError {
    do { try await body() } catch { return try #require(error as? CKError) }
    throw Nothing()
  }

  private struct Nothing: Error {}

  private func says(_ error: CKError?, _ text: String, words: String?, _ below: Int) {
    #expect(error?.localizedDescription == text)
    #expect(error?.userInfo["ServerErrorDescription"] as? String == words)
    let underlying = error?.userInfo[NSUnderlyingErrorKey] as? NSError
    #expect(underlying?.domain == "CKInternalErrorDomain")
    #expect(underlying?.code == below)
  }

  // MARK: The server's words

  // [record-fetch-1], [record-error-2]
  @Test("a missing record: \"Error fetching record <CKRecordID: …> from server: Record not found\"")
  func missingRecord() async throws {
    let recordID = note("none").recordID
    let single = try await error { _ = try await database.record(for: recordID) }
    let text = "Error fetching record \(recordID) from server: Record not found"
    says(single, text, words: "Record not found", 2003)
    #expect(
      text == "Error fetching record <CKRecordID: recordName=none, zoneID=Home:__defaultOwner__> from server: "
        + "Record not found")
    let many = try await database.records(for: [recordID])
    guard case .failure(let error)? = many[recordID] else { throw Nothing() }
    says(error as? CKError, text, words: "Record not found", 2003)
  }

  @Test("a duplicate subscription: \"subscription is duplicate of '<id>'\" (15/2032)")
  func duplicateSubscription() async throws {
    try await database.save(CKDatabaseSubscription(subscriptionID: "first"))
    let error = try await error { try await database.save(CKDatabaseSubscription(subscriptionID: "second")) }
    #expect(error.code == .serverRejectedRequest)
    says(error, "subscription is duplicate of 'first'", words: "subscription is duplicate of 'first'", 2032)
  }

  @Test(
    "a valid record in a failed atomic batch: \"Record <…> will not be saved because of previous error in atomic zone\""
  )
  func atomicZone() async throws {
    try await database.save(note("old", "a"))
    let (good, bad) = (note("good"), note("old", "again"))
    try await database.save(note("gone"))
    let results = try await database.modifyRecords(saving: [good, bad], deleting: [note("gone").recordID])
    let error = results.saveResults[good.recordID]?.error
    #expect(error?.code == .batchRequestFailed)
    says(
      error, "Record \(good.recordID) will not be saved because of previous error in atomic zone", words: nil, 2024)
    #expect(
      results.deleteResults[note("gone").recordID]?.error?.localizedDescription
        == "Record \(note("gone").recordID) will not be deleted because of previous error in atomic zone")
  }

  @Test("a save with the change tag of a deleted record: \"recordChangeTag specified, but record not found\"")
  func tagWithoutRecord() async throws {
    let mine = try await database.save(note("n", "a"))
    try await database.deleteRecord(withID: mine.recordID)
    mine["title"] = "b"
    let error = try await error { try await database.save(mine) }
    #expect(error.code == .unknownItem)
    let words = "recordChangeTag specified, but record not found"
    says(error, "Error saving record \(mine.recordID) to server: \(words)", words: words, 2003)
  }

  @Test(
    "[record-error-3] a record twice in one request is a client error: \"You can't save the same record twice\""
  )
  func recordTwiceInOneRequest() async throws {
    let (one, same) = (note("n"), note("n"))
    let saves = try await error { _ = try await database.modifyRecords(saving: [one, same], deleting: []) }
    #expect(saves.code == .invalidArguments)
    let text = "You can't save the same record twice: \(one.recordID)"
    #expect(saves.localizedDescription == text)
    #expect(saves.userInfo["ServerErrorDescription"] == nil)
    #expect(saves.userInfo[NSUnderlyingErrorKey] == nil)
    #expect(masked(saves) == #"<CKError 0x…: "Invalid Arguments" (12); "\#(text)"; \#(tail)>"#)
  }

  @Test("[record-error-3] repeated deletions and missing arguments are client errors without server texts")
  func repeatedDeletionsAndMissingArguments() async throws {
    let id = note("n").recordID
    let deletes = try await error { _ = try await database.modifyRecords(saving: [], deleting: [id, id]) }
    #expect(deletes.code == .invalidArguments)
    #expect(deletes.localizedDescription == "You can't delete the same record twice")
    #expect(deletes.userInfo["ServerErrorDescription"] == nil)
    let both = try await error { _ = try await database.modifyRecords(saving: [note("n")], deleting: [id]) }
    #expect(both.code == .invalidArguments)
    #expect(both.localizedDescription == "You can't save and delete the same record in one request")
    #expect(both.userInfo["ServerErrorDescription"] == nil)
    let operation = CKQueryOperation()
    let missing = try await error {
      try await withCheckedThrowingContinuation { done in
        operation.queryResultBlock = { done.resume(with: $0.map { _ in }) }
        database.add(operation)
      }
    }
    #expect(masked(missing) == #"<CKError 0x…: "Invalid Arguments" (12); "A query or a cursor is needed"; \#(tail)>"#)
  }

  @Test("[zone-purge-1] a request to a purged zone: \"Zone was purged by user\" (28/2042)")
  func requestToAPurgedZone() async throws {
    try LocalCloud.acting(as: "alice", root: cloud.cloud.path, container: "iCloud.test") {
      try LocalCloud.purgeData(of: "alice")
    }
    let error = try await error { try await database.save(note("n")) }
    #expect(
      masked(error)
        == #"<CKError 0x…: "User Deleted Zone" (28/2042); server message = "Zone was purged by user"; \#(tail)>"#)
  }

  @Test("a refusal by the schema has an underlying error of CKInternalErrorDomain with code 2006 ([record-error-1])")
  func refusalByTheSchemaHasAnUnderlying() async throws {
    try await database.save(note("n", "a"))
    let wrong = note("other")
    wrong["title"] = 5
    let error = try await error { try await database.save(wrong) }
    #expect(error.code == .invalidArguments)
    let underlying = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect(underlying.domain == "CKInternalErrorDomain")
    #expect(underlying.code == 2006)
    #expect(underlying.userInfo["LocalCloudCause"] as? String == "schema")
    #expect("\(error)".contains(#""Invalid Arguments" (12/2006); server message = "invalid attempt"#))
  }

  private func refused(_ record: CKRecord, by database: CKDatabase, _ words: String) async throws {
    let error = try await error { try await database.save(record) }
    #expect(error.code == .invalidArguments)
    says(error, "Error saving record \(record.recordID) to server: \(words)", words: words, 2006)
    #expect("\(error)".contains(#""Invalid Arguments" (12/2006); server message = "\#(words)"; op = "#))
  }

  @Test("refusals of empty lists, of encrypted values in plain fields and in production have code 2006 too")
  func otherSchemaRefusals() async throws {
    try await database.save(note("n", "a"))
    let empty = note("empty")
    empty["tags"] = [String]()
    try await refused(
      empty, by: database,
      "cannot use an empty list to initialize a new field (field 'tags' in record type 'Note' should be more precise)")
    let sealed = note("sealed")
    sealed.encryptedValues["title"] = "secret"
    try await refused(
      sealed, by: database,
      "Attempt to save encrypted data in non encrypted field type (field 'title' in record type 'Note')")

    let production = try LocalCloud.acting(as: "alice", root: cloud.cloud.path, environment: "production") {
      cloud.container().privateCloudDatabase
    }
    let late = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "late"))
    try await refused(late, by: production, "Cannot create new type Note in production schema")
    _ = try cloud.cloud.service.schemas.deploySchema(by: Caller(account: "alice", container: "iCloud.test"))
    try await production.save(late)
    late["due"] = 1
    try await refused(
      late, by: production, "Cannot create or modify field 'due' in record 'Note' in production schema")
  }

  // MARK: Descriptions

  /// Replaces the address, the operation's ID and the request's ID. They differ in each run.
  private func masked(_ error: any Error) -> String {
    "\(error)".replacing(#/0x[0-9a-f]+/#, with: "0x…").replacing(#/op = [0-9A-F]{16}/#, with: "op = …")
      .replacing(#/uuid = [0-9A-F-]{36}/#, with: "uuid = …")
  }

  private let tail = #"op = …; uuid = …; container ID = "iCloud.test""#

  @Test(
    "print(error) shows title, codes, server message, operation, request and container, each once and in this order")
  func printErrorShowsTitleCodesServerMessage() async throws {
    let zoneID = CKRecordZone.ID(zoneName: "None")
    let error = try await error { try await database.save(note("n", in: zoneID)) }
    let text = #"<CKError 0x…: "Zone Not Found" (26/2036); server message = "Zone 'None' does not exist"; \#(tail)>"#
    #expect(masked(error) == text)
    #expect(masked(error as NSError) == text)
    #expect(masked(error as any Error) == text)
    #expect(String(describing: error) == "\(error)")
    #expect("\(error)" == "\(error as NSError)")
    #expect(error.localizedDescription.hasPrefix("Error saving record <CKRecordID: "))
  }

  @Test("an error's description contains the ID of the failed operation")
  func errorsDescriptionContainsTheID() async throws {
    let operation = CKFetchRecordsOperation(recordIDs: [note("none").recordID])
    let errors = Collector<CKError>()
    await withCheckedContinuation { done in
      operation.perRecordResultBlock = { _, result in
        if let error = result.error { errors.append(error) }
      }
      operation.fetchRecordsResultBlock = { _ in done.resume() }
      database.add(operation)
    }
    #expect(errors.values.count == 1)
    #expect(errors.values.allSatisfy { "\($0)".contains("; op = \(operation.operationID); uuid = ") })
  }

  @available(*, deprecated)
  @Test("print(error) of a partial failure has one line for each failed item, and counts those with batchRequestFailed")
  func partialFailure() async throws {
    try await database.save(note("old", "a"))
    let operation = CKModifyRecordsOperation(
      recordsToSave: [note("b"), note("old", "again"), note("a"), note("old2")])
    operation.recordsToSave?.append(note("c"))
    let errors = Collector<CKError>()
    await withCheckedContinuation { done in
      operation.modifyRecordsCompletionBlock = { _, _, error in
        if let error = error as? CKError { errors.append(error) }
        done.resume()
      }
      database.add(operation)
    }
    let error = try #require(errors.values.first)
    let lines = masked(error).components(separatedBy: "\n")
    #expect(
      lines == [
        #"<CKError 0x…: "Partial Failure" (2/1011); "Failed to modify some records"; \#(tail); partial errors: {"#,
        "\told:(Home:__defaultOwner__) = "
          + #"<CKError 0x…: "Server Record Changed" (14/2004); server message = "record to insert already exists"; \#(tail)>"#,
        #"\#t... 4 "Batch Request Failed" CKErrors omitted ..."#, "}>",
      ])
  }

  @Test("print(error) works for errors that apps create, and each code has a title")
  func handMade() {
    #expect(masked(CKError(.networkUnavailable)) == #"<CKError 0x…: "Network Unavailable" (3)>"#)
    let below = NSError(domain: NSURLErrorDomain, code: -1009)
    let limited = CKError(
      .requestRateLimited,
      userInfo: [NSUnderlyingErrorKey: below, CKErrorRetryAfterKey: 51.6, NSLocalizedDescriptionKey: "Slow down"])
    #expect(
      masked(limited)
        == #"<CKError 0x…: "Request Rate Limited" (7/NSURLErrorDomain:-1009); "Slow down"; Retry after 51.6 seconds>"#)
    let errors: [AnyHashable: any Error] = [
      testZoneID: CKError(.zoneBusy), "text": CKError(.quotaExceeded), note("n").recordID: CKError(.unknownItem),
    ]
    #expect(
      masked(CKError(.partialFailure, userInfo: [CKPartialErrorsByItemIDKey: errors]))
        == """
        <CKError 0x…: "Partial Failure" (2); partial errors: {
        \tHome:__defaultOwner__ = <CKError 0x…: "Zone Busy" (23)>
        \tn:(Home:__defaultOwner__) = <CKError 0x…: "Unknown Item" (11)>
        \ttext = <CKError 0x…: "Quota Exceeded" (25)>
        }>
        """)
  }
}

extension Result {
  fileprivate var error: CKError? {
    if case .failure(let error) = self { error as? CKError } else { nil }
  }
}

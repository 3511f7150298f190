import CloudKit
import Foundation
import LocalCloudStorage
import Testing

@Suite("Inputs of operations that are set as properties")
struct InputTests {
  let stage: OperationStage
  var database: CKDatabase { stage.alice.privateCloudDatabase }

  init() async throws { stage = try await OperationStage() }

  private func end(_ operation: CKOperation, in container: CKContainer) async {
    await withCheckedContinuation { done in
      operation.completionBlock = { done.resume() }
      if let operation = operation as? CKDatabaseOperation {
        container.privateCloudDatabase.add(operation)
      } else {
        container.add(operation)
      }
    }
  }

  @Test("a plain CKOperation finishes without any effect")
  func plainCKOperationFinishesWithoutAnyEffect() async {
    let operation = CKOperation()
    await end(operation, in: stage.alice)
    #expect(operation.isFinished)
    #expect(operation.operationID.count == 16)
  }

  @Test("record operations use the record IDs, queries, cursors, limits and desired keys of their properties")
  func recordOperationsUseTheRecordIDsQueries() async throws {
    let fetch = CKFetchRecordsOperation()
    fetch.recordIDs = [note("n1").recordID]
    fetch.desiredKeys = []
    let reported = ReportedResults<CKRecord.ID, CKRecord>()
    fetch.perRecordResultBlock = reported.item
    await reported.run(fetch, database)
    #expect(reported.items[note("n1").recordID]?.value?.allKeys() == [])

    let found = Collector<CKRecord>()
    let cursors = Collector<CKQueryOperation.Cursor>()
    let query = CKQueryOperation()
    query.query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
    query.zoneID = testZoneID
    query.resultsLimit = 2
    query.desiredKeys = []
    query.recordMatchedBlock = { if let record = $1.value { found.append(record) } }
    query.queryResultBlock = { if let cursor = $0.value ?? nil { cursors.append(cursor) } }
    await run(query, on: database)
    #expect(found.values.map(\.recordID.recordName) == ["n1", "n2"])
    #expect(found.values.allSatisfy { $0.allKeys() == [] })
    let next = CKQueryOperation()
    next.cursor = cursors.values.first
    next.recordMatchedBlock = { if let record = $1.value { found.append(record) } }
    await run(next, on: database)
    #expect(found.values.last?.recordID.recordName == "n3")
    #expect(found.values.last?["title"] as? String == "3")
  }

  @Test("a zone operation uses the zones to save and to delete of its properties")
  func zoneOperationUsesTheZonesToSave() async throws {
    let modify = CKModifyRecordZonesOperation()
    modify.recordZonesToSave = [CKRecordZone(zoneName: "New")]
    modify.recordZoneIDsToDelete = [stage.spare]
    await run(modify, on: database)
    #expect(try await database.allRecordZones().map(\.zoneID.zoneName) == ["Home", "New", "_defaultZone"])
  }

  @Test("a fetch of database changes uses the token and the limit of its properties")
  func databaseChanges() async throws {
    typealias End = (serverChangeToken: CKServerChangeToken, moreComing: Bool)
    let ends = Collector<End>()
    let zones = Collector<String>()
    let first = CKFetchDatabaseChangesOperation()
    first.resultsLimit = 1
    first.fetchAllChanges = false
    first.recordZoneWithIDChangedBlock = { zones.append($0.zoneName) }
    first.fetchDatabaseChangesResultBlock = { if let end = $0.value { ends.append(end) } }
    await run(first, on: database)
    #expect(zones.values == ["Home"])
    #expect(ends.values.first?.moreComing == true)
    let second = CKFetchDatabaseChangesOperation()
    second.previousServerChangeToken = ends.values.first?.serverChangeToken
    second.recordZoneWithIDChangedBlock = { zones.append($0.zoneName) }
    second.fetchDatabaseChangesResultBlock = { if let end = $0.value { ends.append(end) } }
    await run(second, on: database)
    #expect(zones.values == ["Home", "Spare"])
    #expect(ends.values.last?.moreComing == false)

    let changes = try await database.databaseChanges(since: nil)
    let modifications: [CKDatabase.DatabaseChange.Modification] = changes.modifications
    #expect(Set(modifications).count == 2)
    try await database.deleteRecordZone(withID: stage.spare)
    let deletions: [CKDatabase.DatabaseChange.Deletion] =
      try await database.databaseChanges(since: changes.changeToken).deletions
    #expect(deletions.map(\.reason) == [CKDatabase.DatabaseChange.Deletion.Reason.deleted])
  }

  @available(*, deprecated)
  @Test(
    "a fetch of zone changes uses the zones, tokens, limits and keys of its properties, also by the deprecated names")
  func zoneChanges() async throws {
    for isOld in [false, true] {
      let settings = CKFetchRecordZoneChangesOperation.ZoneConfiguration()
      settings.resultsLimit = 2
      settings.desiredKeys = []
      let operation: CKFetchRecordZoneChangesOperation
      if isOld {
        let options: CKFetchRecordZoneChangesOperation.ZoneOptions = settings
        operation = CKFetchRecordZoneChangesOperation(
          recordZoneIDs: [testZoneID], optionsByRecordZoneID: [testZoneID: options])
        #expect(operation.optionsByRecordZoneID?[testZoneID] === settings)
      } else {
        operation = CKFetchRecordZoneChangesOperation()
        operation.recordZoneIDs = [testZoneID]
        operation.configurationsByRecordZoneID = [testZoneID: settings]
      }
      let changed = Collector<CKRecord>()
      let pages = Collector<CKServerChangeToken?>()
      operation.recordWasChangedBlock = { if let record = $1.value { changed.append(record) } }
      operation.recordZoneChangeTokensUpdatedBlock = { _, token, _ in pages.append(token) }
      await run(operation, on: database)
      #expect(changed.values.map(\.recordID.recordName) == ["n1", "n2", "n3"])
      #expect(pages.values.count == 1)
      #expect(changed.values.allSatisfy { $0.allKeys() == [] })
    }
  }

  @available(*, deprecated)
  @Test("the deprecated fetch of a zone's changes returns one page, and sets moreComing before its completion block")
  func recordChanges() async throws {
    try await database.deleteRecord(withID: note("n1").recordID)
    var names: [String] = []
    var token: CKServerChangeToken?
    for page in 0..<2 {
      let operation = CKFetchRecordChangesOperation(recordZoneID: testZoneID, previousServerChangeToken: token)
      operation.resultsLimit = 2
      operation.desiredKeys = page == 0 ? [] : nil
      let lines = Collector<String>()
      let tokens = Collector<CKServerChangeToken>()
      let more = Collector<Bool>()
      operation.recordChangedBlock = { lines.append("\($0.recordID.recordName) \($0.allKeys())") }
      operation.recordWithIDWasDeletedBlock = { lines.append("deleted \($0.recordName)") }
      operation.fetchRecordChangesCompletionBlock = { [unowned operation] token, data, error in
        if let token, data == nil, error == nil { tokens.append(token) }
        more.append(operation.moreComing)
      }
      await run(operation, on: database)
      names += lines.values
      token = tokens.values.first
      #expect(tokens.values.count == 1)
      #expect(more.values == [page == 0])
      #expect(operation.moreComing == (page == 0))
    }
    #expect(names == ["n2 []", "n3 []", "deleted n1"])
    let again = CKFetchRecordChangesOperation()
    again.recordZoneID = testZoneID
    again.previousServerChangeToken = token
    let changed = Collector<CKRecord>()
    again.recordChangedBlock = { changed.append($0) }
    await run(again, on: database)
    #expect(changed.values.isEmpty)
    #expect(!again.moreComing)
  }

  @Test("share operations use the URLs, people and metadata of their properties")
  func shareOperationsUseTheURLsPeople() async throws {
    let fetch = CKFetchShareMetadataOperation()
    fetch.shareURLs = [stage.url]
    let metadata = Collector<CKShare.Metadata>()
    fetch.perShareMetadataResultBlock = { if let found = $1.value { metadata.append(found) } }
    await end(fetch, in: stage.bob)
    let accept = CKAcceptSharesOperation()
    accept.shareMetadatas = metadata.values
    let accepted = Collector<CKShare>()
    accept.perShareResultBlock = { if let share = $1.value { accepted.append(share) } }
    await end(accept, in: stage.bob)
    #expect(accepted.values.count == 1)
    let look = CKFetchShareParticipantsOperation()
    look.userIdentityLookupInfos = [CKUserIdentity.LookupInfo(emailAddress: "carol@example.com")]
    let people = Collector<CKShare.Participant>()
    look.perShareParticipantResultBlock = { if let person = $1.value { people.append(person) } }
    await end(look, in: stage.alice)
    #expect(people.values.first?.userIdentity.hasiCloudAccount == true)
  }

  // MARK: Functions with completion handlers

  private func result<Value: Sendable>(
    _ start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { done in start { done.resume(with: $0) } }
  }

  @Test("functions with completion handlers look up people and accept shares")
  func sharingHandlers() async throws {
    let (alice, bob) = (stage.alice, stage.bob)
    let found = try await result { bob.fetchShareMetadatas(for: [stage.url, stage.endedURL], completionHandler: $0) }
    #expect(found[stage.url]?.value != nil)
    #expect(found[stage.endedURL]?.code == .unknownItem)
    let accepted = try await result { bob.accept([stage.metadata, stage.endedMetadata], completionHandler: $0) }
    #expect(accepted[stage.metadata]?.value?.url == stage.url)
    #expect(accepted[stage.endedMetadata]?.code == .unknownItem)
    let again: CKShare? = await withCheckedContinuation { done in
      bob.accept(stage.metadata) { share, _ in done.resume(returning: share) }
    }
    #expect(again?.url == stage.url)
    let user = try await bob.userRecordID()
    let byMail = try await result {
      alice.fetchShareParticipants(forEmailAddresses: ["bob@example.com", "nobody"], completionHandler: $0)
    }
    #expect(byMail["bob@example.com"]?.value?.userIdentity.userRecordID == user)
    #expect(byMail["nobody"]?.code == .invalidArguments)
    let byPhone = try await result {
      alice.fetchShareParticipants(forPhoneNumbers: ["+15550199"], completionHandler: $0)
    }
    #expect(byPhone["+15550199"]?.value?.userIdentity.hasiCloudAccount == false)
    let byID = try await result { alice.fetchShareParticipants(forUserRecordIDs: [user], completionHandler: $0) }
    #expect(byID[user]?.value?.userIdentity.hasiCloudAccount == true)
    let one: CKShare.Participant? = await withCheckedContinuation { done in
      alice.fetchShareParticipant(withPhoneNumber: "+15550199") { person, _ in done.resume(returning: person) }
    }
    #expect(one?.userIdentity.lookupInfo?.phoneNumber == "+15550199")
  }

  @available(*, deprecated)
  @Test("the deprecated query functions return only the records")
  func oldQueries() async throws {
    let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
    let records: [CKRecord] = try await database.records(matching: query, inZoneWith: testZoneID)
    #expect(records.map(\.recordID.recordName) == ["n1", "n2", "n3"])
    let performed: [CKRecord]? = await withCheckedContinuation { done in
      database.perform(query, inZoneWith: testZoneID) { records, _ in done.resume(returning: records) }
    }
    #expect(performed?.count == 3)
  }
}

import CloudKit
import Foundation
import LocalCloud
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

/// Rows 4.2 to 4.7 of the list of features. ``EveryOperationTests`` tests row 4.6 for each class.
@Suite("New API of CloudKit in 2021 (WWDC21)", .serialized)
struct FeatureTests {
  let cloud: TestCloud
  let container: CKContainer
  var database: CKDatabase { container.privateCloudDatabase }

  init() async throws {
    cloud = try TestCloud()
    container = try cloud.container(of: "alice")
    try await container.privateCloudDatabase.save(CKRecordZone(zoneID: testZoneID))
  }

  /// The value or error of a completion handler.
  private func value<Value: Sendable>(
    _ start: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Void
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { done in
      start { value, error in
        if let value { done.resume(returning: value) } else { done.resume(throwing: error ?? CKError(.internalError)) }
      }
    }
  }

  private func result<Value: Sendable>(
    _ start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { done in start { done.resume(with: $0) } }
  }

  @Test("functions of container and database with completion handlers return values or errors ([account-state-5])")
  func completionHandlers() async throws {
    let status: CKAccountStatus = await withCheckedContinuation { done in
      container.accountStatus { status, _ in done.resume(returning: status) }
    }
    #expect(status == .available)
    let user = try await value { container.fetchUserRecordID(completionHandler: $0) }
    #expect(user.recordName.hasPrefix("_"))
    #expect(user.recordName != CKCurrentUserDefaultName)
    let zone = try await value { database.save(CKRecordZone(zoneName: "Second"), completionHandler: $0) }
    #expect(zone.capabilities.contains(.sharing))
    let saved = try await value { database.save(note("a", "1"), completionHandler: $0) }
    let fetched = try await value { database.fetch(withRecordID: saved.recordID, completionHandler: $0) }
    #expect(fetched.recordChangeTag == saved.recordChangeTag)
    #expect(fetched["title"] as? String == "1")
    let zones = try await value { database.fetchAllRecordZones(completionHandler: $0) }
    #expect(zones.map(\.zoneID.zoneName).sorted() == ["Home", "Second", "_defaultZone"])
    let one = try await value { database.fetch(withRecordZoneID: testZoneID, completionHandler: $0) }
    #expect(one.zoneID == testZoneID)
    let both = try await result { database.fetch(withRecordZoneIDs: [testZoneID, zone.zoneID], completionHandler: $0) }
    #expect(both.count == 2)
    let deletedZone = try await value { database.delete(withRecordZoneID: zone.zoneID, completionHandler: $0) }
    #expect(deletedZone == zone.zoneID)
    let deleted = try await value { database.delete(withRecordID: saved.recordID, completionHandler: $0) }
    #expect(deleted == saved.recordID)
    await #expect(throws: CKError.self) {
      _ = try await value { database.fetch(withRecordID: saved.recordID, completionHandler: $0) }
    }
    let modified = try await result {
      database.modifyRecords(saving: [note("b"), note("c")], deleting: [deleted], completionHandler: $0)
    }
    #expect(modified.saveResults.count == 2)
    #expect(modified.deleteResults.count == 1)
    let records = try await result {
      database.fetch(withRecordIDs: [note("b").recordID, deleted], desiredKeys: nil, completionHandler: $0)
    }
    #expect(records[note("b").recordID]?.value != nil && records[deleted]?.code == .unknownItem)
    let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
    let page = try await result {
      database.fetch(withQuery: query, inZoneWith: testZoneID, resultsLimit: 1, completionHandler: $0)
    }
    #expect(page.matchResults.map(\.0.recordName) == ["b"])
    let cursor = try #require(page.queryCursor)
    let next = try await result { database.fetch(withCursor: cursor, completionHandler: $0) }
    #expect(next.matchResults.map(\.0.recordName) == ["c"])
    #expect(next.queryCursor == nil)
    let zoneChanges = try await result {
      database.fetchRecordZoneChanges(inZoneWith: testZoneID, since: nil, completionHandler: $0)
    }
    #expect(zoneChanges.modificationResultsByID.count == 2)
    #expect(!zoneChanges.moreComing)
    let changes = try await result { database.fetchDatabaseChanges(since: nil, completionHandler: $0) }
    #expect(changes.modifications.map(\.zoneID) == [testZoneID])
    let zonesModified = try await result {
      database.modifyRecordZones(saving: [CKRecordZone(zoneName: "Third")], completionHandler: $0)
    }
    #expect(zonesModified.saveResults.count == 1)
    #expect(zonesModified.deleteResults.isEmpty)
  }

  @Test("operations handle batches of records, queries in pages, changes of zones and databases, and groups")
  func operationsHandleBatchesOfRecordsQueries() async throws {
    let names = (0..<250).map { "n\(1000 + $0)" }
    let group = CKOperationGroup()
    group.name = "import"
    let saved = ReportedResults<CKRecord.ID, CKRecord>()
    let save = CKModifyRecordsOperation(recordsToSave: names.map { note($0, $0) })
    save.group = group
    save.perRecordSaveBlock = saved.item
    save.modifyRecordsResultBlock = saved.end
    await saved.run(save, database)
    #expect(saved.items.count == 250)
    #expect(saved.items.values.allSatisfy { $0.value != nil })

    // One query returns one page, and its cursor continues after it.
    var found: [String] = []
    var query = CKQueryOperation(query: CKQuery(recordType: "Note", predicate: NSPredicate(value: true)))
    while true {
      query.zoneID = testZoneID
      query.group = group
      query.desiredKeys = []
      let matched = Collector<String>()
      query.recordMatchedBlock = { recordID, _ in matched.append(recordID.recordName) }
      let operation = query
      let cursor: CKQueryOperation.Cursor? = try await withCheckedThrowingContinuation { done in
        operation.queryResultBlock = { done.resume(with: $0) }
        database.add(operation)
      }
      #expect(matched.values.count <= 200)
      found += matched.values
      guard let cursor else { break }
      query = CKQueryOperation(cursor: cursor)
    }
    #expect(found == names)

    let changed = Collector<String>()
    let tokens = Collector<Data?>()
    let changes = CKFetchRecordZoneChangesOperation(recordZoneIDs: [testZoneID], configurationsByRecordZoneID: nil)
    changes.group = group
    changes.recordWasChangedBlock = { recordID, _ in changed.append(recordID.recordName) }
    changes.recordZoneChangeTokensUpdatedBlock = { _, _, data in tokens.append(data) }
    await run(changes, on: database)
    #expect(changed.values.count == 250)
    #expect(tokens.values.count == 1)

    let zones = Collector<CKRecordZone.ID>()
    let databaseChanges = CKFetchDatabaseChangesOperation(previousServerChangeToken: nil)
    databaseChanges.group = group
    databaseChanges.recordZoneWithIDChangedBlock = { zones.append($0) }
    await run(databaseChanges, on: database)
    #expect(zones.values == [testZoneID])
  }

  @Test("the async functions return the same values as the functions with completion handlers")
  func asyncFunctionsReturnTheSameValues() async throws {
    #expect(try await container.accountStatus() == .available)
    #expect(try await container.userRecordID().recordName.hasPrefix("_"))
    let saved = try await database.save(note("a", "1"))
    #expect(try await database.record(for: saved.recordID)["title"] as? String == "1")
    #expect(try await database.records(for: [saved.recordID]).count == 1)
    #expect(try await database.recordZone(for: testZoneID).zoneID == testZoneID)
    #expect(try await database.recordZones(for: [testZoneID]).count == 1)
    #expect(try await database.allRecordZones().count == 2)
    let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
    let page = try await database.records(matching: query, inZoneWith: testZoneID, resultsLimit: 1)
    #expect(page.matchResults.count == 1)
    #expect(try await database.recordZoneChanges(inZoneWith: testZoneID, since: nil).modificationResultsByID.count == 1)
    #expect(try await database.databaseChanges(since: nil).modifications.count == 1)
    #expect(try await database.deleteRecord(withID: saved.recordID) == saved.recordID)
    #expect(try await database.modifyRecords(saving: [note("b")]).saveResults.count == 1)
    #expect(try await database.modifyRecordZones(deleting: [testZoneID]).deleteResults[testZoneID]?.value != nil)
    #expect(await code { _ = try await database.deleteRecordZone(withID: testZoneID) } == .zoneNotFound)
  }

  @available(*, deprecated)
  @Test(
    "a missing record fails only its own result; the deprecated block gets a partialFailure")
  func oneMissing() async throws {
    _ = try await database.modifyRecords(saving: ["a", "b", "c"].map { note($0) })
    let ids = ["a", "missing", "b", "c"].map { note($0).recordID }
    let reported = ReportedResults<CKRecord.ID, CKRecord>()
    let errors = Collector<CKError?>()
    let counts = Collector<Int?>()
    let operation = CKFetchRecordsOperation(recordIDs: ids)
    operation.perRecordResultBlock = reported.item
    operation.fetchRecordsResultBlock = reported.end
    operation.fetchRecordsCompletionBlock = { records, error in
      counts.append(records?.count)
      errors.append(error as? CKError)
    }
    await reported.run(operation, database)
    #expect(reported.whole?.value != nil)
    #expect(reported.items.count == 4)
    #expect(reported.items[ids[1]]?.code == .unknownItem)
    #expect([0, 2, 3].allSatisfy { reported.items[ids[$0]]?.value != nil })
    #expect(counts.values == [3])
    #expect(errors.values.first??.code == .partialFailure)
    let partial = errors.values.first??.partialErrorsByItemID ?? [:]
    #expect(partial.count == 1 && (partial[ids[1]] as? CKError)?.code == .unknownItem)
    let results = try await database.records(for: ids)
    #expect(results[ids[1]]?.code == .unknownItem)
    #expect(results.count == 4)
  }

  @Test("networkUnavailable fails the whole request without results for its items")
  func networkUnavailable() async throws {
    var settings = cloud.cloud.service.settings
    settings.interceptor.before = { request, _ in
      if request == .fetchRecords { throw ServiceError(.networkUnavailable, "no network") }
    }
    let service = CloudService(cloud: cloud.cloud.service.cloud, settings: settings)
    let id = RecordIdentifier(name: "a", zone: ZoneIdentifier(name: "Home"))
    #expect(throws: ServiceError(.networkUnavailable, "no network")) {
      try service.records.fetchRecords(
        FetchRecordsRequest(scope: .private, records: [id]), by: cloud.cloud.caller("alice"))
    }
  }

  @Test("batch functions are atomic by default, save unchanged records only, and delete nothing")
  func batchFunctionsAreAtomicByDefaultSave() async throws {
    try await database.save(note("taken"))
    let results = try await database.modifyRecords(saving: [note("new"), note("taken")])
    #expect(results.saveResults[note("taken").recordID]?.code == .serverRecordChanged)
    #expect(results.saveResults[note("new").recordID]?.code == .batchRequestFailed)
    #expect(results.deleteResults.isEmpty)
    let apart = try await database.modifyRecords(saving: [note("new"), note("taken")], atomically: false)
    #expect(apart.saveResults[note("new").recordID]?.value != nil)
    #expect(try await database.modifyRecords(deleting: [note("new").recordID]).saveResults.isEmpty)
    #expect(try await database.modifyRecordZones().saveResults.isEmpty)
  }

  @Test("the four forms of configuredWith(configuration:group:) pass on settings and the group")
  func configuredWith() async {
    await #expect(processExitsWith: .success) {
      let tests = try await FeatureTests()
      // From here on requests are logged.
      setenv("LOCALCLOUD_LOG", "on", 1)
      let (cloud, container, database) = (tests.cloud, tests.container, tests.database)
      let group = CKOperationGroup()
      group.name = "import"
      group.quantity = 3
      group.expectedSendSize = .kilobytes
      group.expectedReceiveSize = .megabytes
      let configuration = CKOperation.Configuration()
      configuration.timeoutIntervalForRequest = 20
      try await database.configuredWith(configuration: configuration, group: group) { configured in
        #expect(configured !== database)
        #expect(configured.databaseScope == .private)
        try await configured.save(note("a"))
      }
      database.configuredWith(group: group) { configured in configured.fetchAllRecordZones { _, _ in } }
      _ = try await container.configuredWith(configuration: configuration, group: group) { configured in
        try await configured.accountStatus()
      }
      container.configuredWith(group: group) { configured in configured.fetchUserRecordID { _, _ in } }
      try await database.save(note("b"))
      let missing = CKRecordZone.ID(zoneName: "Missing")
      _ = await code { _ = try await database.recordZoneChanges(inZoneWith: missing, since: nil) }
      var lines: [JSONObject] = []
      for _ in 0..<1000 {
        let text = try String(contentsOfFile: cloud.cloud.path + "/requests.jsonl", encoding: .utf8)
        lines = try text.split(separator: "\n").map { try #require(JSONValue(parsing: Array($0.utf8)).object) }
        if lines.count == 6 { break }
        try await Task.sleep(for: .milliseconds(10))
      }
      let grouped = lines.filter { $0["group"]?["operationGroupID"]?.string == group.operationGroupID }
      let requests = Set(grouped.compactMap { $0["request"]?.string })
      #expect(requests == ["modifyRecords", "fetchZones", "accountStatus", "currentUser"])
      #expect(grouped.count == 4)
      #expect(lines.count == 6)
      for line in grouped {
        let group = line["group"]
        #expect(group?["name"]?.string == "import")
        #expect(group?["quantity"]?.integer == 3)
        #expect(group?["expectedSendSize"]?.string == "kilobytes")
        #expect(group?["expectedReceiveSize"]?.string == "megabytes")
        #expect(line["account"]?.string == "alice")
        #expect(line["containerIdentifier"]?.string == "iCloud.test")
        #expect(line["operationID"]?.string?.count == 16)
        #expect(line["error"] == nil)
      }
      #expect(lines.contains { $0["operation"]?.string == "CKModifyRecordsOperation" })
      #expect(lines.compactMap { $0["error"]?["ckErrorCode"]?.integer } == [26])
      // A partial line of a killed process does not affect the next line.
      let path = cloud.cloud.path + "/requests.jsonl"
      try ("{\"torn" as String).write(toFile: path, atomically: false, encoding: .utf8)
      _ = try await container.accountStatus()
      let last = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      #expect(last.count == 2 && (try? JSONValue(parsing: Array(last[1].utf8))) != nil)
      #expect(try cloud.cloud.service.checks.check() == [])
    }
  }
}

import CloudKit
import Foundation
import LocalCloudStorage
import Testing

@Suite("Change feeds")
struct ChangeFeedTests {
  let cloud: TestCloud
  let database: CKDatabase

  init() throws {
    cloud = try TestCloud()
    database = try cloud.container(of: "alice").privateCloudDatabase
  }

  // [change-zone-1], [change-zone-5], [change-zone-7]
  @Test func pagesOfAZone() async throws {
    try await database.save(CKRecordZone(zoneID: testZoneID))
    try await database.modifyRecords(saving: (0..<25).map { note("n\($0)", "\($0)") })
    var token: CKServerChangeToken?
    var names: [String] = []
    var pages = 0
    var moreComing = true
    while moreComing {
      let page = try await database.recordZoneChanges(inZoneWith: testZoneID, since: token, resultsLimit: 10)
      names += page.modificationResultsByID.keys.map(\.recordName)
      // A token can be archived.
      token = try archived(page.changeToken)
      moreComing = page.moreComing
      pages += 1
    }
    #expect(pages == 3)
    #expect(Set(names).count == 25)
    #expect(names.count == 25)
    try await database.save(note("n25"))
    try await database.deleteRecord(withID: note("n3").recordID)
    let page = try await database.recordZoneChanges(inZoneWith: testZoneID, since: token, desiredKeys: [])
    #expect(page.modificationResultsByID.keys.map(\.recordName) == ["n25"])
    #expect(page.deletions.map(\.recordID) == [note("n3").recordID])
    #expect(page.deletions.first?.recordType == "Note")
    #expect(page.modificationResultsByID.values.first?.value?.record.allKeys() == [])
  }

  // [change-zone-8], [change-zone-9], [change-zone-10]
  @Test func operationOverZones() async throws {
    let other = CKRecordZone.ID(zoneName: "Other")
    try await database.modifyRecordZones(saving: [CKRecordZone(zoneID: testZoneID), CKRecordZone(zoneID: other)])
    let data = Data("client".utf8)
    let save = CKModifyRecordsOperation(recordsToSave: (0..<5).map { note("n\($0)") })
    save.clientChangeTokenData = data
    await run(save, on: database)
    try await database.save(note("o", in: other))
    let absent = CKRecordZone.ID(zoneName: "Absent")
    for fetchesAll in [true, false] {
      let journal = Journal()
      let limit = CKFetchRecordZoneChangesOperation.ZoneConfiguration(resultsLimit: 2)
      let operation = CKFetchRecordZoneChangesOperation(
        recordZoneIDs: [testZoneID, absent, other, .default], configurationsByRecordZoneID: [testZoneID: limit])
      operation.fetchAllChanges = fetchesAll
      operation.recordWasChangedBlock = { recordID, _ in journal.write(recordID.recordName) }
      operation.recordZoneChangeTokensUpdatedBlock = { zoneID, token, _ in
        journal.write("token \(zoneID.zoneName) \(token != nil)")
      }
      operation.recordZoneFetchResultBlock = { zoneID, result in
        let code = result.code.map { "\($0)" } ?? "\(result.value?.moreComing ?? false)"
        journal.write("\(zoneID.zoneName) \(code) \(result.value?.clientChangeTokenData == data)")
      }
      operation.fetchRecordZoneChangesResultBlock = { result in journal.write("\(result.value != nil)") }
      await run(operation, on: database)
      let tail = [
        "Absent zoneNotFound false", "o", "Other false false", "_defaultZone serverRejectedRequest false", "true",
      ]
      let head =
        fetchesAll
        ? ["n0", "n1", "token Home true", "n2", "n3", "token Home true", "n4", "Home false true"]
        : ["n0", "n1", "Home true true"]
      #expect(journal.lines == head + tail)
    }
  }

  // [change-token-1], [change-zone-9]
  @Test func unusableTokens() async throws {
    try await database.save(CKRecordZone(zoneID: testZoneID))
    let zoneToken = try await database.recordZoneChanges(inZoneWith: testZoneID, since: nil).changeToken
    let databaseToken = try await database.databaseChanges(since: nil).changeToken
    #expect(await code { _ = try await database.databaseChanges(since: zoneToken) } == .changeTokenExpired)
    #expect(
      await code { _ = try await database.recordZoneChanges(inZoneWith: testZoneID, since: databaseToken) }
        == .changeTokenExpired)
    let junk = CKServerChangeToken(data: Data([1, 2, 255]))
    #expect(await code { _ = try await database.databaseChanges(since: junk) } == .changeTokenExpired)
    #expect(
      await code { _ = try await database.recordZoneChanges(inZoneWith: .default, since: nil) }
        == .serverRejectedRequest)
    let empty = CKFetchRecordZoneChangesOperation()
    let journal = Journal()
    empty.fetchRecordZoneChangesResultBlock = { journal.write("\($0.code == .invalidArguments)") }
    await run(empty, on: database)
    #expect(journal.lines == ["true"])
    let publicDatabase = try cloud.container(of: "alice").publicCloudDatabase
    #expect(await code { _ = try await publicDatabase.databaseChanges(since: nil) } == .badDatabase)
    #expect(await code { _ = try await publicDatabase.save(CKRecordZone(zoneID: testZoneID)) } == .badDatabase)
  }

  // [change-database-4]
  @available(*, deprecated)
  @Test func zonesOfADatabase() async throws {
    try await database.save(CKRecordZone(zoneID: testZoneID))
    let first = try await database.databaseChanges(since: nil)
    #expect(first.modifications.map(\.zoneID) == [testZoneID])
    #expect(first.deletions.isEmpty)
    #expect(!first.moreComing)
    let other = CKRecordZone.ID(zoneName: "Other")
    try await database.save(CKRecordZone(zoneID: other))
    try await database.deleteRecordZone(withID: testZoneID)
    let second = try await database.databaseChanges(since: first.changeToken)
    #expect(second.modifications.map(\.zoneID) == [other])
    #expect(second.deletions.map(\.zoneID) == [testZoneID])
    #expect(second.deletions.first?.reason == .deleted)
    #expect(second.deletions.first?.purged == false)
    let journal = Journal()
    let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: first.changeToken)
    operation.resultsLimit = 1
    operation.recordZoneWithIDChangedBlock = { journal.write("changed \($0.zoneName)") }
    operation.recordZoneWithIDWasDeletedBlock = { journal.write("deleted \($0.zoneName)") }
    operation.changeTokenUpdatedBlock = { _ in journal.write("token") }
    operation.fetchDatabaseChangesResultBlock = { journal.write("end \($0.value?.moreComing ?? true)") }
    operation.fetchDatabaseChangesCompletionBlock = { token, more, error in journal.write("\(token != nil) \(more)") }
    await run(operation, on: database)
    #expect(
      journal.lines == ["changed Other", "token", "deleted Home", "token", "end false", "true false"])
  }

  @Test func queries() async throws {
    try await database.save(CKRecordZone(zoneID: testZoneID))
    try await database.modifyRecords(saving: (0..<5).map { note("n\($0)", "\($0)") })
    let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
    let (first, cursor) = try await database.records(matching: query, inZoneWith: testZoneID, resultsLimit: 3)
    #expect(first.count == 3)
    #expect(first.first?.1.value?["title"] != nil)
    let kept = try archived(try #require(cursor))
    let next = try await database.records(continuingMatchFrom: try #require(kept))
    #expect(next.matchResults.count == 2)
    #expect(next.queryCursor == nil)
    let none = CKQuery(recordType: "Note", predicate: NSPredicate(value: false))
    #expect(try await database.records(matching: none, inZoneWith: testZoneID).matchResults.isEmpty)
    query.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
    let sorted = try await database.records(matching: query, inZoneWith: testZoneID).matchResults
    #expect(sorted.map(\.0.recordName) == ["n4", "n3", "n2", "n1", "n0"])
    let junk = CKQueryOperation.Cursor(data: Data())
    #expect(await code { _ = try await database.records(continuingMatchFrom: junk) } == .invalidArguments)
  }
}

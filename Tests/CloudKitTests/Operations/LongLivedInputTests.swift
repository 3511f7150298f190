import CloudKit
import Foundation
import LocalCloudStorage
import Testing

extension LongLivedTests {
  private func again<Operation: CKDatabaseOperation>(_ operation: Operation) async throws -> Operation {
    try await pending(operation) { id in try #require(try await alice.longLivedOperation(for: id) as? Operation) }
  }

  /// Runs the operation again as if its first process had ended before the answer. Returns the items' results.
  private func items<Operation: CKDatabaseOperation, ID: Hashable & Sendable, Value: Sendable>(
    _ operation: Operation, _ set: @Sendable (Operation, ReportedResults<ID, Value>) -> Void
  ) async throws -> [ID: Value] {
    try await pending(operation) { id in
      let again = try #require(try await alice.longLivedOperation(for: id) as? Operation)
      try FileManager.default.removeItem(atPath: "\(folder)/\(id)-answers.json")
      let reported = ReportedResults<ID, Value>()
      set(again, reported)
      await reported.run(again, database)
      return try reported.items.mapValues { try $0.get() }
    }
  }

  private var ids: [CKRecord.ID] { [note("n1").recordID, note("none").recordID] }

  @Test("a long-lived operation on records is read back with all of its inputs")
  func recordInputs() async throws {
    let modify = CKModifyRecordsOperation(recordsToSave: [note("a", "1")], recordIDsToDelete: ids)
    modify.savePolicy = .allKeys
    modify.clientChangeTokenData = Data([1, 2])
    let modified = try await again(modify)
    #expect(modified.recordsToSave?.first?["title"] as? String == "1")
    #expect(modified.recordIDsToDelete == ids)
    #expect(modified.savePolicy == .allKeys)
    #expect(modified.isAtomic)
    #expect(modified.clientChangeTokenData == Data([1, 2]))

    let fetch = CKFetchRecordsOperation(recordIDs: ids)
    fetch.desiredKeys = ["title"]
    let fetched = try await again(fetch)
    #expect(fetched.recordIDs == ids)
    #expect(fetched.desiredKeys == ["title"])
    let everything = try await again(CKFetchRecordsOperation(recordIDs: ids))
    #expect(everything.desiredKeys == nil)
    let user = try await items(CKFetchRecordsOperation.fetchCurrentUserRecordOperation()) { again, reported in
      again.perRecordResultBlock = reported.item
    }
    #expect(user.values.map(\.recordType) == ["Users"])
  }

  @Test("a long-lived query is read back with all of its inputs, also for the next page")
  func queryInputs() async throws {
    let query = CKQuery(recordType: "Note", predicate: NSPredicate(format: "title > %@", "0"))
    query.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
    let again = try await again(first(of: query))
    #expect(again.query?.recordType == "Note")
    #expect(again.query?.sortDescriptors?.map(\.key) == ["title"])
    #expect(again.query?.sortDescriptors?.map(\.ascending) == [false])
    #expect(again.zoneID == testZoneID)
    #expect(again.resultsLimit == 2)
    #expect(again.desiredKeys == ["title"])
    #expect(again.cursor == nil)

    let found = try await items(first(of: query)) { again, reported in again.recordMatchedBlock = reported.item }
    #expect(Set(found.keys.map(\.recordName)) == ["n2", "n3"])
    #expect(found.values.allSatisfy { $0.allKeys() == ["title"] })

    let (_, cursor) = try await database.records(matching: query, inZoneWith: testZoneID, resultsLimit: 2)
    let next = CKQueryOperation(cursor: try #require(cursor))
    let page = try await self.again(next)
    #expect(page.query == nil)
    #expect(page.zoneID == nil)
    #expect(page.cursor != nil)
    #expect(page.desiredKeys == nil)
    #expect(page.resultsLimit == CKQueryOperation.maximumResults)
    let (rest, _) = try await database.records(continuingMatchFrom: try #require(page.cursor))
    #expect(rest.map(\.0.recordName) == ["n1"])
  }

  private func first(of query: CKQuery) -> CKQueryOperation {
    let first = CKQueryOperation(query: query)
    (first.zoneID, first.resultsLimit, first.desiredKeys) = (testZoneID, 2, ["title"])
    return first
  }

  @Test("a long-lived operation on zones is read back with all of its inputs")
  func zoneInputs() async throws {
    let new = CKRecordZone(zoneName: "New")
    let modify = CKModifyRecordZonesOperation(recordZonesToSave: [new], recordZoneIDsToDelete: [stage.spare])
    let modified = try await again(modify)
    #expect(modified.recordZonesToSave?.map(\.zoneID) == [new.zoneID])
    #expect(modified.recordZoneIDsToDelete == [stage.spare])
    let fetched = try await again(CKFetchRecordZonesOperation(recordZoneIDs: [testZoneID]))
    #expect(fetched.recordZoneIDs == [testZoneID])
    let one = try await items(CKFetchRecordZonesOperation(recordZoneIDs: [testZoneID])) { again, reported in
      again.perRecordZoneResultBlock = reported.item
    }
    #expect(Array(one.keys) == [testZoneID])
    let all = try await items(CKFetchRecordZonesOperation.fetchAllRecordZonesOperation()) { again, reported in
      again.perRecordZoneResultBlock = reported.item
    }
    #expect(Set(all.keys) == [testZoneID, new.zoneID, CKRecordZone.default().zoneID])
  }

  @available(*, deprecated)
  @Test("a long-lived fetch of changes is read back with all of its inputs")
  func changeInputs() async throws {
    let changes = try await database.databaseChanges(since: nil)
    let token = changes.changeToken
    let all = CKFetchDatabaseChangesOperation(previousServerChangeToken: token)
    (all.resultsLimit, all.fetchAllChanges) = (7, false)
    let ofDatabase = try await again(all)
    #expect(ofDatabase.previousServerChangeToken == token)
    #expect(ofDatabase.resultsLimit == 7)
    #expect(!ofDatabase.fetchAllChanges)

    let newest = try await database.recordZoneChanges(inZoneWith: testZoneID, since: nil).changeToken
    let settings = CKFetchRecordZoneChangesOperation.ZoneConfiguration(
      previousServerChangeToken: newest, resultsLimit: 3, desiredKeys: ["title"])
    let zones = CKFetchRecordZoneChangesOperation(
      recordZoneIDs: [testZoneID, stage.spare], configurationsByRecordZoneID: [testZoneID: settings])
    zones.fetchAllChanges = false
    let ofZones = try await again(zones)
    let kept = try #require(ofZones.configurationsByRecordZoneID?[testZoneID])
    #expect(ofZones.recordZoneIDs == [testZoneID, stage.spare])
    #expect(!ofZones.fetchAllChanges)
    #expect(ofZones.configurationsByRecordZoneID?.count == 1)
    #expect(kept.previousServerChangeToken == newest)
    #expect(kept.resultsLimit == 3)
    #expect(kept.desiredKeys == ["title"])

    let old = CKFetchRecordChangesOperation(recordZoneID: testZoneID, previousServerChangeToken: newest)
    (old.resultsLimit, old.desiredKeys) = (3, ["title"])
    let ofZone = try await again(old)
    #expect(ofZone.recordZoneID == testZoneID)
    #expect(ofZone.previousServerChangeToken == newest)
    #expect(ofZone.resultsLimit == 3)
    #expect(ofZone.desiredKeys == ["title"])
  }
}

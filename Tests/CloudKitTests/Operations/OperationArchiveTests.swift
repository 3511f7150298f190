import Foundation
import LocalCloudStorage
import LocalCloudStore
import Testing

// These tests create the internal stored form directly.
@testable import CloudKit

@Suite("Long-lived operations from their stored form")
struct OperationArchiveTests {
  private let zone = testZoneID.archive
  private let badZone = CKRecordZoneID.Archive(zoneName: "", ownerName: "o")
  private var record: CKRecordID.Archive { CKRecordID.Archive(recordName: "r", zoneID: zone) }
  private var badRecord: CKRecordID.Archive { CKRecordID.Archive(recordName: "", zoneID: zone) }

  @Test(
    "stored inputs of record operations need valid IDs, records and policies, and are used completely or not at all")
  func storedInputsOfRecordOperationsNeedValid() {
    let fetch = CKFetchRecordsOperation()
    for bad in [[badRecord], [record, badRecord]] {
      #expect(
        !fetch.restore(CKFetchRecordsOperation.Inputs(recordIDs: bad, desiredKeys: ["a"], fetchesCurrentUser: true)))
    }
    #expect(fetch.recordIDs == nil)
    #expect(fetch.desiredKeys == nil)
    #expect(!fetch.fetchesCurrentUser)
    #expect(
      fetch.restore(CKFetchRecordsOperation.Inputs(recordIDs: [record], desiredKeys: [], fetchesCurrentUser: true)))
    #expect(fetch.recordIDs?.map(\.recordName) == ["r"])
    #expect(fetch.desiredKeys == [])
    #expect(fetch.fetchesCurrentUser)

    func modify(
      _ saved: RecordState.Archive, _ deleted: CKRecordID.Archive, policy: Int
    ) -> CKModifyRecordsOperation.Inputs {
      CKModifyRecordsOperation.Inputs(
        recordsToSave: [saved], recordIDsToDelete: [deleted], savePolicy: policy, isAtomic: false,
        clientChangeTokenData: Data([1]))
    }
    let good = savedRecord().state.archive(systemFieldsOnly: false)
    var bad = good
    bad.recordType = ""
    let operation = CKModifyRecordsOperation()
    #expect(!operation.restore(modify(bad, record, policy: 1)))
    #expect(!operation.restore(modify(good, badRecord, policy: 1)))
    #expect(!operation.restore(modify(good, record, policy: 3)))
    #expect(operation.recordsToSave == nil)
    #expect(operation.recordIDsToDelete == nil)
    #expect(operation.isAtomic)
    #expect(operation.restore(modify(good, record, policy: 2)))
    #expect(operation.recordsToSave?.map(\.recordChangeTag) == ["1a"])
    #expect(operation.savePolicy == .allKeys)
    #expect(operation.recordIDsToDelete?.map(\.recordName) == ["r"])
    #expect(!operation.isAtomic)
    #expect(operation.clientChangeTokenData == Data([1]))
  }

  @Test("stored inputs of a query need a valid predicate and zone")
  func storedInputsOfAQueryNeed() {
    func inputs(_ query: CKQuery.Archive?, _ zone: CKRecordZoneID.Archive?) -> CKQueryOperation.Inputs {
      CKQueryOperation.Inputs(query: query, cursor: Data([1]), zoneID: zone, resultsLimit: 3, desiredKeys: ["a"])
    }
    let good = CKQuery.Archive(recordType: "Note", predicateFormat: "a == 1", sortDescriptors: nil)
    let operation = CKQueryOperation()
    #expect(!operation.restore(inputs(good, badZone)))
    #expect(!operation.restore(inputs(CKQuery.Archive(recordType: "", predicateFormat: "a == 1"), zone)))
    #expect(!operation.restore(inputs(CKQuery.Archive(recordType: "Note"), zone)))
    #expect(!operation.restore(inputs(CKQuery.Archive(recordType: "Note", predicateFormat: "a =="), zone)))
    #expect(operation.query == nil)
    #expect(operation.zoneID == nil)
    #expect(operation.cursor == nil)
    #expect(operation.restore(inputs(good, zone)))
    #expect(operation.query?.recordType == "Note")
    #expect(operation.zoneID == testZoneID)
    #expect(operation.resultsLimit == 3)
    #expect(operation.cursor?.data == Data([1]))
    #expect(operation.desiredKeys == ["a"])
    #expect(operation.restore(inputs(nil, nil)))
    #expect(operation.query == nil)
    #expect(operation.zoneID == nil)
  }

  @Test("stored inputs of zone operations need valid zones, and the first of two settings for a zone is used")
  func storedInputsOfZoneOperationsNeedValid() {
    let fetch = CKFetchRecordZonesOperation()
    #expect(!fetch.restore(CKFetchRecordZonesOperation.Inputs(recordZoneIDs: [zone, badZone], fetchesAll: false)))
    #expect(fetch.recordZoneIDs == nil)
    #expect(fetch.restore(CKFetchRecordZonesOperation.Inputs(recordZoneIDs: [zone], fetchesAll: false)))
    #expect(fetch.recordZoneIDs == [testZoneID])

    let good = CKRecordZone(zoneID: testZoneID).archive
    var bad = good
    bad.encryptionScope = 2
    let modify = CKModifyRecordZonesOperation()
    typealias Modify = CKModifyRecordZonesOperation.Inputs
    #expect(!modify.restore(Modify(recordZonesToSave: [bad], recordZoneIDsToDelete: [zone])))
    #expect(!modify.restore(Modify(recordZonesToSave: [good], recordZoneIDsToDelete: [badZone])))
    #expect(modify.recordZonesToSave == nil)
    #expect(modify.recordZoneIDsToDelete == nil)
    #expect(modify.restore(Modify(recordZonesToSave: [good], recordZoneIDsToDelete: nil)))
    #expect(modify.recordZonesToSave?.map(\.zoneID) == [testZoneID])
    #expect(modify.recordZoneIDsToDelete == nil)

    typealias Changes = CKFetchRecordZoneChangesOperation.Inputs
    func settings(_ limit: Int, of zone: CKRecordZoneID.Archive) -> Changes.Configuration {
      let settings = CKFetchRecordZoneChangesOperation.ZoneConfiguration(resultsLimit: limit)
      return Changes.Configuration(zoneID: zone, settings: settings.archive)
    }
    let changes = CKFetchRecordZoneChangesOperation()
    #expect(!changes.restore(Changes(recordZoneIDs: [badZone], configurations: nil, fetchAllChanges: false)))
    #expect(
      !changes.restore(
        Changes(recordZoneIDs: [zone], configurations: [settings(1, of: badZone)], fetchAllChanges: false)))
    #expect(changes.recordZoneIDs == nil)
    #expect(changes.fetchAllChanges)
    let two = [settings(4, of: zone), settings(5, of: zone)]
    #expect(changes.restore(Changes(recordZoneIDs: [zone], configurations: two, fetchAllChanges: false)))
    #expect(changes.recordZoneIDs == [testZoneID])
    #expect(!changes.fetchAllChanges)
    #expect(changes.configurationsByRecordZoneID?.count == 1)
    #expect(changes.configurationsByRecordZoneID?[testZoneID]?.resultsLimit == 4)
  }

  @available(*, deprecated)
  @Test("stored inputs of the deprecated fetch of changes need a valid zone")
  func oldChanges() {
    typealias Inputs = CKFetchRecordChangesOperation.Inputs
    let settings = CKFetchRecordZoneChangesConfiguration(
      previousServerChangeToken: CKServerChangeToken(data: Data([1])), resultsLimit: 3, desiredKeys: ["a"]
    ).archive
    let operation = CKFetchRecordChangesOperation()
    #expect(!operation.restore(Inputs(recordZoneID: badZone, settings: settings)))
    #expect(operation.recordZoneID == nil)
    #expect(operation.resultsLimit == 0)
    #expect(operation.restore(Inputs(recordZoneID: zone, settings: settings)))
    #expect(operation.recordZoneID == testZoneID)
    #expect(operation.resultsLimit == 3)
    #expect(operation.desiredKeys == ["a"])
    #expect(operation.previousServerChangeToken?.data == Data([1]))
  }

  @Test("a stored operation has database, settings and group, and is refused with an unknown class, scope or input")
  func storedOperationHasDatabaseSettingsAndGroup() throws {
    let cloud = try TestCloud()
    let container = try cloud.container(of: "alice")
    let operation = CKFetchRecordsOperation(recordIDs: [note("n").recordID])
    operation.database = container.sharedCloudDatabase
    operation.configuration.timeoutIntervalForRequest = 7
    operation.group = CKOperationGroup()
    let object = try #require(try OperationArchive.object(of: operation))
    let again = try #require(
      OperationArchive.operation(from: object, id: "0123456789ABCDEF", in: container) as? CKFetchRecordsOperation)
    #expect(again.operationID == "0123456789ABCDEF")
    #expect(again.database === container.sharedCloudDatabase)
    #expect(again.configuration.timeoutIntervalForRequest == 7)
    #expect(again.configuration.isLongLived)
    #expect(again.configuration.container === container)
    #expect(again.group?.operationGroupID == operation.group?.operationGroupID)
    #expect(again.recordIDs == operation.recordIDs)
    let changes: [(String, JSONValue)] = [
      ("kind", "CKAcceptSharesOperation"), ("databaseScope", 0), ("databaseScope", 4), ("inputs", "x"),
      ("inputs", .object([:])), ("configuration", 1),
    ]
    for (key, value) in changes {
      var damaged = object
      damaged[key] = value
      #expect(OperationArchive.operation(from: damaged, id: "0123456789ABCDEF", in: container) == nil, "\(key)")
    }
    #expect(try OperationArchive.object(of: CKAcceptSharesOperation()) == nil)
  }

  @Test("a stored outcome needs valid events, and its failure must be a CKError")
  func storedOutcomeNeedsValidEvents() throws {
    let done = try OperationOutcome(events: [.zoneChanged(testZoneID)], result: .success(())).object
    let again = try #require(OperationOutcome(done))
    #expect(again.events.count == 1)
    #expect(again.result.value != nil)
    let failed = try OperationOutcome(events: [], result: .failure(CKError(.zoneBusy))).object
    #expect(OperationOutcome(failed)?.result.code == .zoneBusy)
    let foreign = try OperationOutcome(events: [], result: .failure(NSError(domain: "other", code: 1))).object
    #expect(OperationOutcome(foreign) == nil)
    var damaged = done
    damaged["events"] = .array([.object(["kind": "zoneChanged"])])
    #expect(OperationOutcome(damaged) == nil)
    #expect(OperationOutcome([:]) == nil)
  }
}

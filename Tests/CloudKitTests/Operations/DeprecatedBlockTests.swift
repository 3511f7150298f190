import CloudKit
import Foundation
import Testing

@Suite("Deprecated blocks of operations can be read and removed")
struct DeprecatedBlockTests {
  private let calls = Collector<String>()

  @available(*, deprecated)
  @Test("deprecated blocks of operations on records and queries")
  func deprecatedBlocksOfOperationsOnRecords() {
    let calls = calls
    let fetch = CKFetchRecordsOperation()
    fetch.perRecordCompletionBlock = { _, _, _ in calls.append("a") }
    fetch.fetchRecordsCompletionBlock = { _, _ in calls.append("b") }
    fetch.perRecordCompletionBlock?(nil, nil, nil)
    fetch.fetchRecordsCompletionBlock?(nil, nil)
    fetch.perRecordCompletionBlock = nil
    fetch.fetchRecordsCompletionBlock = nil
    #expect(fetch.perRecordCompletionBlock == nil)
    #expect(fetch.fetchRecordsCompletionBlock == nil)
    let modify = CKModifyRecordsOperation()
    modify.perRecordCompletionBlock = { _, _ in calls.append("c") }
    modify.modifyRecordsCompletionBlock = { _, _, _ in calls.append("d") }
    modify.perRecordCompletionBlock?(note("n"), nil)
    modify.modifyRecordsCompletionBlock?(nil, nil, nil)
    modify.perRecordCompletionBlock = nil
    modify.modifyRecordsCompletionBlock = nil
    #expect(modify.perRecordCompletionBlock == nil)
    #expect(modify.modifyRecordsCompletionBlock == nil)
    let query = CKQueryOperation()
    query.recordFetchedBlock = { _ in calls.append("e") }
    query.queryCompletionBlock = { _, _ in calls.append("f") }
    query.recordFetchedBlock?(note("n"))
    query.queryCompletionBlock?(nil, nil)
    query.recordFetchedBlock = nil
    query.queryCompletionBlock = nil
    #expect(query.recordFetchedBlock == nil)
    #expect(query.queryCompletionBlock == nil)
    #expect(calls.values == ["a", "b", "c", "d", "e", "f"])
  }

  @available(*, deprecated)
  @Test("deprecated blocks of operations on zones, subscriptions and changes")
  func zonesAndChanges() {
    let calls = calls
    let zones = CKFetchRecordZonesOperation()
    zones.fetchRecordZonesCompletionBlock = { _, _ in calls.append("a") }
    zones.fetchRecordZonesCompletionBlock?(nil, nil)
    let modifyZones = CKModifyRecordZonesOperation()
    modifyZones.modifyRecordZonesCompletionBlock = { _, _, _ in calls.append("b") }
    modifyZones.modifyRecordZonesCompletionBlock?(nil, nil, nil)
    let subscriptions = CKFetchSubscriptionsOperation()
    subscriptions.fetchSubscriptionCompletionBlock = { _, _ in calls.append("c") }
    subscriptions.fetchSubscriptionCompletionBlock?(nil, nil)
    let modifySubscriptions = CKModifySubscriptionsOperation()
    modifySubscriptions.modifySubscriptionsCompletionBlock = { _, _, _ in calls.append("d") }
    modifySubscriptions.modifySubscriptionsCompletionBlock?(nil, nil, nil)
    let database = CKFetchDatabaseChangesOperation()
    database.fetchDatabaseChangesCompletionBlock = { _, _, _ in calls.append("e") }
    database.fetchDatabaseChangesCompletionBlock?(nil, false, nil)
    let changes = CKFetchRecordZoneChangesOperation()
    changes.recordChangedBlock = { _ in calls.append("f") }
    changes.recordZoneFetchCompletionBlock = { _, _, _, _, _ in calls.append("g") }
    changes.fetchRecordZoneChangesCompletionBlock = { _ in calls.append("h") }
    changes.recordChangedBlock?(note("n"))
    changes.recordZoneFetchCompletionBlock?(testZoneID, nil, nil, false, nil)
    changes.fetchRecordZoneChangesCompletionBlock?(nil)
    let settings = CKFetchRecordZoneChangesOperation.ZoneConfiguration()
    changes.optionsByRecordZoneID = [testZoneID: settings]
    #expect(changes.configurationsByRecordZoneID?[testZoneID] === settings)
    #expect(changes.optionsByRecordZoneID?.count == 1)
    #expect(calls.values == ["a", "b", "c", "d", "e", "f", "g", "h"])
  }

  @available(*, deprecated)
  @Test("deprecated blocks of operations on shares and accounts")
  func deprecatedBlocksOfOperationsOnShares() {
    let calls = calls
    let accept = CKAcceptSharesOperation()
    accept.acceptSharesCompletionBlock = { _ in calls.append("a") }
    accept.acceptSharesCompletionBlock?(nil)
    accept.perShareCompletionBlock = { _, _, _ in calls.append("never") }
    #expect(accept.perShareCompletionBlock != nil)
    let metadata = CKFetchShareMetadataOperation()
    metadata.perShareMetadataBlock = { _, _, _ in calls.append("b") }
    metadata.fetchShareMetadataCompletionBlock = { _ in calls.append("c") }
    metadata.perShareMetadataBlock?(URL(fileURLWithPath: "/a"), nil, nil)
    metadata.fetchShareMetadataCompletionBlock?(nil)
    let people = CKFetchShareParticipantsOperation()
    people.shareParticipantFetchedBlock = { _ in calls.append("d") }
    people.fetchShareParticipantsCompletionBlock = { _ in calls.append("e") }
    people.shareParticipantFetchedBlock?(participant("a@x.y"))
    people.fetchShareParticipantsCompletionBlock?(nil)
    let token = CKFetchWebAuthTokenOperation()
    token.fetchWebAuthTokenCompletionBlock = { _, _ in calls.append("f") }
    token.fetchWebAuthTokenCompletionBlock?(nil, nil)
    #expect(calls.values == ["a", "b", "c", "d", "e", "f"])
  }
}

import CloudKit
import Testing

/// Apple's blocks of operations are not Sendable: they may change captured variables.
@Suite("In Swift 6 mode, blocks of operations can change captured variables")
struct OperationBlockTests {
  @Test("CKDiscoverAllUserIdentitiesOperation")
  func ckDiscoverAllUserIdentitiesOperation() {
    var calls = 0
    let operation = CKDiscoverAllUserIdentitiesOperation()
    operation.userIdentityDiscoveredBlock = { _ in calls += 1 }
    operation.discoverAllUserIdentitiesResultBlock = { _ in calls += 1 }
    operation.discoverAllUserIdentitiesCompletionBlock = { _ in calls += 1 }
    #expect(operation.userIdentityDiscoveredBlock != nil)
    #expect(operation.discoverAllUserIdentitiesResultBlock != nil)
    #expect(operation.discoverAllUserIdentitiesCompletionBlock != nil)
    #expect(calls == 0)
  }

  @Test("CKDiscoverUserIdentitiesOperation")
  func ckDiscoverUserIdentitiesOperation() {
    var calls = 0
    let operation = CKDiscoverUserIdentitiesOperation()
    operation.userIdentityDiscoveredBlock = { _, _ in calls += 1 }
    operation.discoverUserIdentitiesResultBlock = { _ in calls += 1 }
    operation.discoverUserIdentitiesCompletionBlock = { _ in calls += 1 }
    #expect(operation.userIdentityDiscoveredBlock != nil)
    #expect(operation.discoverUserIdentitiesResultBlock != nil)
    #expect(operation.discoverUserIdentitiesCompletionBlock != nil)
    #expect(calls == 0)
  }

  @Test("CKAcceptSharesOperation")
  func ckAcceptSharesOperation() {
    var calls = 0
    let operation = CKAcceptSharesOperation()
    operation.perShareResultBlock = { _, _ in calls += 1 }
    operation.acceptSharesResultBlock = { _ in calls += 1 }
    operation.perShareCompletionBlock = { _, _, _ in calls += 1 }
    operation.acceptSharesCompletionBlock = { _ in calls += 1 }
    #expect(operation.perShareResultBlock != nil)
    #expect(operation.acceptSharesResultBlock != nil)
    #expect(operation.perShareCompletionBlock != nil)
    #expect(operation.acceptSharesCompletionBlock != nil)
    #expect(calls == 0)
  }

  @Test("CKFetchDatabaseChangesOperation")
  func ckFetchDatabaseChangesOperation() {
    var calls = 0
    let operation = CKFetchDatabaseChangesOperation()
    operation.recordZoneWithIDChangedBlock = { _ in calls += 1 }
    operation.recordZoneWithIDWasDeletedBlock = { _ in calls += 1 }
    operation.recordZoneWithIDWasPurgedBlock = { _ in calls += 1 }
    operation.recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock = { _ in calls += 1 }
    operation.changeTokenUpdatedBlock = { _ in calls += 1 }
    operation.fetchDatabaseChangesResultBlock = { _ in calls += 1 }
    operation.fetchDatabaseChangesCompletionBlock = { _, _, _ in calls += 1 }
    #expect(operation.recordZoneWithIDChangedBlock != nil)
    #expect(operation.recordZoneWithIDWasDeletedBlock != nil)
    #expect(operation.recordZoneWithIDWasPurgedBlock != nil)
    #expect(operation.recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock != nil)
    #expect(operation.changeTokenUpdatedBlock != nil)
    #expect(operation.fetchDatabaseChangesResultBlock != nil)
    #expect(operation.fetchDatabaseChangesCompletionBlock != nil)
    #expect(calls == 0)
  }

  @Test("CKFetchRecordChangesOperation")
  func ckFetchRecordChangesOperation() {
    var calls = 0
    let operation = CKFetchRecordChangesOperation()
    operation.recordChangedBlock = { _ in calls += 1 }
    operation.recordWithIDWasDeletedBlock = { _ in calls += 1 }
    operation.fetchRecordChangesCompletionBlock = { _, _, _ in calls += 1 }
    #expect(operation.recordChangedBlock != nil)
    #expect(operation.recordWithIDWasDeletedBlock != nil)
    #expect(operation.fetchRecordChangesCompletionBlock != nil)
    #expect(calls == 0)
  }

  @Test("CKFetchRecordZoneChangesOperation")
  func ckFetchRecordZoneChangesOperation() {
    var calls = 0
    let operation = CKFetchRecordZoneChangesOperation()
    operation.recordWasChangedBlock = { _, _ in calls += 1 }
    operation.recordWithIDWasDeletedBlock = { _, _ in calls += 1 }
    operation.recordZoneChangeTokensUpdatedBlock = { _, _, _ in calls += 1 }
    operation.recordZoneFetchResultBlock = { _, _ in calls += 1 }
    operation.fetchRecordZoneChangesResultBlock = { _ in calls += 1 }
    operation.recordChangedBlock = { _ in calls += 1 }
    operation.recordZoneFetchCompletionBlock = { _, _, _, _, _ in calls += 1 }
    operation.fetchRecordZoneChangesCompletionBlock = { _ in calls += 1 }
    #expect(operation.recordWasChangedBlock != nil)
    #expect(operation.recordWithIDWasDeletedBlock != nil)
    #expect(operation.recordZoneChangeTokensUpdatedBlock != nil)
    #expect(operation.recordZoneFetchResultBlock != nil)
    #expect(operation.fetchRecordZoneChangesResultBlock != nil)
    #expect(operation.recordChangedBlock != nil)
    #expect(operation.recordZoneFetchCompletionBlock != nil)
    #expect(operation.fetchRecordZoneChangesCompletionBlock != nil)
    #expect(calls == 0)
  }

  @Test("CKFetchRecordZonesOperation")
  func ckFetchRecordZonesOperation() {
    var calls = 0
    let operation = CKFetchRecordZonesOperation()
    operation.perRecordZoneResultBlock = { _, _ in calls += 1 }
    operation.fetchRecordZonesResultBlock = { _ in calls += 1 }
    operation.fetchRecordZonesCompletionBlock = { _, _ in calls += 1 }
    #expect(operation.perRecordZoneResultBlock != nil)
    #expect(operation.fetchRecordZonesResultBlock != nil)
    #expect(operation.fetchRecordZonesCompletionBlock != nil)
    #expect(calls == 0)
  }

  @Test("CKFetchRecordsOperation")
  func ckFetchRecordsOperation() {
    var calls = 0
    let operation = CKFetchRecordsOperation()
    operation.perRecordProgressBlock = { _, _ in calls += 1 }
    operation.perRecordResultBlock = { _, _ in calls += 1 }
    operation.fetchRecordsResultBlock = { _ in calls += 1 }
    operation.perRecordCompletionBlock = { _, _, _ in calls += 1 }
    operation.fetchRecordsCompletionBlock = { _, _ in calls += 1 }
    #expect(operation.perRecordProgressBlock != nil)
    #expect(operation.perRecordResultBlock != nil)
    #expect(operation.fetchRecordsResultBlock != nil)
    #expect(operation.perRecordCompletionBlock != nil)
    #expect(operation.fetchRecordsCompletionBlock != nil)
    #expect(calls == 0)
  }

  @Test("CKFetchShareMetadataOperation")
  func ckFetchShareMetadataOperation() {
    var calls = 0
    let operation = CKFetchShareMetadataOperation()
    operation.perShareMetadataResultBlock = { _, _ in calls += 1 }
    operation.fetchShareMetadataResultBlock = { _ in calls += 1 }
    operation.perShareMetadataBlock = { _, _, _ in calls += 1 }
    operation.fetchShareMetadataCompletionBlock = { _ in calls += 1 }
    #expect(operation.perShareMetadataResultBlock != nil)
    #expect(operation.fetchShareMetadataResultBlock != nil)
    #expect(operation.perShareMetadataBlock != nil)
    #expect(operation.fetchShareMetadataCompletionBlock != nil)
    #expect(calls == 0)
  }

  @Test("CKFetchShareParticipantsOperation")
  func ckFetchShareParticipantsOperation() {
    var calls = 0
    let operation = CKFetchShareParticipantsOperation()
    operation.perShareParticipantResultBlock = { _, _ in calls += 1 }
    operation.fetchShareParticipantsResultBlock = { _ in calls += 1 }
    operation.shareParticipantFetchedBlock = { _ in calls += 1 }
    operation.fetchShareParticipantsCompletionBlock = { _ in calls += 1 }
    #expect(operation.perShareParticipantResultBlock != nil)
    #expect(operation.fetchShareParticipantsResultBlock != nil)
    #expect(operation.shareParticipantFetchedBlock != nil)
    #expect(operation.fetchShareParticipantsCompletionBlock != nil)
    #expect(calls == 0)
  }

  @Test("CKFetchSubscriptionsOperation")
  func ckFetchSubscriptionsOperation() {
    var calls = 0
    let operation = CKFetchSubscriptionsOperation()
    operation.perSubscriptionResultBlock = { _, _ in calls += 1 }
    operation.fetchSubscriptionsResultBlock = { _ in calls += 1 }
    operation.fetchSubscriptionCompletionBlock = { _, _ in calls += 1 }
    #expect(operation.perSubscriptionResultBlock != nil)
    #expect(operation.fetchSubscriptionsResultBlock != nil)
    #expect(operation.fetchSubscriptionCompletionBlock != nil)
    #expect(calls == 0)
  }

  @Test("CKFetchWebAuthTokenOperation")
  func ckFetchWebAuthTokenOperation() {
    var calls = 0
    let operation = CKFetchWebAuthTokenOperation()
    operation.fetchWebAuthTokenResultBlock = { _ in calls += 1 }
    operation.fetchWebAuthTokenCompletionBlock = { _, _ in calls += 1 }
    #expect(operation.fetchWebAuthTokenResultBlock != nil)
    #expect(operation.fetchWebAuthTokenCompletionBlock != nil)
    #expect(calls == 0)
  }

  @Test("CKModifyRecordZonesOperation")
  func ckModifyRecordZonesOperation() {
    var calls = 0
    let operation = CKModifyRecordZonesOperation()
    operation.perRecordZoneSaveBlock = { _, _ in calls += 1 }
    operation.perRecordZoneDeleteBlock = { _, _ in calls += 1 }
    operation.modifyRecordZonesResultBlock = { _ in calls += 1 }
    operation.modifyRecordZonesCompletionBlock = { _, _, _ in calls += 1 }
    #expect(operation.perRecordZoneSaveBlock != nil)
    #expect(operation.perRecordZoneDeleteBlock != nil)
    #expect(operation.modifyRecordZonesResultBlock != nil)
    #expect(operation.modifyRecordZonesCompletionBlock != nil)
    #expect(calls == 0)
  }

  @Test("CKModifyRecordsOperation")
  func ckModifyRecordsOperation() {
    var calls = 0
    let operation = CKModifyRecordsOperation()
    operation.perRecordProgressBlock = { _, _ in calls += 1 }
    operation.perRecordSaveBlock = { _, _ in calls += 1 }
    operation.perRecordDeleteBlock = { _, _ in calls += 1 }
    operation.modifyRecordsResultBlock = { _ in calls += 1 }
    operation.perRecordCompletionBlock = { _, _ in calls += 1 }
    operation.modifyRecordsCompletionBlock = { _, _, _ in calls += 1 }
    #expect(operation.perRecordProgressBlock != nil)
    #expect(operation.perRecordSaveBlock != nil)
    #expect(operation.perRecordDeleteBlock != nil)
    #expect(operation.modifyRecordsResultBlock != nil)
    #expect(operation.perRecordCompletionBlock != nil)
    #expect(operation.modifyRecordsCompletionBlock != nil)
    #expect(calls == 0)
  }

  @Test("CKModifySubscriptionsOperation")
  func ckModifySubscriptionsOperation() {
    var calls = 0
    let operation = CKModifySubscriptionsOperation()
    operation.perSubscriptionSaveBlock = { _, _ in calls += 1 }
    operation.perSubscriptionDeleteBlock = { _, _ in calls += 1 }
    operation.modifySubscriptionsResultBlock = { _ in calls += 1 }
    operation.modifySubscriptionsCompletionBlock = { _, _, _ in calls += 1 }
    #expect(operation.perSubscriptionSaveBlock != nil)
    #expect(operation.perSubscriptionDeleteBlock != nil)
    #expect(operation.modifySubscriptionsResultBlock != nil)
    #expect(operation.modifySubscriptionsCompletionBlock != nil)
    #expect(calls == 0)
  }

  @Test("CKOperation")
  func ckOperation() {
    var calls = 0
    let operation = CKFetchRecordsOperation()
    operation.longLivedOperationWasPersistedBlock = { calls += 1 }
    #expect(operation.longLivedOperationWasPersistedBlock != nil)
    #expect(calls == 0)
  }

  @Test("CKQueryOperation")
  func ckQueryOperation() {
    var calls = 0
    let operation = CKQueryOperation()
    operation.recordMatchedBlock = { _, _ in calls += 1 }
    operation.queryResultBlock = { _ in calls += 1 }
    operation.recordFetchedBlock = { _ in calls += 1 }
    operation.queryCompletionBlock = { _, _ in calls += 1 }
    #expect(operation.recordMatchedBlock != nil)
    #expect(operation.queryResultBlock != nil)
    #expect(operation.recordFetchedBlock != nil)
    #expect(operation.queryCompletionBlock != nil)
    #expect(calls == 0)
  }

  @Test("CKShareRequestAccessOperation")
  func ckShareRequestAccessOperation() {
    var calls = 0
    let operation = CKShareRequestAccessOperation()
    operation.perShareAccessRequestResultBlock = { _, _ in calls += 1 }
    operation.shareAccessRequestResultBlock = { _ in calls += 1 }
    #expect(operation.perShareAccessRequestResultBlock != nil)
    #expect(operation.shareAccessRequestResultBlock != nil)
    #expect(calls == 0)
  }
}

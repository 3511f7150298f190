import CloudKit

// Like Apple's, these blocks are not Sendable: they may change captured variables.

func ckDiscoverAllUserIdentitiesOperation() -> Bool {
  var calls = 0
  let operation = CKDiscoverAllUserIdentitiesOperation()
  operation.userIdentityDiscoveredBlock = { _ in calls += 1 }
  operation.discoverAllUserIdentitiesResultBlock = { _ in calls += 1 }
  operation.discoverAllUserIdentitiesCompletionBlock = { _ in calls += 1 }
  return calls == 0
}

func ckDiscoverUserIdentitiesOperation() -> Bool {
  var calls = 0
  let operation = CKDiscoverUserIdentitiesOperation()
  operation.userIdentityDiscoveredBlock = { _, _ in calls += 1 }
  operation.discoverUserIdentitiesResultBlock = { _ in calls += 1 }
  operation.discoverUserIdentitiesCompletionBlock = { _ in calls += 1 }
  return calls == 0
}

func ckAcceptSharesOperation() -> Bool {
  var calls = 0
  let operation = CKAcceptSharesOperation()
  operation.perShareResultBlock = { _, _ in calls += 1 }
  operation.acceptSharesResultBlock = { _ in calls += 1 }
  operation.perShareCompletionBlock = { _, _, _ in calls += 1 }
  operation.acceptSharesCompletionBlock = { _ in calls += 1 }
  return calls == 0
}

func ckFetchDatabaseChangesOperation() -> Bool {
  var calls = 0
  let operation = CKFetchDatabaseChangesOperation()
  operation.recordZoneWithIDChangedBlock = { _ in calls += 1 }
  operation.recordZoneWithIDWasDeletedBlock = { _ in calls += 1 }
  operation.recordZoneWithIDWasPurgedBlock = { _ in calls += 1 }
  operation.recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock = { _ in calls += 1 }
  operation.changeTokenUpdatedBlock = { _ in calls += 1 }
  operation.fetchDatabaseChangesResultBlock = { _ in calls += 1 }
  operation.fetchDatabaseChangesCompletionBlock = { _, _, _ in calls += 1 }
  return calls == 0
}

func ckFetchRecordChangesOperation() -> Bool {
  var calls = 0
  let operation = CKFetchRecordChangesOperation()
  operation.recordChangedBlock = { _ in calls += 1 }
  operation.recordWithIDWasDeletedBlock = { _ in calls += 1 }
  operation.fetchRecordChangesCompletionBlock = { _, _, _ in calls += 1 }
  return calls == 0
}

func ckFetchRecordZoneChangesOperation() -> Bool {
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
  return calls == 0
}

func ckFetchRecordZonesOperation() -> Bool {
  var calls = 0
  let operation = CKFetchRecordZonesOperation()
  operation.perRecordZoneResultBlock = { _, _ in calls += 1 }
  operation.fetchRecordZonesResultBlock = { _ in calls += 1 }
  operation.fetchRecordZonesCompletionBlock = { _, _ in calls += 1 }
  return calls == 0
}

func ckFetchRecordsOperation() -> Bool {
  var calls = 0
  let operation = CKFetchRecordsOperation()
  operation.perRecordProgressBlock = { _, _ in calls += 1 }
  operation.perRecordResultBlock = { _, _ in calls += 1 }
  operation.fetchRecordsResultBlock = { _ in calls += 1 }
  operation.perRecordCompletionBlock = { _, _, _ in calls += 1 }
  operation.fetchRecordsCompletionBlock = { _, _ in calls += 1 }
  return calls == 0
}

func ckFetchShareMetadataOperation() -> Bool {
  var calls = 0
  let operation = CKFetchShareMetadataOperation()
  operation.perShareMetadataResultBlock = { _, _ in calls += 1 }
  operation.fetchShareMetadataResultBlock = { _ in calls += 1 }
  operation.perShareMetadataBlock = { _, _, _ in calls += 1 }
  operation.fetchShareMetadataCompletionBlock = { _ in calls += 1 }
  return calls == 0
}

func ckFetchShareParticipantsOperation() -> Bool {
  var calls = 0
  let operation = CKFetchShareParticipantsOperation()
  operation.perShareParticipantResultBlock = { _, _ in calls += 1 }
  operation.fetchShareParticipantsResultBlock = { _ in calls += 1 }
  operation.shareParticipantFetchedBlock = { _ in calls += 1 }
  operation.fetchShareParticipantsCompletionBlock = { _ in calls += 1 }
  return calls == 0
}

func ckFetchSubscriptionsOperation() -> Bool {
  var calls = 0
  let operation = CKFetchSubscriptionsOperation()
  operation.perSubscriptionResultBlock = { _, _ in calls += 1 }
  operation.fetchSubscriptionsResultBlock = { _ in calls += 1 }
  operation.fetchSubscriptionCompletionBlock = { _, _ in calls += 1 }
  return calls == 0
}

func ckFetchWebAuthTokenOperation() -> Bool {
  var calls = 0
  let operation = CKFetchWebAuthTokenOperation()
  operation.fetchWebAuthTokenResultBlock = { _ in calls += 1 }
  operation.fetchWebAuthTokenCompletionBlock = { _, _ in calls += 1 }
  return calls == 0
}

func ckModifyRecordZonesOperation() -> Bool {
  var calls = 0
  let operation = CKModifyRecordZonesOperation()
  operation.perRecordZoneSaveBlock = { _, _ in calls += 1 }
  operation.perRecordZoneDeleteBlock = { _, _ in calls += 1 }
  operation.modifyRecordZonesResultBlock = { _ in calls += 1 }
  operation.modifyRecordZonesCompletionBlock = { _, _, _ in calls += 1 }
  return calls == 0
}

func ckModifyRecordsOperation() -> Bool {
  var calls = 0
  let operation = CKModifyRecordsOperation()
  operation.perRecordProgressBlock = { _, _ in calls += 1 }
  operation.perRecordSaveBlock = { _, _ in calls += 1 }
  operation.perRecordDeleteBlock = { _, _ in calls += 1 }
  operation.modifyRecordsResultBlock = { _ in calls += 1 }
  operation.perRecordCompletionBlock = { _, _ in calls += 1 }
  operation.modifyRecordsCompletionBlock = { _, _, _ in calls += 1 }
  return calls == 0
}

func ckModifySubscriptionsOperation() -> Bool {
  var calls = 0
  let operation = CKModifySubscriptionsOperation()
  operation.perSubscriptionSaveBlock = { _, _ in calls += 1 }
  operation.perSubscriptionDeleteBlock = { _, _ in calls += 1 }
  operation.modifySubscriptionsResultBlock = { _ in calls += 1 }
  operation.modifySubscriptionsCompletionBlock = { _, _, _ in calls += 1 }
  return calls == 0
}

func ckOperation() -> Bool {
  var calls = 0
  let operation = CKFetchRecordsOperation()
  operation.longLivedOperationWasPersistedBlock = { calls += 1 }
  return calls == 0
}

func ckQueryOperation() -> Bool {
  var calls = 0
  let operation = CKQueryOperation()
  operation.recordMatchedBlock = { _, _ in calls += 1 }
  operation.queryResultBlock = { _ in calls += 1 }
  operation.recordFetchedBlock = { _ in calls += 1 }
  operation.queryCompletionBlock = { _, _ in calls += 1 }
  return calls == 0
}

func ckShareRequestAccessOperation() -> Bool {
  var calls = 0
  let operation = CKShareRequestAccessOperation()
  operation.perShareAccessRequestResultBlock = { _, _ in calls += 1 }
  operation.shareAccessRequestResultBlock = { _ in calls += 1 }
  return calls == 0
}

/// Whether each operation accepts blocks that change a variable, and calls none of them before it runs.
func blocksChangeVariables() -> Bool {
  [
    ckDiscoverAllUserIdentitiesOperation(), ckDiscoverUserIdentitiesOperation(), ckAcceptSharesOperation(),
    ckFetchDatabaseChangesOperation(), ckFetchRecordChangesOperation(), ckFetchRecordZoneChangesOperation(),
    ckFetchRecordZonesOperation(), ckFetchRecordsOperation(), ckFetchShareMetadataOperation(),
    ckFetchShareParticipantsOperation(), ckFetchSubscriptionsOperation(), ckFetchWebAuthTokenOperation(),
    ckModifyRecordZonesOperation(), ckModifyRecordsOperation(), ckModifySubscriptionsOperation(), ckOperation(),
    ckQueryOperation(), ckShareRequestAccessOperation(),
  ].allSatisfy { $0 }
}

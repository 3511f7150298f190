import CloudKit
import LocalCloudStorage
import Testing

/// Each property of an operation must be set before the operation starts. Setting it later raises an exception, as on
/// Apple's platforms.
@Suite("Properties of a running operation")
struct RunningOperationTests {
  private struct Property: Sendable {
    var name: String
    /// Sets the property to its value, in an operation that claims to be running.
    var set: @Sendable () -> Void
  }

  private static func of<Operation: CKOperation>(
    _ make: @escaping @Sendable () -> Operation, _ properties: [(String, @Sendable (Operation) -> Void)]
  ) -> [Property] {
    properties.map { name, set in Property(name: name) { set(make()) } }
  }

  private static func same<Object: AnyObject, Value>(
    _ path: ReferenceWritableKeyPath<Object, Value> & Sendable
  ) -> @Sendable (Object) -> Void {
    { $0[keyPath: path] = $0[keyPath: path] }
  }

  @available(*, deprecated)
  private static let all: [Property] = [
    of(
      { RunningAcceptShares() },
      [
        ("shareMetadatas", same(\CKAcceptSharesOperation.shareMetadatas)),
        ("perShareResultBlock", same(\CKAcceptSharesOperation.perShareResultBlock)),
        ("acceptSharesResultBlock", same(\CKAcceptSharesOperation.acceptSharesResultBlock)),
        ("perShareCompletionBlock", same(\CKAcceptSharesOperation.perShareCompletionBlock)),
        ("acceptSharesCompletionBlock", same(\CKAcceptSharesOperation.acceptSharesCompletionBlock)),
      ]),
    of(
      { RunningDiscoverAllUserIdentities() },
      [
        ("userIdentityDiscoveredBlock", same(\CKDiscoverAllUserIdentitiesOperation.userIdentityDiscoveredBlock)),
        (
          "discoverAllUserIdentitiesResultBlock",
          same(\CKDiscoverAllUserIdentitiesOperation.discoverAllUserIdentitiesResultBlock)
        ),
        (
          "discoverAllUserIdentitiesCompletionBlock",
          same(\CKDiscoverAllUserIdentitiesOperation.discoverAllUserIdentitiesCompletionBlock)
        ),
      ]),
    of(
      { RunningDiscoverUserIdentities() },
      [
        ("userIdentityLookupInfos", same(\CKDiscoverUserIdentitiesOperation.userIdentityLookupInfos)),
        ("userIdentityDiscoveredBlock", same(\CKDiscoverUserIdentitiesOperation.userIdentityDiscoveredBlock)),
        (
          "discoverUserIdentitiesResultBlock",
          same(\CKDiscoverUserIdentitiesOperation.discoverUserIdentitiesResultBlock)
        ),
        (
          "discoverUserIdentitiesCompletionBlock",
          same(\CKDiscoverUserIdentitiesOperation.discoverUserIdentitiesCompletionBlock)
        ),
      ]),
    of(
      { RunningFetchDatabaseChanges() },
      [
        ("previousServerChangeToken", same(\CKFetchDatabaseChangesOperation.previousServerChangeToken)),
        ("resultsLimit", same(\CKFetchDatabaseChangesOperation.resultsLimit)),
        ("fetchAllChanges", same(\CKFetchDatabaseChangesOperation.fetchAllChanges)),
        ("recordZoneWithIDChangedBlock", same(\CKFetchDatabaseChangesOperation.recordZoneWithIDChangedBlock)),
        ("recordZoneWithIDWasDeletedBlock", same(\CKFetchDatabaseChangesOperation.recordZoneWithIDWasDeletedBlock)),
        ("recordZoneWithIDWasPurgedBlock", same(\CKFetchDatabaseChangesOperation.recordZoneWithIDWasPurgedBlock)),
        (
          "recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock",
          same(\CKFetchDatabaseChangesOperation.recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock)
        ),
        ("changeTokenUpdatedBlock", same(\CKFetchDatabaseChangesOperation.changeTokenUpdatedBlock)),
        ("fetchDatabaseChangesResultBlock", same(\CKFetchDatabaseChangesOperation.fetchDatabaseChangesResultBlock)),
        (
          "fetchDatabaseChangesCompletionBlock",
          same(\CKFetchDatabaseChangesOperation.fetchDatabaseChangesCompletionBlock)
        ),
      ]),
    of(
      { RunningFetchRecordChanges() },
      [
        ("recordZoneID", same(\CKFetchRecordChangesOperation.recordZoneID)),
        ("previousServerChangeToken", same(\CKFetchRecordChangesOperation.previousServerChangeToken)),
        ("resultsLimit", same(\CKFetchRecordChangesOperation.resultsLimit)),
        ("desiredKeys", same(\CKFetchRecordChangesOperation.desiredKeys)),
        ("recordChangedBlock", same(\CKFetchRecordChangesOperation.recordChangedBlock)),
        ("recordWithIDWasDeletedBlock", same(\CKFetchRecordChangesOperation.recordWithIDWasDeletedBlock)),
        ("fetchRecordChangesCompletionBlock", same(\CKFetchRecordChangesOperation.fetchRecordChangesCompletionBlock)),
      ]),
    of(
      { RunningFetchRecordZoneChanges() },
      [
        ("recordZoneIDs", same(\CKFetchRecordZoneChangesOperation.recordZoneIDs)),
        ("configurationsByRecordZoneID", same(\CKFetchRecordZoneChangesOperation.configurationsByRecordZoneID)),
        ("fetchAllChanges", same(\CKFetchRecordZoneChangesOperation.fetchAllChanges)),
        ("recordWasChangedBlock", same(\CKFetchRecordZoneChangesOperation.recordWasChangedBlock)),
        ("recordWithIDWasDeletedBlock", same(\CKFetchRecordZoneChangesOperation.recordWithIDWasDeletedBlock)),
        (
          "recordZoneChangeTokensUpdatedBlock",
          same(\CKFetchRecordZoneChangesOperation.recordZoneChangeTokensUpdatedBlock)
        ),
        (
          "fetchRecordZoneChangesResultBlock",
          same(\CKFetchRecordZoneChangesOperation.fetchRecordZoneChangesResultBlock)
        ),
        ("recordChangedBlock", same(\CKFetchRecordZoneChangesOperation.recordChangedBlock)),
        (
          "fetchRecordZoneChangesCompletionBlock",
          same(\CKFetchRecordZoneChangesOperation.fetchRecordZoneChangesCompletionBlock)
        ),
        ("recordZoneFetchResultBlock", same(\CKFetchRecordZoneChangesOperation.recordZoneFetchResultBlock)),
        ("recordZoneFetchCompletionBlock", same(\CKFetchRecordZoneChangesOperation.recordZoneFetchCompletionBlock)),
      ]),
    of(
      { RunningFetchRecordZones() },
      [
        ("recordZoneIDs", same(\CKFetchRecordZonesOperation.recordZoneIDs)),
        ("perRecordZoneResultBlock", same(\CKFetchRecordZonesOperation.perRecordZoneResultBlock)),
        ("fetchRecordZonesResultBlock", same(\CKFetchRecordZonesOperation.fetchRecordZonesResultBlock)),
        ("fetchRecordZonesCompletionBlock", same(\CKFetchRecordZonesOperation.fetchRecordZonesCompletionBlock)),
      ]),
    of(
      { RunningFetchRecords() },
      [
        ("recordIDs", same(\CKFetchRecordsOperation.recordIDs)),
        ("desiredKeys", same(\CKFetchRecordsOperation.desiredKeys)),
        ("perRecordProgressBlock", same(\CKFetchRecordsOperation.perRecordProgressBlock)),
        ("perRecordResultBlock", same(\CKFetchRecordsOperation.perRecordResultBlock)),
        ("fetchRecordsResultBlock", same(\CKFetchRecordsOperation.fetchRecordsResultBlock)),
        ("perRecordCompletionBlock", same(\CKFetchRecordsOperation.perRecordCompletionBlock)),
        ("fetchRecordsCompletionBlock", same(\CKFetchRecordsOperation.fetchRecordsCompletionBlock)),
      ]),
    of(
      { RunningFetchShareMetadata() },
      [
        ("shareURLs", same(\CKFetchShareMetadataOperation.shareURLs)),
        ("shouldFetchRootRecord", same(\CKFetchShareMetadataOperation.shouldFetchRootRecord)),
        ("rootRecordDesiredKeys", same(\CKFetchShareMetadataOperation.rootRecordDesiredKeys)),
        ("perShareMetadataResultBlock", same(\CKFetchShareMetadataOperation.perShareMetadataResultBlock)),
        ("fetchShareMetadataResultBlock", same(\CKFetchShareMetadataOperation.fetchShareMetadataResultBlock)),
        ("perShareMetadataBlock", same(\CKFetchShareMetadataOperation.perShareMetadataBlock)),
        ("fetchShareMetadataCompletionBlock", same(\CKFetchShareMetadataOperation.fetchShareMetadataCompletionBlock)),
      ]),
    of(
      { RunningFetchShareParticipants() },
      [
        ("userIdentityLookupInfos", same(\CKFetchShareParticipantsOperation.userIdentityLookupInfos)),
        ("perShareParticipantResultBlock", same(\CKFetchShareParticipantsOperation.perShareParticipantResultBlock)),
        (
          "fetchShareParticipantsResultBlock",
          same(\CKFetchShareParticipantsOperation.fetchShareParticipantsResultBlock)
        ),
        ("shareParticipantFetchedBlock", same(\CKFetchShareParticipantsOperation.shareParticipantFetchedBlock)),
        (
          "fetchShareParticipantsCompletionBlock",
          same(\CKFetchShareParticipantsOperation.fetchShareParticipantsCompletionBlock)
        ),
      ]),
    of(
      { RunningFetchSubscriptions() },
      [
        ("subscriptionIDs", same(\CKFetchSubscriptionsOperation.subscriptionIDs)),
        ("perSubscriptionResultBlock", same(\CKFetchSubscriptionsOperation.perSubscriptionResultBlock)),
        ("fetchSubscriptionsResultBlock", same(\CKFetchSubscriptionsOperation.fetchSubscriptionsResultBlock)),
        ("fetchSubscriptionCompletionBlock", same(\CKFetchSubscriptionsOperation.fetchSubscriptionCompletionBlock)),
      ]),
    of(
      { RunningFetchWebAuthToken() },
      [
        ("apiToken", same(\CKFetchWebAuthTokenOperation.apiToken)),
        ("fetchWebAuthTokenResultBlock", same(\CKFetchWebAuthTokenOperation.fetchWebAuthTokenResultBlock)),
        ("fetchWebAuthTokenCompletionBlock", same(\CKFetchWebAuthTokenOperation.fetchWebAuthTokenCompletionBlock)),
      ]),
    of(
      { RunningModifyRecordZones() },
      [
        ("recordZonesToSave", same(\CKModifyRecordZonesOperation.recordZonesToSave)),
        ("recordZoneIDsToDelete", same(\CKModifyRecordZonesOperation.recordZoneIDsToDelete)),
        ("perRecordZoneSaveBlock", same(\CKModifyRecordZonesOperation.perRecordZoneSaveBlock)),
        ("perRecordZoneDeleteBlock", same(\CKModifyRecordZonesOperation.perRecordZoneDeleteBlock)),
        ("modifyRecordZonesResultBlock", same(\CKModifyRecordZonesOperation.modifyRecordZonesResultBlock)),
        ("modifyRecordZonesCompletionBlock", same(\CKModifyRecordZonesOperation.modifyRecordZonesCompletionBlock)),
      ]),
    of(
      { RunningModifyRecords() },
      [
        ("recordsToSave", same(\CKModifyRecordsOperation.recordsToSave)),
        ("recordIDsToDelete", same(\CKModifyRecordsOperation.recordIDsToDelete)),
        ("savePolicy", same(\CKModifyRecordsOperation.savePolicy)),
        ("isAtomic", same(\CKModifyRecordsOperation.isAtomic)),
        ("clientChangeTokenData", same(\CKModifyRecordsOperation.clientChangeTokenData)),
        ("perRecordProgressBlock", same(\CKModifyRecordsOperation.perRecordProgressBlock)),
        ("perRecordSaveBlock", same(\CKModifyRecordsOperation.perRecordSaveBlock)),
        ("perRecordDeleteBlock", same(\CKModifyRecordsOperation.perRecordDeleteBlock)),
        ("modifyRecordsResultBlock", same(\CKModifyRecordsOperation.modifyRecordsResultBlock)),
        ("perRecordCompletionBlock", same(\CKModifyRecordsOperation.perRecordCompletionBlock)),
        ("modifyRecordsCompletionBlock", same(\CKModifyRecordsOperation.modifyRecordsCompletionBlock)),
      ]),
    of(
      { RunningModifySubscriptions() },
      [
        ("subscriptionsToSave", same(\CKModifySubscriptionsOperation.subscriptionsToSave)),
        ("subscriptionIDsToDelete", same(\CKModifySubscriptionsOperation.subscriptionIDsToDelete)),
        ("perSubscriptionSaveBlock", same(\CKModifySubscriptionsOperation.perSubscriptionSaveBlock)),
        ("perSubscriptionDeleteBlock", same(\CKModifySubscriptionsOperation.perSubscriptionDeleteBlock)),
        ("modifySubscriptionsResultBlock", same(\CKModifySubscriptionsOperation.modifySubscriptionsResultBlock)),
        (
          "modifySubscriptionsCompletionBlock", same(\CKModifySubscriptionsOperation.modifySubscriptionsCompletionBlock)
        ),
      ]),
    of(
      { RunningQuery() },
      [
        ("query", same(\CKQueryOperation.query)),
        ("cursor", same(\CKQueryOperation.cursor)),
        ("zoneID", same(\CKQueryOperation.zoneID)),
        ("resultsLimit", same(\CKQueryOperation.resultsLimit)),
        ("desiredKeys", same(\CKQueryOperation.desiredKeys)),
        ("recordMatchedBlock", same(\CKQueryOperation.recordMatchedBlock)),
        ("queryResultBlock", same(\CKQueryOperation.queryResultBlock)),
        ("recordFetchedBlock", same(\CKQueryOperation.recordFetchedBlock)),
        ("queryCompletionBlock", same(\CKQueryOperation.queryCompletionBlock)),
        ("database", same(\CKQueryOperation.database)),
        ("group", same(\CKQueryOperation.group)),
        ("configuration", same(\CKQueryOperation.configuration)),
        ("longLivedOperationWasPersistedBlock", same(\CKQueryOperation.longLivedOperationWasPersistedBlock)),
      ]),
    of(
      { RunningShareRequestAccess() },
      [
        ("shareURLs", same(\CKShareRequestAccessOperation.shareURLs)),
        ("perShareAccessRequestResultBlock", same(\CKShareRequestAccessOperation.perShareAccessRequestResultBlock)),
        ("shareAccessRequestResultBlock", same(\CKShareRequestAccessOperation.shareAccessRequestResultBlock)),
      ]),
  ].flatMap { $0 }

  @available(*, deprecated)
  @Test("setting any property of a running operation raises an exception")
  func set() async {
    for (index, property) in Self.all.enumerated() {
      await expectException(
        "\(property.name) can't be set while the operation runs: …",
        #expect(processExitsWith: .failure, observing: saying) { [index = index as Int] in Self.all[index].set() })
    }
  }
}

@available(*, deprecated)
private final class RunningAcceptShares: CKAcceptSharesOperation, @unchecked Sendable {
  override var isExecuting: Bool { true }
}
@available(*, deprecated)
private final class RunningDiscoverAllUserIdentities: CKDiscoverAllUserIdentitiesOperation, @unchecked Sendable {
  override var isExecuting: Bool { true }
}
@available(*, deprecated)
private final class RunningDiscoverUserIdentities: CKDiscoverUserIdentitiesOperation, @unchecked Sendable {
  override var isExecuting: Bool { true }
}
@available(*, deprecated)
private final class RunningFetchDatabaseChanges: CKFetchDatabaseChangesOperation, @unchecked Sendable {
  override var isExecuting: Bool { true }
}
@available(*, deprecated)
private final class RunningFetchRecordChanges: CKFetchRecordChangesOperation, @unchecked Sendable {
  override var isExecuting: Bool { true }
}
@available(*, deprecated)
private final class RunningFetchRecordZoneChanges: CKFetchRecordZoneChangesOperation, @unchecked Sendable {
  override var isExecuting: Bool { true }
}
@available(*, deprecated)
private final class RunningFetchRecordZones: CKFetchRecordZonesOperation, @unchecked Sendable {
  override var isExecuting: Bool { true }
}
@available(*, deprecated)
private final class RunningFetchRecords: CKFetchRecordsOperation, @unchecked Sendable {
  override var isExecuting: Bool { true }
}
@available(*, deprecated)
private final class RunningFetchShareMetadata: CKFetchShareMetadataOperation, @unchecked Sendable {
  override var isExecuting: Bool { true }
}
@available(*, deprecated)
private final class RunningFetchShareParticipants: CKFetchShareParticipantsOperation, @unchecked Sendable {
  override var isExecuting: Bool { true }
}
@available(*, deprecated)
private final class RunningFetchSubscriptions: CKFetchSubscriptionsOperation, @unchecked Sendable {
  override var isExecuting: Bool { true }
}
@available(*, deprecated)
private final class RunningFetchWebAuthToken: CKFetchWebAuthTokenOperation, @unchecked Sendable {
  override var isExecuting: Bool { true }
}
@available(*, deprecated)
private final class RunningModifyRecordZones: CKModifyRecordZonesOperation, @unchecked Sendable {
  override var isExecuting: Bool { true }
}
@available(*, deprecated)
private final class RunningModifyRecords: CKModifyRecordsOperation, @unchecked Sendable {
  override var isExecuting: Bool { true }
}
@available(*, deprecated)
private final class RunningModifySubscriptions: CKModifySubscriptionsOperation, @unchecked Sendable {
  override var isExecuting: Bool { true }
}
@available(*, deprecated)
private final class RunningQuery: CKQueryOperation, @unchecked Sendable {
  override var isExecuting: Bool { true }
}
@available(*, deprecated)
private final class RunningShareRequestAccess: CKShareRequestAccessOperation, @unchecked Sendable {
  override var isExecuting: Bool { true }
}

// The numbers behind the cases of Objective-C's classes. No function takes or returns them; the Swift types of the sync
// engine have cases of their own.

/// The numbers of the kinds of account changes; see ``CKSyncEngine/Event/AccountChange/ChangeType``.
///
/// - Assumption: other numbers are no case, for this and the five other enumerations.
public enum CKSyncEngineAccountChangeType: Int, Sendable {
  /// The user signed in.
  case signIn = 0

  /// The user signed out.
  case signOut = 1

  /// Another user is signed in.
  case switchAccounts = 2
}

/// The numbers of the kinds of events; see ``CKSyncEngine/Event``.
public enum CKSyncEngineEventType: Int, Sendable {
  /// The state is to be stored.
  case stateUpdate = 0

  /// The user signed in or out.
  case accountChange = 1

  /// Zones were fetched.
  case fetchedDatabaseChanges = 2

  /// Records were fetched.
  case fetchedRecordZoneChanges = 3

  /// Zones were sent.
  case sentDatabaseChanges = 4

  /// Records were sent.
  case sentRecordZoneChanges = 5

  /// A fetch begins.
  case willFetchChanges = 6

  /// The fetch of a zone begins.
  case willFetchRecordZoneChanges = 7

  /// The fetch of a zone ended.
  case didFetchRecordZoneChanges = 8

  /// A fetch ended.
  case didFetchChanges = 9

  /// A send begins.
  case willSendChanges = 10

  /// A send ended.
  case didSendChanges = 11
}

/// The numbers of the kinds of pending record changes; see ``CKSyncEngine/PendingRecordZoneChange``.
public enum CKSyncEnginePendingRecordZoneChangeType: Int, Sendable {
  /// The record is to be saved.
  case saveRecord = 0

  /// The record is to be deleted.
  case deleteRecord = 1
}

/// The numbers of the kinds of pending zone changes; see ``CKSyncEngine/PendingDatabaseChange``.
public enum CKSyncEnginePendingDatabaseChangeType: Int, Sendable {
  /// The zone is to be saved.
  case saveZone = 0

  /// The zone is to be deleted.
  case deleteZone = 1
}

/// The numbers of the reasons to sync; see ``CKSyncEngine/SyncReason``.
public enum CKSyncEngineSyncReason: Int, Sendable {
  /// The engine scheduled it.
  case scheduled = 0

  /// The app called a function.
  case manual = 1
}

/// The numbers of the reasons for a zone's deletion; see ``CKDatabase/DatabaseChange/Deletion/Reason``.
public enum CKSyncEngineZoneDeletionReason: Int, Sendable {
  /// An app deleted the zone.
  case deleted = 0

  /// The user deleted the app's data.
  case purged = 1

  /// The user's encryption keys were reset.
  case encryptedDataReset = 2
}

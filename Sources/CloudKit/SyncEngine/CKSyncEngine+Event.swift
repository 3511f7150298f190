import Foundation

extension CKSyncEngine {
  /// An event that a sync engine reports to its delegate.
  public enum Event: Sendable {
    /// The state changed and is to be stored.
    case stateUpdate(CKSyncEngine.Event.StateUpdate)

    /// The user signed in or out.
    case accountChange(CKSyncEngine.Event.AccountChange)

    /// Changed and deleted zones were fetched.
    case fetchedDatabaseChanges(CKSyncEngine.Event.FetchedDatabaseChanges)

    /// Changed and deleted records were fetched.
    case fetchedRecordZoneChanges(CKSyncEngine.Event.FetchedRecordZoneChanges)

    /// Zones were saved or deleted on the server, or failed to be.
    case sentDatabaseChanges(CKSyncEngine.Event.SentDatabaseChanges)

    /// Records were saved or deleted on the server, or failed to be.
    case sentRecordZoneChanges(CKSyncEngine.Event.SentRecordZoneChanges)

    /// A fetch begins.
    case willFetchChanges(CKSyncEngine.Event.WillFetchChanges)

    /// The fetch of a zone begins.
    case willFetchRecordZoneChanges(CKSyncEngine.Event.WillFetchRecordZoneChanges)

    /// The fetch of a zone ended.
    case didFetchRecordZoneChanges(CKSyncEngine.Event.DidFetchRecordZoneChanges)

    /// A fetch ended.
    case didFetchChanges(CKSyncEngine.Event.DidFetchChanges)

    /// A send begins.
    case willSendChanges(CKSyncEngine.Event.WillSendChanges)

    /// A send ended.
    case didSendChanges(CKSyncEngine.Event.DidSendChanges)
  }
}

extension CKSyncEngine.Event {
  /// The state changed. The app stores it together with the changes that were fetched before, and passes it to the next
  /// engine.
  public struct StateUpdate: Sendable {
    /// The state.
    public let stateSerialization: CKSyncEngine.State.Serialization
  }

  /// The user signed in or out since the last known state. The engine's state is empty by then.
  ///
  /// - Assumption: the change cancels the pass under way.
  public struct AccountChange: Sendable {
    /// The kind of an account change, with the users' record IDs.
    ///
    /// - Assumption: the IDs are those that `CKContainer` returns for the users.
    public enum ChangeType: Equatable, Sendable {
      /// The user signed in. The first engine of an app reports it, too, if there is an account.
      case signIn(currentUser: CKRecord.ID)

      /// The user signed out. The app deletes the user's local data.
      case signOut(previousUser: CKRecord.ID)

      /// Another user is signed in. The app deletes the local data of the previous one.
      case switchAccounts(previousUser: CKRecord.ID, currentUser: CKRecord.ID)
    }

    /// The kind of the change.
    public let changeType: CKSyncEngine.Event.AccountChange.ChangeType
  }

  /// A page of the database's changes. Their order is not promised.
  public struct FetchedDatabaseChanges: Sendable {
    /// The zones that are new or have changes.
    public let modifications: [CKDatabase.DatabaseChange.Modification]

    /// The deleted zones.
    ///
    /// - Assumption: a participant that loses access to a zone sees its deletion with the reason `deleted`.
    public let deletions: [CKDatabase.DatabaseChange.Deletion]
  }

  /// A page of a zone's changes. Their order is not promised.
  ///
  /// - Assumption: the modifications and deletions of a page are one event, and an event has the changes of one zone.
  ///   The records have all fields, and the files of their assets.
  public struct FetchedRecordZoneChanges: Sendable {
    /// The new and changed records, including those that this engine saved.
    public let modifications: [CKDatabase.RecordZoneChange.Modification]

    /// The deleted records.
    public let deletions: [CKDatabase.RecordZoneChange.Deletion]
  }

  /// A fetch begins. One ``DidFetchChanges`` follows.
  public struct WillFetchChanges: Sendable {
    /// The reason and the options.
    public let context: CKSyncEngine.FetchChangesContext
  }

  /// The fetch of a zone begins. One ``DidFetchRecordZoneChanges`` follows.
  public struct WillFetchRecordZoneChanges: Sendable {
    /// The ID of the zone.
    public let zoneID: CKRecordZone.ID
  }

  /// The fetch of a zone ended.
  public struct DidFetchRecordZoneChanges: Sendable {
    /// The ID of the zone.
    public let zoneID: CKRecordZone.ID

    /// The error of the zone; nil after success.
    ///
    /// - Assumption: an expired change token is no error: the engine fetches the zone from the beginning.
    public let error: CKError?
  }

  /// A fetch ended.
  public struct DidFetchChanges: Sendable {
    /// The reason and the options.
    public let context: CKSyncEngine.FetchChangesContext
  }

  /// A send begins. One ``DidSendChanges`` follows.
  public struct WillSendChanges: Sendable {
    /// The reason and the options.
    public let context: CKSyncEngine.SendChangesContext
  }

  /// A send ended.
  public struct DidSendChanges: Sendable {
    /// The reason and the options.
    public let context: CKSyncEngine.SendChangesContext
  }
}

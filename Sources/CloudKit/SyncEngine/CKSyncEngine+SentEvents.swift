extension CKSyncEngine.Event {
  /// A batch of zones was sent.
  public struct SentDatabaseChanges: Sendable {
    /// A zone that was not saved.
    public struct FailedZoneSave: Sendable {
      /// The zone of the pending change.
      public let zone: CKRecordZone

      /// The reason.
      public let error: CKError
    }

    /// The saved zones.
    ///
    /// - Assumption: they are as the server returned them, with its capabilities.
    public let savedZones: [CKRecordZone]

    /// The zones that were not saved. After a transient failure the change stays pending.
    public let failedZoneSaves: [CKSyncEngine.Event.SentDatabaseChanges.FailedZoneSave]

    /// The IDs of the deleted zones.
    ///
    /// - Assumption: a zone that does not exist counts as deleted.
    public let deletedZoneIDs: [CKRecordZone.ID]

    /// The zones that were not deleted, with the reasons. After a transient failure the change stays pending.
    public let failedZoneDeletes: [CKRecordZone.ID: CKError]
  }

  /// A batch of records was sent.
  ///
  /// The app stores the system fields of the saved records, and drops those of the deleted ones. A change that failed
  /// is no longer pending unless the engine retries it: after `serverRecordChanged`, for example, the app merges the
  /// server's record and adds the change again.
  ///
  /// - Assumption: the failed change has left the pending ones when the event is reported.
  public struct SentRecordZoneChanges: Sendable {
    /// A record that was not saved.
    public struct FailedRecordSave: Sendable {
      /// The record of the batch.
      public let record: CKRecord

      /// The reason.
      public let error: CKError
    }

    /// The saved records, with new change tags and dates.
    public let savedRecords: [CKRecord]

    /// The records that were not saved. After a transient failure the change stays pending.
    public let failedRecordSaves: [CKSyncEngine.Event.SentRecordZoneChanges.FailedRecordSave]

    /// The IDs of the deleted records.
    ///
    /// - Assumption: a record that does not exist counts as deleted.
    public let deletedRecordIDs: [CKRecord.ID]

    /// The records that were not deleted, with the reasons. After a transient failure the change stays pending.
    public let failedRecordDeletes: [CKRecord.ID: CKError]
  }
}

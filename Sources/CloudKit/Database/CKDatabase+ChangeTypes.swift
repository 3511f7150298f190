import Foundation

extension CKDatabase {
  /// The kinds of changes in a zone.
  public enum RecordZoneChange {
    /// A record that was created or changed.
    public struct Modification: Hashable, Sendable {
      /// The record, in its latest state.
      public let record: CKRecord
    }

    /// A record that was deleted.
    public struct Deletion: Hashable, Sendable {
      /// The ID of the record.
      public let recordID: CKRecord.ID

      /// The type of the record.
      public let recordType: CKRecord.RecordType
    }
  }

  /// The kinds of changes in a database.
  public enum DatabaseChange {
    /// A zone that was created or changed, or has changed records.
    public struct Modification: Hashable, Sendable {
      /// The ID of the zone.
      public let zoneID: CKRecordZone.ID
    }

    /// A zone that was deleted, or that is no longer shared with the current user.
    public struct Deletion: Hashable, Sendable {
      /// The reason for a deletion.
      public enum Reason: Hashable, Sendable {
        /// An app deleted the zone, or the zone is no longer shared with the current user.
        case deleted

        /// The user deleted the app's data in Settings. The app should not upload them again.
        case purged

        /// The user's encryption keys were reset. The app may create the zone again and upload its local data.
        case encryptedDataReset
      }

      /// The ID of the zone.
      public let zoneID: CKRecordZone.ID

      /// The reason for the deletion.
      public let reason: CKDatabase.DatabaseChange.Deletion.Reason

      /// Whether the user deleted the app's data.
      @available(*, deprecated, message: "Use reason")
      public var purged: Bool { reason == .purged }
    }
  }
}

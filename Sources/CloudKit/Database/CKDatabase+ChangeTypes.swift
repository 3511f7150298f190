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
    /// A zone that was made or changed, or in which something changed.
    public struct Modification: Hashable, Sendable {
      /// The ID of the zone.
      public let zoneID: CKRecordZone.ID
    }

    /// A zone that is gone.
    public struct Deletion: Hashable, Sendable {
      /// Why a zone is gone.
      public enum Reason: Hashable, Sendable {
        /// An app deleted it, or it is not shared any more.
        case deleted

        /// The user deleted the app's data in Settings; they should not be uploaded again.
        case purged

        /// The user's keys were reset; the app may make the zone again and upload what it has.
        case encryptedDataReset
      }

      /// The ID of the zone.
      public let zoneID: CKRecordZone.ID

      /// Why the zone is gone.
      public let reason: CKDatabase.DatabaseChange.Deletion.Reason

      /// Whether the user deleted the app's data.
      @available(*, deprecated, message: "Use reason")
      public var purged: Bool { reason == .purged }
    }
  }
}

// Names of Apple's API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

extension CKRecord {
  /// The types of records that CloudKit makes itself.
  public enum SystemType {
    /// A user: `Users`.
    public static let userRecord: CKRecord.RecordType = "Users"

    /// A share: `cloudkit.share`.
    public static let share: CKRecord.RecordType = "cloudkit.share"
  }

  /// The names of system fields in predicates and sort descriptors.
  ///
  /// - Assumption: the names are those of the schema language; Apple documents only the constants.
  public enum SystemFieldKey {
    /// The parent of the record in its hierarchy.
    public static let parent: CKRecord.FieldKey = "___parent"

    /// The share that has the record as its root.
    public static let share: CKRecord.FieldKey = "___share"

    /// The identity of the record.
    public static let recordID: CKRecord.FieldKey = "___recordID"

    /// When the record was first saved.
    public static let creationDate: CKRecord.FieldKey = "___createTime"

    /// The creator: the user of the record's first save.
    public static let creatorUserRecordID: CKRecord.FieldKey = "___createdBy"

    /// When the record was last saved.
    public static let modificationDate: CKRecord.FieldKey = "___modTime"

    /// The user of the record's last save.
    public static let lastModifiedUserRecordID: CKRecord.FieldKey = "___modifiedBy"
  }
}

/// The type of user records; the same as `CKRecord.SystemType.userRecord`.
public let CKRecordTypeUserRecord: String = CKRecord.SystemType.userRecord

/// The type of shares; the same as `CKRecord.SystemType.share`.
public let CKRecordTypeShare: String = CKRecord.SystemType.share

/// The record name of every zone-wide share.
public let CKRecordNameZoneWideShare: String = "cloudkit.zoneshare"

/// The same as `CKRecord.SystemFieldKey.parent`.
public let CKRecordParentKey: String = CKRecord.SystemFieldKey.parent

/// The same as `CKRecord.SystemFieldKey.share`.
public let CKRecordShareKey: String = CKRecord.SystemFieldKey.share

import Foundation

/// A push of a query subscription: a record was created, updated or deleted.
// Sendable: as CKNotification; every stored property is a constant of a Sendable type.
open class CKQueryNotification: CKNotification, @unchecked Sendable {
  /// The kind of change to a record.
  public enum Reason: Int, Sendable {
    /// The record was created.
    case recordCreated = 1

    /// The record was updated.
    case recordUpdated = 2

    /// The record was deleted.
    case recordDeleted = 3
  }

  private let what: PushContent

  override init(_ content: PushContent) {
    what = content
    super.init(content)
  }

  /// The kind of change to the record.
  open var queryNotificationReason: CKQueryNotification.Reason { what.reason }

  /// The values of the fields that the subscription requested, by key; nil for a deleted record.
  open var recordFields: [String: Any]? { what.fields?.mapValues(\.notified) }

  /// The ID of the record.
  open var recordID: CKRecord.ID? { what.recordID }

  /// The database of the record.
  open var databaseScope: CKDatabase.Scope { what.scope }
}

extension ClientValue {
  /// The value as notifications hold it: numbers are `NSNumber`, because it casts to every number type.
  fileprivate var notified: Any {
    switch self {
    case .int64(let number): NSNumber(value: number)
    case .double(let number): NSNumber(value: number)
    default: swiftValue
    }
  }
}

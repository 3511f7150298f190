import Foundation

/// A push of a query subscription: a record came, changed or went.
// Sendable: as CKNotification; every stored property is a constant of a Sendable type.
open class CKQueryNotification: CKNotification, @unchecked Sendable {
  /// What happened to the record.
  public enum Reason: Int, Sendable {
    /// It is new.
    case recordCreated = 1

    /// It has changed.
    case recordUpdated = 2

    /// It is gone.
    case recordDeleted = 3
  }

  private let what: PushContent

  override init(_ content: PushContent) {
    what = content
    super.init(content)
  }

  /// What happened to the record.
  open var queryNotificationReason: CKQueryNotification.Reason { what.reason }

  /// Values of the fields that the subscription asked for, by their keys; nil for a record that is gone.
  open var recordFields: [String: Any]? { what.fields?.mapValues(\.notified) }

  /// The record.
  open var recordID: CKRecord.ID? { what.recordID }

  /// The database of the record.
  open var databaseScope: CKDatabase.Scope { what.scope }
}

extension ClientValue {
  /// Numbers as `NSNumber`, which casts to every number type.
  fileprivate var notified: Any {
    switch self {
    case .int64(let number): NSNumber(value: number)
    case .double(let number): NSNumber(value: number)
    default: swiftValue
    }
  }
}

import Foundation

/// A push of a zone subscription: something in the zone changed.
// Sendable: as CKNotification; every stored property is a constant of a Sendable type.
open class CKRecordZoneNotification: CKNotification, @unchecked Sendable {
  private let what: PushContent

  override init(_ content: PushContent) {
    what = content
    super.init(content)
  }

  /// The ID of the zone that changed.
  open var recordZoneID: CKRecordZone.ID? { what.zoneID }

  /// The database of the zone.
  open var databaseScope: CKDatabase.Scope { what.scope }
}

import Foundation

extension CKSyncEngine {
  /// A record to be saved or deleted on the server.
  public enum PendingRecordZoneChange: Hashable, Sendable {
    /// The record is to be saved. The engine asks for its content when it is sent.
    case saveRecord(CKRecord.ID)

    /// The record is to be deleted.
    case deleteRecord(CKRecord.ID)
  }

  /// A zone to be saved or deleted on the server.
  ///
  /// - Assumption: saves are compared by the IDs of their zones, as two zones are equal only if they are one object.
  public enum PendingDatabaseChange: Sendable {
    /// The zone is to be saved.
    case saveZone(CKRecordZone)

    /// The zone is to be deleted.
    case deleteZone(CKRecordZone.ID)
  }
}

extension CKSyncEngine.PendingRecordZoneChange: PendingChange, CustomStringConvertible {
  /// The record's ID.
  var itemID: CKRecord.ID {
    switch self {
    case .saveRecord(let recordID), .deleteRecord(let recordID): recordID
    }
  }

  /// The case and the record's ID.
  public var description: String {
    switch self {
    case .saveRecord(let recordID): "saveRecord(\(recordID.text))"
    case .deleteRecord(let recordID): "deleteRecord(\(recordID.text))"
    }
  }
}

extension CKSyncEngine.PendingDatabaseChange: PendingChange, Hashable, CustomStringConvertible {
  var isSave: Bool {
    if case .saveZone = self { true } else { false }
  }

  /// The zone's ID.
  var itemID: CKRecordZone.ID {
    switch self {
    case .saveZone(let zone): zone.zoneID
    case .deleteZone(let zoneID): zoneID
    }
  }

  /// True for changes of the same kind with the same zone ID.
  public static func == (
    lhs: CKSyncEngine.PendingDatabaseChange, rhs: CKSyncEngine.PendingDatabaseChange
  ) -> Bool {
    lhs.isSave == rhs.isSave && lhs.itemID == rhs.itemID
  }

  /// Hashes the kind and the zone ID.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(isSave)
    hasher.combine(itemID)
  }

  /// The case and the zone's ID.
  public var description: String {
    isSave ? "saveZone(\(itemID.text))" : "deleteZone(\(itemID.text))"
  }
}

import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Converts between the service's types and CloudKit's classes, from the point of view of one account.
///
/// The service identifies every user by user record name. CloudKit names the current user `__defaultOwner__`. Names
/// that come from the tree pass initialisers that can fail, so a damaged tree never stops the process.
package struct Translator: Sendable {
  /// The current user's record name; nil if there is no account.
  let ownName: String?

  package init(ownName: String?) { self.ownName = ownName }

  // MARK: Names

  func userName(_ name: String) -> String {
    name == ownName ? CKCurrentUserDefaultName : name
  }

  func serviceUserName(_ name: String) -> String {
    name == CKCurrentUserDefaultName ? ownName ?? name : name
  }

  /// The ID of a user's record. The current user's record has the name `CKCurrentUserDefaultName`.
  func userRecordID(_ name: String) -> CKRecordID? {
    CKRecordID(validating: userName(name), zoneID: .default)
  }

  // MARK: Zones

  func zoneID(_ zone: ZoneIdentifier) throws(ServiceError) -> CKRecordZoneID {
    let owner = userName(zone.owner ?? CKCurrentUserDefaultName)
    guard let zoneID = CKRecordZoneID(validating: zone.name.string, ownerName: owner) else {
      throw .badName("zone", zone.name)
    }
    return zoneID
  }

  func identifier(_ zoneID: CKRecordZoneID) -> ZoneIdentifier {
    ZoneIdentifier(name: ExactName(zoneID.zoneName), owner: zoneID.ownerName)
  }

  func zone(_ zone: Zone) throws(ServiceError) -> CKRecordZone {
    let zoneID = try zoneID(zone.id)
    let share = zone.share.flatMap { CKRecordID(validating: $0.string, zoneID: zoneID) }
    return CKRecordZone(
      zoneID: zoneID, capabilities: CKRecordZone.Capabilities(rawValue: zone.capabilities),
      share: share.map { CKReference(recordID: $0, action: .none) },
      encryptionScope: zone.encryptionScope == .perZone ? .perZone : .perRecord)
  }

  // MARK: Records' identities

  func recordID(_ record: RecordIdentifier) throws(ServiceError) -> CKRecordID {
    try recordID(record.name, in: zoneID(record.zone))
  }

  func recordID(_ name: ExactName, in zoneID: CKRecordZoneID) throws(ServiceError) -> CKRecordID {
    guard let recordID = CKRecordID(validating: name.string, zoneID: zoneID) else { throw .badName("record", name) }
    return recordID
  }

  func identifier(_ recordID: CKRecordID) -> RecordIdentifier {
    RecordIdentifier(name: ExactName(recordID.recordName), zone: identifier(recordID.zoneID))
  }
}

extension ServiceError {
  fileprivate static func badName(_ what: String, _ name: ExactName) -> ServiceError {
    ServiceError(
      .internalError, "The tree holds a \(what) with an impossible name: '\(name)'.", cause: .damage,
      hint: "`localcloud check` lists all that is wrong; `localcloud repair` makes the rest usable again.")
  }
}

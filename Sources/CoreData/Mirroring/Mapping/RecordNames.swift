#if os(Linux)
  import CloudKit
#else
  import LocalCloudKit
#endif

/// The names that mirrored records have in the cloud, as Apple documents them ([mirror-1], [mirror-2]).
enum RecordNames {
  static let prefix = "CD_"
  static let entityName = "CD_entityName"
  /// What tells where a record was before it moved to another zone ([mirror-14]).
  static let moveReceipt = "CD_moveReceipt"
  static let assetSuffix = "_ckAsset"

  /// The record of a pair of objects that a relationship of many to many links ([mirror-8]).
  static let linkType = "CDMR"
  static let linkEntities = "CD_entityNames"
  static let linkRecords = "CD_recordNames"
  static let linkRelationships = "CD_relationships"

  /// The zone of what is not shared.
  static let privateZone = "com.apple.coredata.cloudkit.zone"
  /// The beginning of the name of each zone that is shared; a UUID follows.
  static let shareZonePrefix = "com.apple.coredata.cloudkit.share."

  /// Whether the mirroring keeps its records in zones of that name. Zones that a program makes itself are not mirrored.
  static func isMirrored(zone name: String) -> Bool { name == privateZone || name.hasPrefix(shareZonePrefix) }
}

/// A zone, as the documents of the store name it.
struct ZoneHome: Hashable, Sendable, Comparable {
  var zone: String
  var owner: String

  init(zone: String, owner: String = CKCurrentUserDefaultName) { (self.zone, self.owner) = (zone, owner) }

  init(_ zoneID: CKRecordZone.ID) { self.init(zone: zoneID.zoneName, owner: zoneID.ownerName) }

  static let `private` = ZoneHome(zone: RecordNames.privateZone)

  var zoneID: CKRecordZone.ID { CKRecordZone.ID(zoneName: zone, ownerName: owner) }
  /// By which a table finds what belongs to the zone.
  var key: String { "\(owner)|\(zone)" }
  /// Whether the zone is one that is, or was, shared.
  var isOfShare: Bool { zone.hasPrefix(RecordNames.shareZonePrefix) }

  static func < (left: ZoneHome, right: ZoneHome) -> Bool { left.key < right.key }
}

/// Where a record is in the cloud.
struct RecordHome: Hashable, Sendable {
  var zone: ZoneHome
  var name: String

  init(_ zone: ZoneHome, _ name: String) { (self.zone, self.name) = (zone, name) }

  init(_ recordID: CKRecord.ID) { self.init(ZoneHome(recordID.zoneID), recordID.recordName) }

  var recordID: CKRecord.ID { CKRecord.ID(recordName: name, zoneID: zone.zoneID) }
  /// By which a table finds the record: at most 767 bytes, as names have 255.
  var key: String { "\(zone.key)|\(name)" }
}

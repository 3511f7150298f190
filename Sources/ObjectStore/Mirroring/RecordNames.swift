/// The names that mirrored records have in the cloud, as Apple documents them ([mirror-1], [mirror-2]).
package enum RecordNames {
  package static let prefix = "CD_"
  package static let entityName = "CD_entityName"
  /// The field with the record's addresses before it moved to another zone ([mirror-14]).
  package static let moveReceipt = "CD_moveReceipt"
  package static let assetSuffix = "_ckAsset"

  /// The record of a pair of objects that a many-to-many relationship links ([mirror-8]).
  package static let linkType = "CDMR"
  package static let linkEntities = "CD_entityNames"
  package static let linkRecords = "CD_recordNames"
  package static let linkRelationships = "CD_relationships"

  /// The zone of objects that are not shared.
  package static let privateZone = "com.apple.coredata.cloudkit.zone"
  /// The beginning of the name of each zone that is shared; a UUID follows.
  package static let shareZonePrefix = "com.apple.coredata.cloudkit.share."

  /// Whether the mirroring keeps its records in zones of that name. Zones that a program makes itself are not mirrored.
  package static func isMirrored(zone name: String) -> Bool { name == privateZone || name.hasPrefix(shareZonePrefix) }
}

/// A zone, as the documents of the store name it.
package struct ZoneLocation: Hashable, Sendable, Comparable {
  package var zone: String
  package var owner: String

  package init(zone: String, owner: String = Self.ownOwner) { (self.zone, self.owner) = (zone, owner) }

  /// The owner of a program's own zones: CloudKit's name for the user who is signed in.
  package static let ownOwner = "__defaultOwner__"

  package static let `private` = ZoneLocation(zone: RecordNames.privateZone)
  /// The default zone, the only one of the public database.
  package static let `public` = ZoneLocation(zone: "_defaultZone")

  /// The prefix of the table keys of the zone's records.
  package var key: String { "\(owner)|\(zone)" }
  /// Whether the zone is one that is, or was, shared.
  package var isOfShare: Bool { zone.hasPrefix(RecordNames.shareZonePrefix) }

  package static func < (left: ZoneLocation, right: ZoneLocation) -> Bool { left.key < right.key }
}

/// Where a record is in the cloud.
package struct RecordLocation: Hashable, Sendable {
  package var zone: ZoneLocation
  package var name: String

  package init(_ zone: ZoneLocation, _ name: String) { (self.zone, self.name) = (zone, name) }

  /// The record's key in a table: at most 767 bytes, because names have at most 255.
  package var key: String { "\(zone.key)|\(name)" }

  /// Reads a ``key`` of a record in a mirrored zone. The owner and the name of a mirrored zone have no bar.
  package init?(key: String) {
    let parts = key.split(separator: "|", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3 else { return nil }
    self.init(ZoneLocation(zone: parts[1], owner: parts[0]), parts[2])
  }
}

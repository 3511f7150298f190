import Foundation
import LocalCloudCloudKitImport
import LocalCloudObjectStore
import LocalCloudStorage

// CloudKit's types for the names and values in the mirroring's tables.

extension ZoneLocation {
  init(_ zoneID: CKRecordZone.ID) { self.init(zone: zoneID.zoneName, owner: zoneID.ownerName) }

  /// The zone as the store names it. `account`: the store's account; its own zones have no owner's name.
  init(_ zoneID: CKRecordZone.ID, ofAccount account: MirroredAccount?) {
    let isOwn = account?.user == zoneID.ownerName
    self.init(zone: zoneID.zoneName, owner: isOwn ? Self.ownOwner : zoneID.ownerName)
  }

  var zoneID: CKRecordZone.ID { CKRecordZone.ID(zoneName: zone, ownerName: owner) }
}

extension RecordLocation {
  init(_ recordID: CKRecord.ID) { self.init(ZoneLocation(recordID.zoneID), recordID.recordName) }

  var recordID: CKRecord.ID { CKRecord.ID(recordName: name, zoneID: zone.zoneID) }
}

extension RecordEntry {
  /// The last known copy of the record.
  var record: CKRecord? { archive.flatMap { RecordArchive.object(CKRecord.self, from: $0) } }
}

extension ZoneEntry {
  var shareRecord: CKShare? { share.flatMap { RecordArchive.object(CKShare.self, from: $0) } }
}

extension MoveReceipt {
  init(bytes: [UInt8]) { self.init((try? JSONValue(parsing: bytes)) ?? .null) }

  var bytes: [UInt8] { value.compact() }
}

extension LinkRecord {
  /// Nil if the record is not that of a pair.
  package init?(_ record: CKRecord) {
    func parts(_ key: String) -> [String]? {
      guard let text = record.string(of: key) else { return nil }
      let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      return parts.count == 2 ? parts : nil
    }
    guard record.recordType == RecordNames.linkType, let entities = parts(RecordNames.linkEntities),
      let records = parts(RecordNames.linkRecords), let relationships = parts(RecordNames.linkRelationships)
    else { return nil }
    self.init(
      location: RecordLocation(record.recordID),
      first: End(entity: entities[0], relationship: relationships[0], record: records[0]),
      second: End(entity: entities[1], relationship: relationships[1], record: records[1]))
  }

  package func apply(to record: CKRecord) {
    record.setObject(NSString(string: "\(first.entity):\(second.entity)"), forKey: RecordNames.linkEntities)
    record.setObject(NSString(string: "\(first.record):\(second.record)"), forKey: RecordNames.linkRecords)
    let relationships = "\(first.relationship):\(second.relationship)"
    record.setObject(NSString(string: relationships), forKey: RecordNames.linkRelationships)
  }
}

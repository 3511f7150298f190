import Foundation
import LocalCloudCloudKitImport
import LocalCloudObjectStore

/// One record of each type that a model's objects and pairs may have, with a value in every field ([mirror-19]).
struct RepresentativeRecords {
  private let mapping: RecordMapping
  private let zoneID: CKRecordZone.ID

  init(_ mapping: RecordMapping, in zoneID: CKRecordZone.ID) { (self.mapping, self.zoneID) = (mapping, zoneID) }

  /// The records, ordered by type. `asset`: creates a file with the bytes.
  func make(asset: ([UInt8]) throws -> CKAsset) rethrows -> [CKRecord] {
    let types = Dictionary(grouping: mapping.entities, by: \.recordType).sorted { $0.key < $1.key }
    var records = try types.map { try record($0, $1, asset) }
    if mapping.entities.contains(where: { !$0.linked.isEmpty }) { records.append(link()) }
    return records
  }

  /// Entities that inherit share the record type of the topmost entity, with the fields of all.
  private func record(
    _ type: String, _ entities: [RecordMapping.Entity], _ asset: ([UInt8]) throws -> CKAsset
  ) rethrows -> CKRecord {
    let record = new(type)
    record.setObject(NSString(string: entities[0].name), forKey: RecordNames.entityName)
    record.setObject(NSData(data: Data([0])), forKey: RecordNames.moveReceipt)
    record.setObject(try asset([0]), forKey: RecordNames.moveReceipt + RecordNames.assetSuffix)
    for entity in entities {
      for attribute in entity.attributes {
        let value = Self.value(of: attribute.type)
        if attribute.isEncrypted {
          record.encryptedValues.setObject(value.fieldObject, forKey: attribute.key)
        } else {
          record.setObject(value.fieldObject, forKey: attribute.key)
        }
        if let key = attribute.assetKey { record.setObject(try asset([0]), forKey: key) }
      }
      for toOne in entity.toOnes { record.setObject(NSString(string: record.recordID.recordName), forKey: toOne.key) }
    }
    return record
  }

  private func link() -> CKRecord {
    let record = new(RecordNames.linkType)
    for key in [RecordNames.linkEntities, RecordNames.linkRecords, RecordNames.linkRelationships] {
      record.setObject(NSString(string: "one:other"), forKey: key)
    }
    return record
  }

  private func new(_ type: String) -> CKRecord {
    CKRecord(recordType: type, recordID: CKRecord.ID(recordName: UUID().uuidString, zoneID: zoneID))
  }

  private static func value(of type: StoreSchema.AttributeType) -> StoredValue {
    switch type {
    case .integer16, .integer32, .integer64, .boolean: .integer(1)
    case .double, .float, .decimal: .double(0.5)
    case .string, .uuid, .uri: .string("value")
    case .date: .date(0)
    case .binary, .transformable: .binary([0])
    }
  }
}

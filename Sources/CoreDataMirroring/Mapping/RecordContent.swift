import Foundation
import LocalCloudCloudKitImport
import LocalCloudObjectStore

/// The content of an object's record: all of its fields, and for each long value whether it is in an asset.
struct RecordContent: Sendable {
  struct Field: Sendable {
    /// The property; nil for a field that the mirroring adds.
    var property: String?
    /// As ``StoredValue/field(bytes:)`` returns it.
    var value: StoredValue?
    var isEncrypted = false
    var assetKey: String?
    var isInAsset = false
  }

  /// The greatest weight of a record without its assets, in bytes. CloudKit allows 1 MB, keys included; the difference
  /// is room for the overhead of encryption and names.
  static let limit = 900_000

  private(set) var fields: [String: Field] = [:]

  /// - Parameters:
  ///   - name: returns the record name of the target of a to-one relationship; nil if the target has no record.
  ///   - bytes: reads a value that is in a file of the store.
  init(
    _ row: StoredRow, _ entity: RecordMapping.Entity, receipt: MoveReceipt = MoveReceipt(),
    name: (RowID) throws -> String?, bytes: (ExternalBinary) throws -> [UInt8]
  ) rethrows {
    fields[RecordNames.entityName] = Field(value: .string(entity.name))
    if !receipt.locations.isEmpty {
      fields[RecordNames.moveReceipt] = Field(
        value: .binary(receipt.bytes), assetKey: RecordNames.moveReceipt + RecordNames.assetSuffix)
    }
    for attribute in entity.attributes {
      fields[attribute.key] = Field(
        property: attribute.name, value: try row.attributes[attribute.index].field(bytes: bytes),
        isEncrypted: attribute.isEncrypted, assetKey: attribute.assetKey)
    }
    for toOne in entity.toOnes {
      let target = try row.toOnes[toOne.index].flatMap(name)
      fields[toOne.key] = Field(property: toOne.name, value: target.map(StoredValue.string))
    }
    moveToAssets()
  }

  func knows(_ key: String) -> Bool {
    if fields[key] != nil || key == RecordNames.moveReceipt { return true }
    guard key.hasSuffix(RecordNames.assetSuffix) else { return false }
    let plain = String(key.dropLast(RecordNames.assetSuffix.count))
    return plain == RecordNames.moveReceipt || fields[plain]?.assetKey == key
  }

  /// Moves the longest values to assets until the record is below the limit ([mirror-5]).
  ///
  /// - Assumption: a record's values move to assets, the longest first, until the record weighs less than 900,000
  ///   bytes. Apple says that values do that are too large for the record, and gives no number.
  /// - Difference: a value of an encrypted attribute that moves to an asset is not encrypted there: assets are not
  ///   encrypted here, while iCloud encrypts all of them.
  private mutating func moveToAssets() {
    var size = fields.reduce(0) { $0 + $1.key.utf8.count + ($1.value.value?.fieldSize ?? 0) + 32 }
    guard size > Self.limit else { return }
    let candidates = fields.filter { $0.value.assetKey != nil && $0.value.value?.isEmptyField == false }
      .map { (key: $0.key, size: $0.value.value?.fieldSize ?? 0) }
      .sorted { ($1.size, $0.key) < ($0.size, $1.key) }
    for candidate in candidates where size > Self.limit {
      fields[candidate.key]?.isInAsset = true
      size -= candidate.size
    }
  }

  /// Sets the fields of the record that differ from the content.
  ///
  /// - Parameters:
  ///   - properties: the properties to compare; nil for all.
  ///   - asset: creates a file with a value's bytes.
  /// - Returns: the weight in bytes of the fields that were set; nil if none differs.
  func apply(
    to record: CKRecord, properties: Set<String>? = nil, asset: ([UInt8]) throws -> CKAsset
  ) rethrows -> Int? {
    var weight: Int?
    for (key, field) in fields.sorted(by: { $0.key < $1.key }) {
      let isLookedAt = field.property.map { properties?.contains($0) ?? true } ?? true
      // Other values may cause a value to move to its asset or back, though it did not change itself.
      let isElsewhere = field.assetKey.map { (record.object(forKey: $0) != nil) != field.isInAsset } ?? false
      guard isLookedAt || (isElsewhere && field.value != nil && record.recordChangeTag != nil) else { continue }
      let value = field.isInAsset ? nil : field.value
      if Self.value(key, of: record, field.isEncrypted) != value {
        if field.isEncrypted {
          record.encryptedValues.setObject(value?.fieldObject, forKey: key)
        } else {
          record.setObject(value?.fieldObject, forKey: key)
        }
        weight = (weight ?? 0) + key.utf8.count + (value?.fieldSize ?? 0) + 64
      }
      guard let assetKey = field.assetKey else { continue }
      if field.isInAsset, let bytes = field.value?.assetBytes {
        record.setObject(try asset(bytes), forKey: assetKey)
        weight = (weight ?? 0) + 256
      } else if record.object(forKey: assetKey) != nil {
        record.setObject(nil, forKey: assetKey)
        weight = weight ?? 64
      }
    }
    return weight
  }

  static func value(_ key: String, of record: CKRecord, _ isEncrypted: Bool) -> StoredValue? {
    StoredValue(field: isEncrypted ? record.encryptedValues.object(forKey: key) : record.object(forKey: key))
  }
}

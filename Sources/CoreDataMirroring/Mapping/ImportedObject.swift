import Foundation
import LocalCloudCloudKitImport
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage

/// The object that a record of the cloud describes, parsed before the transaction: no file is read while the store is
/// locked.
struct ImportedObject: Sendable {
  var location: RecordLocation
  var tag: String?
  /// The record as text for the store, set by ``MirroredStore/imported(_:)``.
  var archive = ""
  var entity: Int
  /// In the order of the entity's attributes; nil for derived ones.
  var attributes: [StoredValue?]
  /// The indexes of the attributes that have a value in the record.
  var present: Set<Int> = []
  /// The names of the target records of to-one relationships, in the order of the entity's list.
  var toOnes: [String?]
  /// The moves of the record that the import accepts ([mirror-42]).
  var receipt = MoveReceipt()
  /// Moves that the import accepts once the cloud has no record at the former address.
  var unconfirmed = MoveReceipt()
  /// Whether the record names former addresses that the import does not accept.
  var isReceiptIgnored = false
  /// The user record name of the record's creator, in the public database.
  var creator: String?

  /// Nil if the model has no entity for the record. Throws if an asset can't be read.
  init?(_ record: CKRecord, _ mapping: RecordMapping) throws {
    guard let entity = mapping.entity(of: record) else { return nil }
    self.entity = entity
    location = RecordLocation(record.recordID)
    tag = record.recordChangeTag
    attributes = Array(repeating: nil, count: mapping.schema.entities[entity].attributes.count)
    for attribute in mapping.entities[entity].attributes {
      let field = try Self.value(
        attribute.key, attribute.assetKey, of: record, isText: attribute.type == .string, attribute.isEncrypted)
      if let field {
        // A field of another type has no value: so all devices have the same value, whether they knew the record before
        // or not.
        attributes[attribute.index] = field.value(of: attribute.type) ?? attribute.defaultValue ?? .null
        present.insert(attribute.index)
      } else {
        attributes[attribute.index] = attribute.defaultValue ?? .null
      }
    }
    toOnes = mapping.entities[entity].toOnes.map { toOne in
      if let name = record.string(of: toOne.key), !name.isEmpty { name } else { nil }
    }
    review(try Self.receipt(of: record), of: record)
  }

  /// The receipt in a record's field or asset, not yet reviewed.
  static func receipt(of record: CKRecord) throws -> MoveReceipt {
    let field = try value(
      RecordNames.moveReceipt, RecordNames.moveReceipt + RecordNames.assetSuffix, of: record, isText: false, false)
    return if case .binary(let bytes)? = field { MoveReceipt(bytes: bytes) } else { MoveReceipt() }
  }

  /// Sorts the moves in a record's receipt by whether the import accepts them ([mirror-42]).
  ///
  /// Only a zone's owner moves records, and each retains its name. So the owner created a record that moved here. If a
  /// participant was the last to save the record, the participant may have written the receipt. Then a move counts only
  /// if the cloud has no record at the former address: only the owner can delete in a zone that is not shared.
  private mutating func review(_ received: MoveReceipt, of record: CKRecord) {
    let (owner, name) = (location.zone.owner, location.name)
    let isMadeByOwner = record.creatorUserRecordID?.recordName == owner
    let possible = received.filter { move in
      isMadeByOwner && move.location.zone.owner == owner && move.location.name.hasSameBytes(as: name)
    }
    isReceiptIgnored = possible.moves.count < received.moves.count
    if record.lastModifiedUserRecordID?.recordName == owner { receipt = possible } else { unconfirmed = possible }
  }

  /// Accepts the unconfirmed moves from addresses where the cloud no longer has a record.
  ///
  /// - Parameters:
  ///   - known: addresses at which the store has objects.
  ///   - deleted: those of them at which the cloud has no record.
  mutating func confirmMoves(known: Set<RecordLocation>, deleted: Set<RecordLocation>) {
    receipt = unconfirmed.filter { deleted.contains($0.location) }
    unconfirmed = unconfirmed.filter { !deleted.contains($0.location) }
    if unconfirmed.locations.contains(where: known.contains) { isReceiptIgnored = true }
  }

  /// The value under the key, or in its asset if the field is empty ([mirror-5]). If one version of the model encrypts
  /// the attribute and another does not, the value may be among the encrypted or the plain fields: both are read
  /// ([mirror-6]).
  private static func value(
    _ key: String, _ assetKey: String?, of record: CKRecord, isText: Bool, _ isEncrypted: Bool
  ) throws -> StoredValue? {
    let plain =
      RecordContent.value(key, of: record, isEncrypted) ?? RecordContent.value(key, of: record, !isEncrypted)
    guard plain == nil || plain?.isEmptyField == true, let assetKey,
      let asset = record.object(forKey: assetKey) as? CKAsset
    else { return plain }
    guard let path = asset.fileURL?.path else { return plain }
    let bytes = try UserFile.read(path, limit: .value)
    return isText ? .string(String(decoding: bytes, as: UTF8.self)) : .binary(bytes)
  }
}

/// Converts records to texts for the rows of a store, and back.
enum RecordArchive {
  static func text(of record: CKRecord) -> String { record.text ?? "" }

  /// Nil if the text holds no record of that class.
  static func object<Object: CKRecord>(_ type: Object.Type, from text: String) -> Object? {
    CKRecord.record(text: text) as? Object
  }
}

import LocalCloudStorage

/// The index keys that follow from an object's values, besides those of its line.
struct RowKeys: Sendable {
  private let schema: StoreSchema
  /// The fetch indexes of each entity.
  let layouts: [[IndexLayout]]
  /// The unique ones among them.
  let uniqueLayouts: [[IndexLayout]]

  init(_ schema: StoreSchema) {
    self.schema = schema
    layouts = schema.entities.indices.map { entity in
      schema.entities[entity].indexes.indices.compactMap { IndexLayout($0, of: entity, schema) }
    }
    uniqueLayouts = layouts.map { $0.filter(\.isUnique) }
  }

  func keys(of row: StoredRow) -> [[UInt8]] {
    let entity = schema.entities[Int(row.id.entity)]
    var keys: [[UInt8]] = []
    for (index, relationship) in entity.toOnes.enumerated() where index < row.toOnes.count {
      guard let target = row.toOnes[index] else { continue }
      keys.append(SourceKey(relationship, of: row.id, to: target, row.position(index)).bytes)
    }
    for (index, value) in row.attributes.enumerated() {
      if case .external(let binary) = value { keys.append(BinaryKey.bytes(binary.digest, row.id, index)) }
    }
    for layout in layouts[Int(row.id.entity)] { keys.append(layout.key(of: row)) }
    return keys
  }
}

/// The key of an object that has a to-one relationship, found by its target.
struct SourceKey {
  var source: RowID
  var position: Int64
  let bytes: [UInt8]

  init(_ relationship: Int, of source: RowID, to target: RowID, _ position: Int64) {
    self.source = source
    self.position = position
    var key = Self.prefix(relationship, target.number)
    key.append(number: source.number)
    key.append(bigEndian: source.entity)
    if position != 0 { key.append(short: position) }
    bytes = key
  }

  static func prefix(_ relationship: Int, _ target: Int64) -> [UInt8] {
    var key = [IndexKind.source.rawValue]
    key.reserveCapacity(24)
    key.append(bigEndian: UInt16(truncatingIfNeeded: relationship))
    key.append(number: target)
    return key
  }

  init?(_ bytes: [UInt8]) {
    var reader = KeyReader(bytes, from: 11)
    let number = reader.number()
    source = RowID(entity: Int(reader.uint16()), number: number)
    position = reader.isDone ? 0 : reader.signedShort()
    guard reader.isDone else { return nil }
    self.bytes = bytes
  }
}

/// The key of a row's use of a file of bytes.
enum BinaryKey {
  static func bytes(_ digest: String, _ id: RowID, _ attribute: Int) -> [UInt8] {
    var key = prefix(digest)
    key.append(bigEndian: id.entity)
    key.append(number: id.number)
    key.append(bigEndian: UInt16(truncatingIfNeeded: attribute))
    return key
  }

  static func prefix(_ digest: String) -> [UInt8] { [IndexKind.binary.rawValue] + Array(digest.utf8) + [0] }

  static func digest(_ key: [UInt8]) -> String? {
    key.dropFirst().firstIndex(of: 0).map { String(decoding: key[1..<$0], as: UTF8.self) }
  }
}

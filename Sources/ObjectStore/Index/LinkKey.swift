import LocalCloudStorage

/// A pair of linked objects as an index key, from either side.
struct LinkKey: Hashable, Sendable {
  /// The relationship that names the table.
  var table: Int
  var from: RowID
  var to: RowID
  /// The number of the link's row.
  var number: Int64
  /// The position of `to` among the objects that `from` is linked to, and the other way round.
  var position: Int64
  var inversePosition: Int64

  var forward: [UInt8] { key(.forward, from, to, position) }
  var backward: [UInt8] { key(.backward, to, from, inversePosition) }

  private func key(_ kind: IndexKind, _ near: RowID, _ far: RowID, _ position: Int64) -> [UInt8] {
    var key = Self.prefix(kind, table, near)
    key.append(number: far.number)
    key.append(bigEndian: far.entity)
    key.append(number: number)
    if position != 0 { key.append(short: position) }
    return key
  }

  static func prefix(_ kind: IndexKind, _ table: Int, _ near: RowID) -> [UInt8] {
    var key = [kind.rawValue]
    key.reserveCapacity(34)
    key.append(bigEndian: UInt16(truncatingIfNeeded: table))
    key.append(number: near.number)
    key.append(bigEndian: near.entity)
    return key
  }

  static func prefix(_ kind: IndexKind, _ table: Int, _ near: RowID, _ far: RowID) -> [UInt8] {
    var key = prefix(kind, table, near)
    key.append(number: far.number)
    key.append(bigEndian: far.entity)
    return key
  }

  /// The table of a key, and the number of its near side.
  static func near(_ key: [UInt8]) -> (table: Int, number: Int64)? {
    var reader = KeyReader(key, from: 1)
    let (table, number) = (Int(reader.uint16()), reader.number())
    return reader.isValid ? (table, number) : nil
  }

  /// The far side of the pair, as the key holds it.
  static func far(_ key: [UInt8]) -> (id: RowID, number: Int64, position: Int64)? {
    var reader = KeyReader(key, from: 13)
    let number = reader.number()
    let id = RowID(entity: Int(reader.uint16()), number: number)
    let link = reader.number()
    let position = reader.isDone ? 0 : reader.signedShort()
    return reader.isDone ? (id, link, position) : nil
  }
}

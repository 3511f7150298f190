import LocalCloudStorage

/// The index entry of a row: the location of its latest line.
struct RowEntry: Hashable, Sendable {
  var segment: Int64
  var offset: Int
  /// With the newline.
  var length: Int
  /// 0 for a deletion and in tables without versions.
  var version: Int64
  /// The number of the row's lines in the table's segments. A deletion's line is needed as long as there are other
  /// lines.
  var lines: Int64

  /// The key of a row's latest line, or of its deletion.
  func key(_ table: StoreTable, _ number: Int64, isDeletion: Bool = false) -> [UInt8] {
    var key = Self.prefix(table, number, isDeletion: isDeletion)
    key.append(short: UInt64(segment))
    key.append(short: UInt64(offset))
    key.append(short: UInt64(length))
    key.append(short: UInt64(version))
    key.append(short: UInt64(lines))
    return key
  }

  static func prefix(_ table: StoreTable, _ number: Int64, isDeletion: Bool = false) -> [UInt8] {
    var key = table.prefix(isDeletion ? .deletion : .row)
    key.reserveCapacity(32)
    key.append(number: number)
    return key
  }

  static func number(ofKey key: [UInt8]) -> Int64 {
    var reader = KeyReader(key, from: StoreTable.prefixLength)
    return reader.number()
  }
}

extension RowEntry {
  /// Nil if the key is not as ``key(_:_:isDeletion:)`` makes it.
  init?(key: [UInt8]) {
    var reader = KeyReader(key, from: StoreTable.prefixLength + 8)
    segment = Int64(clamping: reader.short())
    offset = reader.int()
    length = reader.int()
    version = Int64(clamping: reader.short())
    lines = Int64(clamping: reader.short())
    guard reader.isDone else { return nil }
  }
}

/// The keys by which rows of mirroring tables are found: those without a key first, by number, then the others in the
/// order of their keys' bytes.
enum NameKey {
  static func bytes(_ table: MirrorTable, _ key: String?, _ number: Int64) -> [UInt8] {
    var bytes = prefix(table, key)
    if key != nil { bytes.append(0) }
    bytes.append(number: number)
    return bytes
  }

  /// The beginning of the keys of all rows whose key begins with this one; of those without a key, if it is nil.
  static func prefix(_ table: MirrorTable, _ key: String?) -> [UInt8] {
    var bytes = prefix(table)
    guard let key else { return bytes + [0] }
    bytes.append(1)
    // No byte is zero, so that the zero that ends a key sorts before every longer key.
    for byte in key.utf8 {
      if byte > 1 {
        bytes.append(byte)
      } else {
        bytes.append(1)
        bytes.append(byte + 1)
      }
    }
    return bytes
  }

  static func prefix(_ table: MirrorTable) -> [UInt8] {
    [IndexKind.name.rawValue, UInt8(MirrorTable.allCases.firstIndex(of: table) ?? 0)]
  }

  /// The number of the row.
  static func number(_ key: [UInt8]) -> Int64 {
    var reader = KeyReader(key, from: max(0, key.count - 8))
    return reader.number()
  }
}

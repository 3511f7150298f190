import LocalCloudStorage

/// The index entry of a segment with lines that are no rows: the offset of the first of these lines ([store-29]).
struct DamageEntry: Hashable, Sendable {
  var table: StoreTable
  var segment: Int64
  var offset: Int

  var key: [UInt8] {
    var key = table.prefix(.damage)
    key.append(number: segment)
    key.append(short: UInt64(offset))
    return key
  }
}

extension DamageEntry {
  /// Nil if the key is not as ``key`` is.
  init?(key: [UInt8]) {
    guard let table = StoreTable(key: key) else { return nil }
    var reader = KeyReader(key, from: StoreTable.prefixLength)
    self.init(table: table, segment: reader.number(), offset: reader.int())
    guard reader.isDone else { return nil }
  }
}

extension FolderView {
  /// The segments with lines that are no rows, as far as the index was made from them.
  func damagedSegments() throws -> [DamageEntry] {
    try map([IndexKind.damage.rawValue]) { try DamageEntry(key: $0).required() }
  }
}

extension StoreFolder {
  /// The error for a line that is no row.
  func damage(_ entry: DamageEntry) -> StorageError {
    .damaged(
      path: segments.path(entry.table, entry.segment),
      reason: "the line at byte \(entry.offset) is no row of this table")
  }
}

import LocalCloudStorage

extension StoreView {
  /// Calls `body` with the rows whose keys begin with `prefix`, in the order of their keys' bytes, until it returns
  /// false. Rows without a key are found only by the empty prefix; they are first, by their numbers.
  package func forEachMirrorRow(
    keyPrefix prefix: String, in table: MirrorTable, _ body: (MirrorRow) throws -> Bool
  ) throws {
    let bytes = prefix.isEmpty ? NameKey.prefix(table) : NameKey.prefix(table, prefix)
    try forEachMirrorRow(prefix: bytes, in: table, body)
  }

  /// The rows with keys that begin with `prefix`, in the order of their keys' bytes.
  package func rows(prefix: String, in table: MirrorTable) throws -> [MirrorRow] {
    var rows: [MirrorRow] = []
    try forEachMirrorRow(keyPrefix: prefix, in: table) { row in
      rows.append(row)
      return true
    }
    return rows
  }

  /// The rows with exactly that key.
  package func rows(key: String, in table: MirrorTable) throws -> [MirrorRow] {
    var rows: [MirrorRow] = []
    try forEachMirrorRow(prefix: NameKey.exactly(table, key), in: table) { row in
      rows.append(row)
      return true
    }
    return rows
  }

  package func hasRows(prefix: String, in table: MirrorTable) throws -> Bool {
    var isFound = false
    try forEachMirrorRow(keyPrefix: prefix, in: table) { _ in
      isFound = true
      return false
    }
    return isFound
  }
}

extension StoreView: MirrorTables {}

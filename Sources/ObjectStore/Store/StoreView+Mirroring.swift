import LocalCloudStorage

extension StoreView {
  /// The row with that number; nil if there is none.
  package func mirrorRow(_ id: Int64, in table: MirrorTable) throws -> MirrorRow? {
    guard let entry = try view.rowEntry(.mirroring(table), id) else {
      try requireWhole(.mirroring(table))
      return nil
    }
    return try mirrorRow(folder.segments.line(.mirroring(table), entry, view), table, entry)
  }

  /// The row with exactly that key; the first if there are several.
  package func mirrorRow(key: String, in table: MirrorTable) throws -> MirrorRow? {
    try requireWhole(.mirroring(table))
    guard let found = try view.first(NameKey.prefix(table, key) + [0]) else { return nil }
    return try mirrorRow(found.lastNumber, in: table)
  }

  /// Calls `body` with the rows whose keys begin with `prefix`, in the order of their keys' bytes, until it returns
  /// false. Rows without a key are found only by the empty prefix; they are first, by their numbers.
  package func forEachMirrorRow(
    keyPrefix prefix: String, in table: MirrorTable, _ body: (MirrorRow) throws -> Bool
  ) throws {
    try requireWhole(.mirroring(table))
    let bytes = prefix.isEmpty ? NameKey.prefix(table) : NameKey.prefix(table, prefix)
    try view.forEachChunk(of: bytes, together: 500) { keys in
      let entries = try keys.map { try view.rowEntry(.mirroring(table), $0.lastNumber).required() }
      let rows = try folder.segments.read(.mirroring(table), entries, view) { index, line in
        try mirrorRow(line, table, entries[index])
      }
      return try rows.allSatisfy(body)
    }
  }

  private func mirrorRow(_ line: JSONValue, _ table: MirrorTable, _ entry: RowEntry) throws -> MirrorRow {
    guard let row = MirrorRow(line) else {
      throw StorageError.damaged(
        path: folder.segments.path(.mirroring(table), entry.segment),
        reason: "the line at byte \(entry.offset) is no row of the mirroring")
    }
    return row
  }
}

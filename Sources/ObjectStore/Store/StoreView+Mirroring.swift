import LocalCloudStorage

extension StoreView {
  /// Calls `body` with the rows whose keys begin with `prefix`, in the order of their keys' bytes, until it returns
  /// false. Rows without a key are found only by the empty prefix; they are first, by their numbers.
  package func forEachMirrorRow(
    keyPrefix prefix: String, in table: MirrorTable, _ body: (MirrorRow) throws -> Bool
  ) throws {
    try forEachMirrorRow(prefix: Self.bytes(prefix, table), in: table, body)
  }

  private static func bytes(_ prefix: String, _ table: MirrorTable) -> [UInt8] {
    prefix.isEmpty ? NameKey.prefix(table) : NameKey.prefix(table, prefix)
  }

  /// The rows with keys that begin with `prefix`, in the order of their keys' bytes.
  package func rows(prefix: String, in table: MirrorTable) throws -> [MirrorRow] {
    try rows(Self.bytes(prefix, table), table)
  }

  /// The rows with exactly that key.
  package func rows(key: String, in table: MirrorTable) throws -> [MirrorRow] {
    try rows(NameKey.exactly(table, key), table)
  }

  private func rows(_ prefix: [UInt8], _ table: MirrorTable) throws -> [MirrorRow] {
    var rows: [MirrorRow] = []
    try forEachMirrorRow(prefix: prefix, in: table) { row in
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

  // MARK: Records and pairs

  package func record(of id: RowID) throws -> RecordEntry? { RecordEntry(try row(id.number, in: .records)) }

  package func record(at location: RecordLocation) throws -> RecordEntry? {
    RecordEntry(try row(key: location.key, in: .records))
  }

  /// The pairs of an object on one side of the relationship. `isForward`: as the object that has the relationship;
  /// otherwise as the other one.
  package func links(of id: RowID, isForward: Bool) throws -> [LinkEntry] {
    let prefix = isForward ? LinkEntry.forwardPrefix(id) : LinkEntry.backwardPrefix(id)
    return try rows(prefix: prefix, in: .links).compactMap(link)
  }

  /// The pair that one of its rows belongs to.
  package func link(_ row: MirrorRow?) throws -> LinkEntry? {
    guard let id = LinkEntry.number(row) else { return LinkEntry(row) }
    return LinkEntry(try self.row(id, in: .links))
  }

  /// All pairs of an object.
  package func links(of id: RowID) throws -> [LinkEntry] {
    try links(of: id, isForward: true) + links(of: id, isForward: false)
  }
}

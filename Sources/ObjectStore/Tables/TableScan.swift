import Storage

/// A table's rows and segments, read from its files alone.
struct TableScan {
  struct Row {
    var entry: RowEntry
    var isDeletion: Bool
    /// The keys that follow from the row's values.
    var keys: [[UInt8]]
  }

  private let table: StoreTable
  private let folder: StoreFolder
  /// The last line of each number.
  private(set) var rows: [Int64: Row] = [:]
  private(set) var segments: [Int64: SegmentEntry] = [:]

  init(_ table: StoreTable, _ folder: StoreFolder, _ view: FolderView) throws {
    self.table = table
    self.folder = folder
    for segment in try folder.segments.segments(table, view) { try read(segment, view) }
    for (_, row) in rows where !row.isDeletion || row.entry.lines > 1 {
      segments[row.entry.segment]?.obsolete -= row.entry.length
    }
  }

  private mutating func read(_ segment: Int64, _ view: FolderView) throws {
    let path = folder.segments.path(table, segment)
    var entry = SegmentEntry()
    entry.size = try SegmentLine.forEach(in: folder.segments.file(table, segment, view).readAll(), path: path) {
      line, value in
      let content = line.isDeletion ? ([], 0) : folder.content(of: value, in: table)
      guard let content else {
        throw StorageError.damaged(path: path, reason: "the line at byte \(line.offset) is no row of this table")
      }
      rows[line.number] = Row(
        entry: RowEntry(
          segment: segment, offset: line.offset, length: line.length, version: content.version,
          lines: (rows[line.number]?.entry.lines ?? 0) + 1),
        isDeletion: line.isDeletion, keys: content.keys)
    }
    // All of it, until rows that need some of it are found.
    entry.obsolete = entry.size
    segments[segment] = entry
  }

  /// All index keys of the table.
  var keys: [[UInt8]] {
    var keys: [[UInt8]] = []
    for (number, row) in rows where !row.isDeletion || row.entry.lines > 1 {
      keys.append(row.entry.key(table, number, isDeletion: row.isDeletion))
      keys += row.keys
    }
    if let count = table.countKey(Int64(rows.count { !$0.value.isDeletion })) { keys.append(count) }
    for (segment, entry) in segments { keys += entry.keys(table, segment, folder.limits) }
    return keys
  }
}

extension StoreFolder {
  /// The keys that follow from a line's values, and its version; nil if it is no row of the table.
  func content(of line: JSONValue, in table: StoreTable) -> (keys: [[UInt8]], version: Int64)? {
    switch table.kind {
    case .objects:
      guard let row = coders[Int(table.place)].row(line) else { return nil }
      return (rowKeys.keys(of: row), row.version)
    case .links:
      guard let link = LinkKey(line, table: Int(table.place), names) else { return nil }
      return ([link.forward, link.backward], 0)
    case .mirroring:
      guard let row = MirrorRow(line) else { return nil }
      return ([NameKey.bytes(MirrorTable.allCases[Int(table.place)], row.key, row.id)], 0)
    }
  }
}

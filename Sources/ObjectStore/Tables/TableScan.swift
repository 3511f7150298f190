import LocalCloudStorage

/// A table's rows and segments, read from its files without the index.
///
/// Lines that are no rows don't prevent reading the others ([store-29]).
struct TableScan {
  struct Row {
    var entry: RowEntry
    var isDeletion: Bool
    /// The keys that follow from the row's values.
    var keys: [[UInt8]]

    /// Whether the index has to know of it: the deletion of a row that has no other line is not needed.
    var isNeeded: Bool { !isDeletion || entry.lines > 1 }
  }

  /// A line that is no row of the table.
  struct BadLine {
    /// The row that it is about, as far as it says so.
    var number: Int64?
    var segment: Int64
    var offset: Int
    var length: Int
    var reason: String
  }

  let table: StoreTable
  private let folder: StoreFolder
  /// The last line of each row, of those that are sound.
  private(set) var rows: [Int64: Row] = [:]
  /// The lines that come after those in ``rows`` and can't be read: these rows are unknown.
  private(set) var hidden: [Int64: RowEntry] = [:]
  private(set) var badLines: [BadLine] = []
  private(set) var segments: [Int64: SegmentEntry] = [:]

  init(_ table: StoreTable, _ folder: StoreFolder, _ view: FolderView) throws {
    self.table = table
    self.folder = folder
    for segment in try folder.segments.segments(table, view) { try read(segment, view) }
    for (number, row) in rows where row.isNeeded && hidden[number] == nil {
      segments[row.entry.segment]?.obsolete -= row.entry.length
    }
    for line in badLines { segments[line.segment]?.obsolete -= line.length }
  }

  private mutating func read(_ segment: Int64, _ view: FolderView) throws {
    let bytes = try folder.segments.file(table, segment, view).readAll()
    SegmentLine.forEach(in: bytes) { line in
      let known = line.number.flatMap { hidden[$0] ?? rows[$0]?.entry }
      var entry = RowEntry(
        segment: segment, offset: line.offset, length: line.length, version: 0, lines: (known?.lines ?? 0) + 1)
      let content = line.value.flatMap { line.isDeletion ? ([], 0) : folder.content(of: $0, in: table) }
      if let number = line.number, let content {
        entry.version = content.version
        rows[number] = Row(entry: entry, isDeletion: line.isDeletion, keys: content.keys)
        hidden[number] = nil
        return
      }
      if let number = line.number { hidden[number] = entry }
      badLines.append(
        BadLine(
          number: line.number, segment: segment, offset: line.offset, length: line.length,
          reason: line.value == nil ? "is not a row" : "is no row of this table"))
    }
    // All of it is obsolete, until rows that need some of it are found.
    segments[segment] = SegmentEntry(size: bytes.count, obsolete: bytes.count)
  }

  /// The rows that are there, by their numbers.
  var present: Set<Int64> { Set(rows.lazy.filter { !$0.value.isDeletion }.map(\.key)) }

  /// The rows that have lines, none of them sound.
  var lostRows: Set<Int64> { Set(hidden.keys.filter { rows[$0] == nil }) }

  /// Whether a damaged line has no number.
  var hasUnnumberedLine: Bool { badLines.contains { $0.number == nil } }

  /// Calls `body` with the last sound line of each row, unless that line is a deletion.
  func forEachRow(_ view: FolderView, _ body: (JSONValue) throws -> Void) throws {
    for part in rows.values.filter({ !$0.isDeletion }).map(\.entry).chunks(of: 2_000) {
      try folder.segments.forEachLine(table, Array(part), view) { _, line in try body(line) }
    }
  }

  /// All index keys of the table.
  var keys: [[UInt8]] {
    var keys: [[UInt8]] = []
    var count = hidden.count
    for (number, row) in rows where row.isNeeded && hidden[number] == nil {
      keys.append(row.entry.key(table, number, isDeletion: row.isDeletion))
      keys += row.keys
      if !row.isDeletion { count += 1 }
    }
    for (number, entry) in hidden { keys.append(entry.key(table, number)) }
    if let count = table.countKey(Int64(count)) { keys.append(count) }
    for (segment, entry) in segments { keys += entry.keys(table, segment, folder.limits) }
    let damaged = Dictionary(badLines.map { ($0.segment, $0.offset) }, uniquingKeysWith: min)
    keys += damaged.map { DamageEntry(table: table, segment: $0, offset: $1).key }
    return keys
  }
}

extension StoreFolder {
  /// The keys that follow from a line's values, and its version; nil if it is no row of the table, or the index can't
  /// hold its keys.
  func content(of line: JSONValue, in table: StoreTable) -> (keys: [[UInt8]], version: Int64)? {
    let content: (keys: [[UInt8]], version: Int64)
    switch table.kind {
    case .objects:
      guard let row = coders[Int(table.index)].row(line) else { return nil }
      content = (rowKeys.keys(of: row), row.version)
    case .links:
      guard let link = LinkKey(line, table: Int(table.index), names) else { return nil }
      content = ([link.forward, link.backward], 0)
    case .mirroring:
      let table = MirrorTable.allCases[Int(table.index)]
      guard let row = MirrorRow(line, in: table, names, find: { _ in nil }) else { return nil }
      content = ([NameKey.bytes(table, row.key, row.id)], 0)
    }
    return content.keys.allSatisfy { $0.count <= IndexFile.maximumKeyLength } ? content : nil
  }
}

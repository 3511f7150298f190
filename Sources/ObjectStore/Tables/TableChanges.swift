import LocalCloudStorage

/// A commit's changes to the tables: appended lines, and the new index entries of rows and segments.
///
/// Rows are put and deleted first, then one segment may be rewritten (``rewrite(_:_:)``), then ``finish(_:)`` gives
/// the effects.
struct TableChanges {
  private struct TableKey: Hashable {
    var table: StoreTable
    var number: Int64
  }

  /// The index entry of a row: of its line, or of the line of its deletion.
  private struct State: Equatable {
    var entry: RowEntry
    var isDeletion: Bool

    var isRow: Bool { !isDeletion }
  }

  private struct Lines {
    var segment: Int64
    var offset: Int
    var bytes: [UInt8] = []
  }

  private let view: FolderView
  private let folder: StoreFolder
  private let damaged: [DamageEntry]
  private let takeNumber: () -> Int64
  private var rows: [TableKey: (before: State?, after: State?)] = [:]
  private var segments: [TableKey: (before: SegmentEntry?, after: SegmentEntry?)] = [:]
  /// Lines to be appended to the last segment of each table.
  private var open: [StoreTable: Lines] = [:]
  private var effects: [JournalEntry.Effect] = []
  /// Segments that the commit removes.
  private(set) var removed: [(StoreTable, Int64)] = []

  /// `damaged`: segments that stay as they are. `takeNumber`: a new number of the store's sequence.
  init(_ view: FolderView, _ folder: StoreFolder, damaged: [DamageEntry], _ takeNumber: @escaping () -> Int64) {
    self.view = view
    self.folder = folder
    self.damaged = damaged
    self.takeNumber = takeNumber
  }

  var isChanged: Bool { rows.contains { $0.value.before != $0.value.after } }

  // MARK: Rows

  /// Puts a row's next version. `line`: with the newline.
  mutating func put(_ line: [UInt8], _ table: StoreTable, _ number: Int64, version: Int64, isNew: Bool) throws {
    let before = isNew ? nil : try state(table, number)
    // The new line is appended first. Otherwise a segment with one row would be completely obsolete, and not be
    // appended to.
    let (segment, offset) = try append(line, to: table)
    if let before { try makeObsolete(before.entry, in: table) }
    let entry = RowEntry(
      segment: segment, offset: offset, length: line.count, version: version, lines: (before?.entry.lines ?? 0) + 1)
    set(State(entry: entry, isDeletion: false), table, number)
  }

  mutating func delete(_ line: [UInt8], _ table: StoreTable, _ number: Int64) throws {
    guard let before = try state(table, number), !before.isDeletion else { return }
    let (segment, offset) = try append(line, to: table)
    try makeObsolete(before.entry, in: table)
    let entry = RowEntry(
      segment: segment, offset: offset, length: line.count, version: 0, lines: before.entry.lines + 1)
    set(State(entry: entry, isDeletion: true), table, number)
  }

  private mutating func state(_ table: StoreTable, _ number: Int64) throws -> State? {
    let key = TableKey(table: table, number: number)
    if let known = rows[key] { return known.after }
    let found =
      try location(table, number).map { State(entry: $0, isDeletion: false) }
      ?? view.rowEntry(table, number, isDeletion: true).map { State(entry: $0, isDeletion: true) }
    rows[key] = (found, found)
    return found
  }

  /// The location of a row's line: without the index, if the transaction has looked the object up.
  private func location(_ table: StoreTable, _ number: Int64) throws -> RowEntry? {
    if table.kind == .objects {
      let id = RowID(entity: Int(table.index), number: number)
      if let entry = try folder.rowCache.entry(id, at: view.head()) { return entry.location }
    }
    return try view.rowEntry(table, number)
  }

  /// A row that ``state(_:_:)`` was not asked for is new.
  private mutating func set(_ state: State?, _ table: StoreTable, _ number: Int64) {
    rows[TableKey(table: table, number: number), default: (nil, nil)].after = state
  }

  // MARK: Segments

  private mutating func entry(_ table: StoreTable, _ segment: Int64) throws -> SegmentEntry {
    let key = TableKey(table: table, number: segment)
    if let known = segments[key] { return known.after ?? SegmentEntry() }
    let found = try view.segmentEntry(table, segment).required()
    segments[key] = (found, found)
    return found
  }

  private mutating func change(_ table: StoreTable, _ segment: Int64, _ body: (inout SegmentEntry) -> Void) throws {
    var entry = try entry(table, segment)
    body(&entry)
    segments[TableKey(table: table, number: segment)]?.after = entry
  }

  private mutating func makeObsolete(_ entry: RowEntry, in table: StoreTable) throws {
    try change(table, entry.segment) { $0.obsolete += entry.length }
  }

  private mutating func append(_ line: [UInt8], to table: StoreTable) throws -> (segment: Int64, offset: Int) {
    if open[table].map({ $0.offset + $0.bytes.count >= folder.limits.full }) ?? true { try openSegment(table) }
    guard var lines = open.removeValue(forKey: table) else { return (0, 0) }
    let position = (lines.segment, lines.offset + lines.bytes.count)
    lines.bytes += line
    open[table] = lines
    try change(table, position.0) { $0.size += line.count }
    return position
  }

  /// Goes on in the table's last segment, or begins one if that is full or worth rewriting.
  private mutating func openSegment(_ table: StoreTable) throws {
    if open[table] == nil, let last = try view.lastSegment(table) {
      let entry = try entry(table, last)
      if entry.size < folder.limits.full, !entry.isWorthRewriting(folder.limits), damage(table, last) == nil {
        open[table] = Lines(segment: last, offset: entry.size)
        return
      }
    }
    close(table)
    let segment = takeNumber()
    segments[TableKey(table: table, number: segment)] = (nil, SegmentEntry())
    open[table] = Lines(segment: segment, offset: 0)
  }

  private func damage(_ table: StoreTable, _ segment: Int64) -> DamageEntry? {
    damaged.first { $0.table == table && $0.segment == segment }
  }

  private mutating func close(_ table: StoreTable) {
    guard let lines = open.removeValue(forKey: table), !lines.bytes.isEmpty else { return }
    effects.append(.append(table.path(of: lines.segment, folder.schema), offset: lines.offset, lines.bytes))
  }

  // MARK: Rewriting

  /// Rewrites a segment under a new number, without obsolete lines. Returns false if the commit appends to it.
  ///
  /// Throws ``StorageError/damaged(path:reason:)`` for a segment with a line that is no row.
  ///
  /// `stage`: stages a file durably, and returns the name under which it is staged.
  mutating func rewrite(_ table: StoreTable, _ segment: Int64, _ stage: ([UInt8]) throws -> String) throws -> Bool {
    if let known = segments[TableKey(table: table, number: segment)], known.before?.size != known.after?.size {
      return false
    }
    if let damage = damage(table, segment) { throw folder.damage(damage) }
    let bytes = try folder.segments.file(table, segment, view).readAll()
    var kept: [UInt8] = []
    let next = takeNumber()
    try SegmentLine.forEach(in: bytes) { line in
      guard line.value != nil, let number = line.number else {
        throw folder.damage(DamageEntry(table: table, segment: segment, offset: line.offset))
      }
      guard var state = try state(table, number) else { return }
      if state.entry.segment == segment, state.entry.offset == line.offset {
        state.entry.segment = next
        state.entry.offset = kept.count
        kept += bytes[line.offset..<(line.offset + line.length)]
        set(state, table, number)
      } else {
        try forgetLine(of: state, table, number)
      }
    }
    _ = try entry(table, segment)
    segments[TableKey(table: table, number: segment)]?.after = nil
    if !kept.isEmpty {
      segments[TableKey(table: table, number: next)] = (nil, SegmentEntry(size: kept.count))
      effects.append(.move(table.path(of: next, folder.schema), from: try stage(kept)))
    }
    effects.append(.remove(table.path(of: segment, folder.schema)))
    removed.append((table, segment))
    return true
  }

  /// Removes a line of a row from its count. A deletion is not needed any more when no other line of its row is left.
  private mutating func forgetLine(of state: State, _ table: StoreTable, _ number: Int64) throws {
    var state = state
    state.entry.lines -= 1
    if state.isDeletion, state.entry.lines == 1 {
      try makeObsolete(state.entry, in: table)
      set(nil, table, number)
    } else {
      set(state, table, number)
    }
  }

  // MARK: Result

  /// The location of an object's new line; nil if there is none.
  func location(of id: RowID) -> RowEntry? {
    rows[TableKey(table: .objects(id.entity), number: id.number)]?.after.flatMap { $0.isDeletion ? nil : $0.entry }
  }

  /// The commit's effects on the tables, with their index keys.
  mutating func finish(_ keys: inout IndexDelta) throws -> [JournalEntry.Effect] {
    for table in Array(open.keys).sorted(by: { ($0.kind.rawValue, $0.index) < ($1.kind.rawValue, $1.index) }) {
      close(table)
    }
    var counts: [StoreTable: Int64] = [:]
    for (key, states) in rows where states.before != states.after {
      let change = (states.after?.isRow ?? false ? 1 : 0) - (states.before?.isRow ?? false ? 1 : 0)
      if change != 0, key.table.kind == .objects { counts[key.table, default: 0] += Int64(change) }
      if let before = states.before {
        keys.remove(before.entry.key(key.table, key.number, isDeletion: before.isDeletion))
      }
      if let after = states.after {
        keys.insert(after.entry.key(key.table, key.number, isDeletion: after.isDeletion))
      }
    }
    for (table, change) in counts where change != 0 {
      let before = try view.rowCount(table)
      keys.replace(
        [table.countKey(before)].compactMap(\.self), with: [table.countKey(before + change)].compactMap(\.self))
    }
    for (key, entries) in segments {
      keys.replace(
        entries.before?.keys(key.table, key.number, folder.limits) ?? [],
        with: entries.after?.keys(key.table, key.number, folder.limits) ?? [])
    }
    return effects
  }
}

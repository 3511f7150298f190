import Platform
import Storage

/// Takes lines that are no rows out of a store's segments, in one commit, and makes links and the mirroring's rows fit the
/// rows that are left.
///
/// If the last line of a row is damaged, the line before it becomes the row. A row without another line is lost. So are the
/// rows of a segment that is missing.
struct RowRepair {
  private let folder: StoreFolder
  private let view: FolderView
  private let tables: [TableScan]
  private let head: Int64
  private let links: LinkRepair
  private let mirror: MirrorRepair
  /// The rows of segments that are missing, by the names of these.
  private var missing: [(table: StoreTable, segment: Int64, rows: [Int64])] = []

  /// `indexed`: the rows that the index knows, with their segments.
  init(
    _ folder: StoreFolder, _ view: FolderView, _ tables: [TableScan], _ history: HistoryRepair,
    indexed: [StoreTable: [Int64: Int64]]
  ) throws {
    self.folder = folder
    self.view = view
    self.tables = tables
    head = history.head
    for scan in tables {
      let gone = (indexed[scan.table] ?? [:]).filter { scan.segments[$0.value] == nil }
      for (segment, rows) in Dictionary(grouping: gone, by: \.value).sorted(by: { $0.key < $1.key }) {
        missing.append((scan.table, segment, rows.map(\.key).sorted()))
      }
    }
    var objects = DamagedObjects()
    for scan in tables where scan.table.kind == .objects {
      objects.present.formUnion(scan.rows.filter { !$0.value.isDeletion }.keys)
      objects.damaged.formUnion(scan.hidden.keys)
      if scan.badLines.contains(where: { $0.number == nil }) { objects.isUncertain = true }
    }
    for (table, _, rows) in missing where table.kind == .objects { objects.damaged.formUnion(rows) }
    links = try LinkRepair(folder, view, tables, objects)
    mirror = try MirrorRepair(folder, view, tables, objects, history)
  }

  var isEmpty: Bool { missing.isEmpty && links.isEmpty && mirror.isEmpty && tables.allSatisfy(\.badLines.isEmpty) }

  // MARK: Commit

  /// The segments that have lines which are no rows.
  private var damaged: [(scan: TableScan, segment: Int64)] {
    tables.flatMap { scan in Set(scan.badLines.map(\.segment)).sorted().map { (scan, $0) } }
  }

  /// The files that the commit removes.
  func damagedFiles() throws -> [(folder: Directory, name: String)] {
    try damaged.compactMap { scan, segment in
      try folder.directory.directory(at: scan.table.folder(folder.schema)).map {
        ($0, StoreTable.fileName(of: segment))
      }
    }
  }

  /// Puts the lines that are needed into segments with new numbers: other processes have the old ones open.
  func commit(to store: JournaledFolder, _ waitPolicy: LockWaitPolicy) throws {
    let incoming = IncomingFiles(folder, before: head + 1)
    var last = head
    var effects: [JournalEntry.Effect] = []
    func add(_ lines: [UInt8], to table: StoreTable) throws {
      if lines.isEmpty { return }
      last += 1
      effects.append(.place(table.path(of: last, folder.schema), from: try incoming.stage(lines)))
    }
    for (scan, segment) in damaged {
      try add(soundLines(of: segment, scan), to: scan.table)
      effects.append(.remove(scan.table.path(of: segment, folder.schema)))
    }
    for (table, lines) in links.lines { try add(lines, to: table) }
    for (table, lines) in mirror.lines { try add(lines, to: .mirroring(table)) }
    // The index is made anew from the new segments, not brought up to them.
    try store.dropIndex()
    let view = FolderView(store, hasCommitLock: true)
    last = max(last, head + 1)
    effects.append(.append(StoreFolder.history, offset: try view.logEnd(), historyLine(last)))
    try incoming.sync()
    try store.commit(JournalEntry(previous: head, sequence: last, effects: effects), in: view, waitPolicy)
    incoming.remove(except: effects)
    // The index is made from the files: all that was committed has to be in them first.
    try store.replayJournal(waitPolicy)
    for (scan, segment) in damaged { folder.segments.forget(scan.table, segment) }
  }

  /// The last sound lines of rows that are in a segment.
  private func soundLines(of segment: Int64, _ scan: TableScan) throws -> [UInt8] {
    let bytes = try folder.segments.file(scan.table, segment, view).readAll()
    let entries = scan.rows.values.filter { $0.entry.segment == segment && $0.isNeeded }.map(\.entry)
    return entries.sorted { $0.offset < $1.offset }.flatMap { bytes[$0.offset..<($0.offset + $0.length)] }
  }

  /// A line that uses up numbers.
  private func historyLine(_ number: Int64) -> [UInt8] {
    let transaction = HistoryTransaction(
      number: number, time: systemTimeMilliseconds(), author: nil, contextName: nil, bundle: "", process: "",
      changes: [])
    var writer = JSONWriter(isPretty: false)
    HistoryLine(transaction: transaction, isTold: false).write([], sequence: number, to: &writer, folder.names)
    return writer.bytes
  }

  // MARK: Report

  /// A note for each line that is set aside: its file, its offset and its fault.
  var notes: [JSONObject] {
    tables.flatMap { scan in
      scan.badLines.map { line in
        var note: JSONObject = [
          "byte": .integer(Int64(line.offset)),
          "file": .string(scan.table.path(of: line.segment, folder.schema).components.joined(separator: "/")),
          "length": .integer(Int64(line.length)), "reason": .string("it \(line.reason)"),
        ]
        note["row"] = line.number.map { .string(name(of: $0, scan.table)) }
        return note
      }
    } + missingNotes + links.notes(folder) + mirror.notes
  }

  /// A note for each row of a segment that is missing.
  private var missingNotes: [JSONObject] {
    missing.flatMap { table, segment, rows in
      let file = table.path(of: segment, folder.schema).components.joined(separator: "/")
      return rows.map { row -> JSONObject in
        ["file": .string(file), "reason": "the file is missing", "row": .string(name(of: row, table))]
      }
    }
  }

  func problems(_ aside: Quarantine) -> [Problem] {
    var problems: [Problem] = []
    for scan in tables {
      for line in scan.badLines {
        problems.append(
          Problem(
            path: folder.segments.path(scan.table, line.segment),
            text: "the line at byte \(line.offset) \(line.reason)\(outcome(of: line, scan)): it is in \(aside.path)"))
      }
    }
    for (table, segment, rows) in missing {
      let scan = tables.first { $0.table == table }
      let texts = rows.prefix(Self.mostNames).map { name(of: $0, table) + outcome(of: scan?.rows[$0]) }
      let more = rows.count > texts.count ? " and \(rows.count - texts.count) more" : ""
      problems.append(
        Problem(
          path: folder.segments.path(table, segment),
          text: "it is missing: \(texts.joined(separator: ", "))\(more)"))
    }
    return problems + links.problems(folder, aside) + mirror.problems(aside)
  }

  private static let mostNames = 50

  private func outcome(of line: TableScan.BadLine, _ scan: TableScan) -> String {
    guard let number = line.number else { return "" }
    let name = name(of: number, scan.table)
    guard let hidden = scan.hidden[number], hidden.segment == line.segment, hidden.offset == line.offset else {
      return ", and a later one says what \(name) is"
    }
    return ", \(name)\(outcome(of: scan.rows[number]))"
  }

  private func outcome(of row: TableScan.Row?) -> String {
    guard let row else { return " is lost" }
    return row.isDeletion ? " is deleted, as its line before says" : " is again what its line before says"
  }

  private func name(of number: Int64, _ table: StoreTable) -> String {
    switch table.kind {
    case .objects: folder.names.text(RowID(entity: Int(table.place), number: number))
    case .links: "the link \(number)"
    case .mirroring: "the row \(number)"
    }
  }
}

/// What a repair finds of objects, by their numbers.
struct DamagedObjects {
  /// Those that are there after the repair.
  var present: Set<Int64> = []
  /// Those that are lost, or are again what an earlier line says.
  var damaged: Set<Int64> = []
  /// Whether others may be lost, too: those of lines that don't tell their row.
  var isUncertain = false

  var isEmpty: Bool { damaged.isEmpty && !isUncertain }

  /// Whether an object is not there, and that may be due to damage.
  func mayHaveLost(_ number: Int64) -> Bool {
    !present.contains(number) && (isUncertain || damaged.contains(number))
  }
}

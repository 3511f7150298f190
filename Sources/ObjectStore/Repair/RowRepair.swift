import LocalCloudPlatform
import LocalCloudStorage

/// Takes lines that are no rows out of a store's segments.
///
/// If the last line of a row is damaged or missing, the line before it becomes the row, unless the row is deleted by
/// the history or the index. A row without another line is lost.
struct RowRepair {
  private let folder: StoreFolder
  private let view: FolderView
  private let tables: [TableScan]
  private let damaged: DamagedRows

  init(_ folder: StoreFolder, _ view: FolderView, _ tables: [TableScan], _ damaged: DamagedRows) {
    self.folder = folder
    self.view = view
    self.tables = tables
    self.damaged = damaged
  }

  var isEmpty: Bool {
    damaged.missing.isEmpty && damaged.deleted.isEmpty && tables.allSatisfy(\.badLines.isEmpty)
  }

  /// The segments with damaged lines.
  private var damagedSegments: [(scan: TableScan, segment: Int64)] {
    tables.flatMap { scan in Set(scan.badLines.map(\.segment)).sorted().map { (scan, $0) } }
  }

  /// The segments that the repair replaces.
  var segments: [(table: StoreTable, segment: Int64)] { damagedSegments.map { ($0.scan.table, $0.segment) } }

  /// The files of ``segments``.
  func replacedFiles() throws -> [(folder: Directory, name: String)] {
    try segments.compactMap { table, segment in
      try folder.directory.directory(at: table.folder(folder.schema)).map { ($0, StoreTable.fileName(of: segment)) }
    }
  }

  /// The needed sound lines of ``segments``, and then the lines of lost deletions, by table.
  func lines() throws -> [(table: StoreTable, lines: [UInt8])] {
    let sound = try damagedSegments.map { scan, segment in (scan.table, try soundLines(of: segment, scan)) }
    return sound + tables.map { ($0.table, RowCoder.deletions(damaged.deleted[$0.table] ?? [])) }
  }

  /// The last sound lines of rows that are in a segment.
  private func soundLines(of segment: Int64, _ scan: TableScan) throws -> [UInt8] {
    let bytes = try folder.segments.file(scan.table, segment, view).readAll()
    let entries = scan.rows.values.filter { $0.entry.segment == segment && $0.isNeeded }.map(\.entry)
    return entries.sorted { $0.offset < $1.offset }.flatMap { bytes[$0.offset..<($0.offset + $0.length)] }
  }

  // MARK: Report

  /// A note for each line that is set aside, with its file, its offset and its fault, and for each row without its
  /// line.
  var notes: [JSONObject] {
    let lines = tables.flatMap { scan in
      scan.badLines.map { line in
        var note: JSONObject = [
          "byte": .integer(Int64(line.offset)), "file": .string(file(scan.table, line.segment)),
          "length": .integer(Int64(line.length)), "reason": .string("it \(line.reason)"),
        ]
        note["row"] = line.number.map { .string(folder.name(of: $0, in: scan.table)) }
        return note
      }
    }
    let missing = damaged.missing.flatMap { table, segment, rows in
      rows.map { row -> JSONObject in
        [
          "file": .string(file(table, segment)), "reason": "its line is missing",
          "row": .string(folder.name(of: row, in: table)),
        ]
      }
    }
    return lines + missing
  }

  private func file(_ table: StoreTable, _ segment: Int64) -> String {
    table.path(of: segment, folder.schema).components.joined(separator: "/")
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
    for (table, segment, rows) in damaged.missing {
      let scan = tables.first { $0.table == table }
      let isPresent = scan?.segments[segment] != nil
      let texts = rows.prefix(Self.mostNames).map {
        folder.name(of: $0, in: table) + outcome(of: $0, table, scan?.rows[$0])
      }
      let more = rows.count > texts.count ? " and \(rows.count - texts.count) more" : ""
      problems.append(
        Problem(
          path: folder.segments.path(table, segment),
          text: "\(isPresent ? "it lacks lines" : "it is missing"): \(texts.joined(separator: ", "))\(more)"))
    }
    return problems
  }

  private static let mostNames = 50

  private func outcome(of line: TableScan.BadLine, _ scan: TableScan) -> String {
    guard let number = line.number else { return "" }
    let name = folder.name(of: number, in: scan.table)
    guard let hidden = scan.hidden[number], hidden.segment == line.segment, hidden.offset == line.offset else {
      return ", and a later one says what \(name) is"
    }
    return ", \(name)\(outcome(of: number, scan.table, scan.rows[number]))"
  }

  private func outcome(of number: Int64, _ table: StoreTable, _ row: TableScan.Row?) -> String {
    if damaged.deleted[table]?.contains(number) == true { return " is deleted" }
    guard let row else { return " is lost" }
    return row.isDeletion ? " is deleted, as its line before says" : " is again what its line before says"
  }
}

import Storage

/// The rows that damage changes, found in the lines that are left, in the index and in the history.
struct DamagedRows {
  /// The rows of segments that are missing, by table and segment. Only the index tells of them.
  private(set) var missing: [(table: StoreTable, segment: Int64, rows: [Int64])] = []
  /// The objects that are there after the repair.
  private(set) var present: Set<Int64> = []
  /// The objects that are lost, or again what an earlier line says. Each object that has a record, and is absent without a
  /// reason, is one of them.
  private(set) var objects: Set<Int64> = []
  /// The objects whose deletion the history tells of, and of which only earlier lines are left.
  private(set) var deleted: [StoreTable: Set<Int64>] = [:]
  /// Whether further objects may be lost, whose numbers no line tells.
  private(set) var isUncertain = false
  /// The tables of links that may have lost links.
  private(set) var linkTables: Set<StoreTable> = []

  /// - Parameters:
  ///   - indexed: the rows that the index knows, with their segments.
  ///   - recorded: the objects that have records in the cloud.
  ///   - exported: the transaction through which the mirroring has sent everything.
  init(
    _ tables: [TableScan], _ history: HistoryRepair, indexed: [StoreTable: [Int64: Int64]], recorded: Set<Int64>,
    exported: Int64
  ) {
    for scan in tables { addMissing(of: scan, indexed[scan.table] ?? [:]) }
    for scan in tables {
      let missing = missing.filter { $0.table == scan.table }.flatMap(\.rows)
      if scan.badLines.isEmpty, missing.isEmpty {
        if scan.table.kind == .objects { present.formUnion(scan.present) }
        continue
      }
      switch scan.table.kind {
      case .objects: addObjects(of: scan, missing, history)
      case .links: linkTables.insert(scan.table)
      case .mirroring: break
      }
    }
    // An object that was deleted and one that is lost are absent alike: only the history tells which it was. If it does not,
    // the object counts as lost. An import brings it back; a deletion would be sent to the cloud.
    if isUncertain || !history.tells(after: exported), !hasAllObjects || !history.isSound {
      objects.formUnion(recorded.subtracting(present).subtracting(history.deleted))
    }
  }

  private mutating func addMissing(of scan: TableScan, _ indexed: [Int64: Int64]) {
    // An index that is behind the files may name a segment whose rows were moved to a later one.
    let rows = indexed.filter { row, segment in
      scan.segments[segment] == nil && (scan.rows[row]?.entry.segment ?? 0) < segment
    }
    for (segment, rows) in Dictionary(grouping: rows, by: \.value).sorted(by: { $0.key < $1.key }) {
      missing.append((scan.table, segment, rows.map(\.key).sorted()))
    }
  }

  private mutating func addObjects(of scan: TableScan, _ missing: [Int64], _ history: HistoryRepair) {
    let damaged = Set(scan.hidden.keys).union(missing)
    let isUncertain = scan.badLines.contains { $0.number == nil }
    let deleted = scan.present.intersection(history.deleted).filter { isUncertain || damaged.contains($0) }
    if !deleted.isEmpty { self.deleted[scan.table] = deleted }
    present.formUnion(scan.present.subtracting(deleted))
    objects.formUnion(damaged.subtracting(history.deleted))
    if isUncertain { self.isUncertain = true }
  }

  /// Whether no object is lost, or again what an earlier line says.
  var hasAllObjects: Bool { objects.isEmpty && !isUncertain }

  /// Whether an object is not there, and damage may be the reason.
  func mayHaveLost(_ number: Int64) -> Bool {
    !present.contains(number) && (isUncertain || objects.contains(number))
  }
}

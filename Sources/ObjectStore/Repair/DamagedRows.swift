import LocalCloudStorage

/// The lost and damaged rows, according to the remaining lines, the index and the history.
struct DamagedRows {
  /// The rows that the index names but the files lack, by table and segment.
  private(set) var missing: [(table: StoreTable, segment: Int64, rows: [Int64])] = []
  /// The objects that exist after the repair.
  private(set) var present: Set<Int64> = []
  /// The lost objects, and those that an earlier line restores.
  private(set) var objects: Set<Int64> = []
  /// The rows that are deleted according to the history or the index, but not according to the remaining lines.
  private(set) var deleted: [StoreTable: Set<Int64>] = [:]
  /// Whether further objects may be lost: a damaged line has no number.
  private(set) var isUncertain = false
  /// The lost links that the index names.
  private(set) var pairs: [StoreTable: Set<LinkPair>] = [:]
  /// The tables of links that may lack further links. The index does not name these.
  private(set) var linkTables: Set<StoreTable> = []
  /// The objects without a row in the mirroring's `records`, because the row is lost, and the keys of the rows by the
  /// index.
  private(set) var recordKeys: [Int64: String] = [:]
  /// Whether rows of the mirroring's `links` are lost.
  private(set) var hasLostLinkRows = false

  init(_ tables: [TableScan], _ history: HistoryRepair, _ index: IndexedRows, _ mirrored: MirrorScan) {
    let exported = mirrored.exported
    for scan in tables {
      let missing = addMissing(of: scan, index.rows[scan.table] ?? [:], history)
      switch scan.table.kind {
      case .objects: addObjects(of: scan, missing, history)
      case .links: addLinks(of: scan, missing, index, isComplete: history.isSound || history.tells(after: exported))
      case .mirroring: addMirroring(of: scan, missing, index)
      }
    }
    // Only the history distinguishes a deleted object from a lost one. Without a history the object counts as lost: an
    // import restores it. An export would delete the record of a deleted object.
    if isUncertain || !history.tells(after: exported), !hasAllObjects || !history.isSound {
      objects.formUnion(Set(mirrored.sent.keys).subtracting(present).subtracting(history.deleted))
    }
  }

  /// Adds the rows that have a last line in the index, and not in the files. Returns their numbers.
  private mutating func addMissing(
    of scan: TableScan, _ indexed: [Int64: IndexedRows.Line], _ history: HistoryRepair
  ) -> Set<Int64> {
    var found: [Int64: [Int64]] = [:]
    for (row, line) in indexed {
      if line.isDeletion {
        if let left = scan.rows[row], !left.isDeletion, line.isAfter(left.entry) {
          deleted[scan.table, default: []].insert(row)
        }
        continue
      }
      // An index that is behind the files names an earlier line of a row, or a row that was deleted since.
      if let last = scan.hidden[row] ?? scan.rows[row]?.entry, !line.isAfter(last) { continue }
      if scan.table.kind == .objects, history.deleted.contains(row), scan.rows[row] == nil { continue }
      found[line.segment, default: []].append(row)
    }
    for (segment, rows) in found.sorted(by: { $0.key < $1.key }) {
      missing.append((scan.table, segment, rows.sorted()))
    }
    return Set(found.values.joined())
  }

  private mutating func addObjects(of scan: TableScan, _ missing: Set<Int64>, _ history: HistoryRepair) {
    let damaged = Set(scan.hidden.keys).union(missing)
    let isUncertain = scan.hasUnnumberedLine
    let reported = scan.present.intersection(history.deleted).filter { isUncertain || damaged.contains($0) }
    if !reported.isEmpty { deleted[scan.table, default: []].formUnion(reported) }
    let deleted = deleted[scan.table] ?? []
    present.formUnion(scan.present.subtracting(deleted))
    objects.formUnion(damaged.subtracting(history.deleted).subtracting(deleted))
    if isUncertain { self.isUncertain = true }
  }

  private mutating func addLinks(of scan: TableScan, _ missing: Set<Int64>, _ index: IndexedRows, isComplete: Bool) {
    let lost = missing.union(scan.lostRows)
    if isComplete, lost.isEmpty, !scan.hasUnnumberedLine { return }
    let known = index.pairs[scan.table] ?? [:]
    // An index that was made after the damage does not name the links.
    if isComplete, !scan.hasUnnumberedLine, lost.allSatisfy({ known[$0] != nil }) {
      pairs[scan.table] = Set(lost.compactMap { known[$0] })
    } else {
      linkTables.insert(scan.table)
    }
  }

  private mutating func addMirroring(of scan: TableScan, _ missing: Set<Int64>, _ index: IndexedRows) {
    let lost = missing.union(scan.lostRows)
    if scan.table == .mirroring(.records) { recordKeys = index.recordKeys.filter { lost.contains($0.key) } }
    if scan.table == .mirroring(.links) { hasLostLinkRows = !lost.isEmpty || scan.hasUnnumberedLine }
  }

  /// Whether no object is lost, or again as an earlier line says.
  var hasAllObjects: Bool { objects.isEmpty && !isUncertain }

  /// Whether the mirroring's rows fit the rows that are left.
  var fitsMirroring: Bool {
    hasAllObjects && linkTables.isEmpty && pairs.isEmpty && recordKeys.isEmpty && !hasLostLinkRows
  }

  /// Whether an object is not there, and damage may be the reason.
  func mayHaveLost(_ number: Int64) -> Bool {
    !present.contains(number) && (isUncertain || objects.contains(number))
  }
}

import Storage

/// Makes the mirroring's rows of damaged objects fit. A lost object is not a deleted one: an export would delete the record
/// of a deleted object in the cloud. The next import fetches the zones anew, and brings the objects as the cloud has them.
struct MirrorRepair {
  private let folder: StoreFolder
  private let view: FolderView
  private let tables: [MirrorTable: TableScan]
  private var puts: [MirrorTable: [MirrorRow]] = [:]
  private var removals: [MirrorTable: [MirrorRow]] = [:]
  private var zones: Set<String> = []

  init(
    _ folder: StoreFolder, _ view: FolderView, _ tables: [TableScan], _ objects: DamagedObjects,
    _ history: HistoryRepair
  ) throws {
    self.folder = folder
    self.view = view
    let named = tables.filter { $0.table.kind == .mirroring }.map { (MirrorTable.allCases[Int($0.table.place)], $0) }
    self.tables = Dictionary(named, uniquingKeysWith: { first, _ in first })
    if objects.isEmpty { return }
    var lost: Set<Int64> = []
    let referrers = try Self.referrers(to: objects, tables, folder, view)
    let deleted = try deletions(history)
    for row in try rows(of: .records) {
      guard var entry = RecordEntry(row) else { continue }
      let isDeleted = !objects.damaged.contains(entry.number) && deleted?.contains(entry.number) == true
      if objects.mayHaveLost(entry.number), !isDeleted {
        lost.insert(entry.number)
        removals[.records, default: []].append(row)
      } else if objects.damaged.contains(entry.number) || referrers.contains(entry.number) {
        // A tag that no record has: the import takes over the values of the record.
        guard entry.tag != nil else { continue }
        entry.tag = ""
        puts[.records, default: []].append(entry.row)
      } else {
        continue
      }
      zones.insert(entry.home.zone.key)
    }
    try forgetLinks(of: lost)
    for row in try rows(of: .zones) {
      guard var entry = ZoneEntry(row), zones.contains(entry.home.key) else { continue }
      (entry.token, entry.isWalkedAnew) = (nil, true)
      puts[.zones, default: []].append(entry.row)
    }
  }

  var isEmpty: Bool { puts.isEmpty && removals.isEmpty }

  /// The records of pairs, which the import brings with the objects.
  private mutating func forgetLinks(of lost: Set<Int64>) throws {
    if lost.isEmpty { return }
    let links = try rows(of: .links)
    let entries = links.compactMap { LinkEntry($0) }
    let ending = entries.filter { lost.contains($0.forward) || lost.contains($0.backward) }
    let numbers = Set(ending.flatMap(\.rows))
    let removed = links.filter { numbers.contains($0.id) }
    if !removed.isEmpty { removals[.links] = removed }
  }

  /// The objects that were deleted since the last export; nil if the history does not tell.
  private func deletions(_ history: HistoryRepair) throws -> Set<Int64>? {
    let state = try rows(of: .state).first { $0.key == StateKey.export }
    return history.deletions(after: state?.values["token"]?.integer ?? 0)
  }

  /// The rows as they are after the repair.
  private func rows(of table: MirrorTable) throws -> [MirrorRow] {
    guard let scan = tables[table] else { return [] }
    let entries = scan.rows.filter { !$0.value.isDeletion }.sorted { $0.key < $1.key }.map(\.value.entry)
    return try folder.segments.read(scan.table, entries, view) { MirrorRow($1) }.compactMap(\.self)
  }

  /// The objects whose relationships to one object lead to one that is, or may be, lost.
  private static func referrers(
    to objects: DamagedObjects, _ tables: [TableScan], _ folder: StoreFolder, _ view: FolderView
  ) throws -> Set<Int64> {
    var found: Set<Int64> = []
    for scan in tables where scan.table.kind == .objects {
      let coder = folder.coders[Int(scan.table.place)]
      try scan.forEachRow(view) { line in
        guard let row = coder.row(line) else { return }
        if row.toOnes.compactMap(\.self).contains(where: { objects.mayHaveLost($0.number) }) {
          found.insert(row.id.number)
        }
      }
    }
    return found
  }

  // MARK: Result

  /// The lines for each table.
  var lines: [(table: MirrorTable, lines: [UInt8])] {
    MirrorTable.allCases.compactMap { table in
      var writer = JSONWriter(isPretty: false)
      for row in removals[table] ?? [] { RowCoder.writeDeletion(row.id, to: &writer) }
      for row in puts[table] ?? [] { row.encode(into: &writer) }
      return writer.bytes.isEmpty ? nil : (table, writer.bytes)
    }
  }

  /// The rows that are removed.
  var notes: [JSONObject] {
    removals.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { table, rows in
      rows.map { row in
        var note: JSONObject = [
          "file": .string("mirroring/\(table.rawValue)"), "reason": "its object is lost", "row": .integer(row.id),
          "values": .object(row.values),
        ]
        note["key"] = row.key.map(JSONValue.string)
        return note
      }
    }
  }

  func problems(_ aside: Quarantine) -> [Problem] {
    if isEmpty { return [] }
    let lost = removals[.records]?.count ?? 0
    return [
      Problem(
        path: folder.directory.path(of: StoreTable.Kind.mirroring.folder),
        text: "\(lost) records of objects that are lost stay in the cloud, and the next import fetches "
          + "\(zones.count) zones anew; what was known of them is in \(aside.path)")
    ]
  }
}

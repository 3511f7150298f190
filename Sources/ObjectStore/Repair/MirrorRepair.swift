import Storage

/// Makes the mirroring's rows fit objects and links that are lost. Nothing that is lost was deleted: an export would delete
/// the record of a deleted object, and that of a pair that is no longer linked. The next import walks the zones anew, and
/// brings the objects and links as the cloud has them.
struct MirrorRepair {
  private let folder: StoreFolder
  private let scan: MirrorScan
  private let damaged: DamagedRows
  private var puts: [MirrorTable: [MirrorRow]] = [:]
  private var removals: [MirrorTable: [MirrorRow]] = [:]
  private var zones: Set<String> = []
  /// The records of lost objects, by the objects' numbers.
  private var lost: [Int64: RecordHome] = [:]
  private var lostPairs = 0
  /// The last number that the new rows have.
  private(set) var lastNumber: Int64

  /// - Parameter number: the number before those that new rows get.
  init(
    _ folder: StoreFolder, _ view: FolderView, _ tables: [TableScan], _ scan: MirrorScan, _ damaged: DamagedRows,
    _ links: LinkRepair, after number: Int64
  ) throws {
    self.folder = folder
    self.scan = scan
    self.damaged = damaged
    lastNumber = number
    if damaged.hasAllObjects, damaged.linkTables.isEmpty { return }
    try forgetRecords()
    try forgetPairs(links.pairs)
    if !lost.isEmpty { try wait(tables, view) }
    for row in try scan.rows(of: .zones) {
      guard var entry = ZoneEntry(row), zones.contains(entry.home.key) else { continue }
      (entry.token, entry.isWalkedAnew) = (nil, true)
      puts[.zones, default: []].append(entry.row)
    }
  }

  var isEmpty: Bool { puts.isEmpty && removals.isEmpty }

  // MARK: Rows

  private mutating func forgetRecords() throws {
    for row in try scan.rows(of: .records) {
      guard var entry = RecordEntry(row), damaged.objects.contains(entry.number) else { continue }
      if !damaged.present.contains(entry.number) {
        lost[entry.number] = entry.home
        removals[.records, default: []].append(row)
      } else if entry.tag != nil {
        // A tag that no record has: the import takes over the values of the record.
        entry.tag = ""
        puts[.records, default: []].append(entry.row)
      } else {
        continue
      }
      zones.insert(entry.home.zone.key)
    }
  }

  /// Forgets the records of pairs of lost objects, and of pairs whose link may be lost.
  ///
  /// - Parameter linked: the pairs that are linked, of the tables that may have lost links.
  private mutating func forgetPairs(_ linked: [StoreTable: Set<LinkRepair.Pair>]) throws {
    let rows = try scan.rows(of: .links)
    var numbers: Set<Int64> = []
    for entry in rows.compactMap({ LinkEntry($0) }) {
      let isOfLost = lost[entry.forward] != nil || lost[entry.backward] != nil
      guard isOfLost || isLost(entry, linked) else { continue }
      if !isOfLost { lostPairs += 1 }
      numbers.formUnion(entry.rows)
      zones.insert(entry.home.zone.key)
    }
    let removed = rows.filter { numbers.contains($0.id) }
    if !removed.isEmpty { removals[.links] = removed }
  }

  private func isLost(_ entry: LinkEntry, _ linked: [StoreTable: Set<LinkRepair.Pair>]) -> Bool {
    guard !entry.isEnding, let place = entry.place(in: folder.schema), case let table = StoreTable.links(place),
      damaged.linkTables.contains(table)
    else { return false }
    let pair = LinkRepair.Pair(forward: entry.forward, backward: entry.backward)
    let reverse = LinkRepair.Pair(forward: entry.backward, backward: entry.forward)
    let isMutual = folder.schema.relationships[place].inverse == place
    let pairs = linked[table] ?? []
    return !pairs.contains(pair) && !(isMutual && pairs.contains(reverse))
  }

  /// Lets the relationships that lead to lost objects wait for the records of these. An export does not empty the field of a
  /// relationship that waits, and the import sets the relationship when it has made the object anew.
  private mutating func wait(_ tables: [TableScan], _ view: FolderView) throws {
    let waiting = try scan.rows(of: .waiting)
    let former = Dictionary(waiting.map { ($0.key ?? "", $0) }, uniquingKeysWith: { _, last in last })
    for scan in tables where scan.table.kind == .objects {
      let coder = folder.coders[Int(scan.table.place)]
      try scan.forEachRow(view) { line in
        guard let row = coder.row(line), damaged.present.contains(row.id.number) else { return }
        for (place, target) in row.toOnes.enumerated() {
          guard let home = target.flatMap({ lost[$0.number] }) else { continue }
          let reference = WaitingEntry.Reference.toOne(number: row.id.number, relationship: coder.toOneNames[place])
          // A reference waits for one record at a time.
          if let row = former[WaitingEntry.key(reference)], let entry = WaitingEntry.number(row) {
            removals[.waiting, default: []] += waiting.filter { $0.id == row.id || $0.id == entry }
          }
          let entry = WaitingEntry(number: lastNumber + 1, target: home, reference: reference)
          puts[.waiting, default: []] += [entry.row, entry.referenceRow(lastNumber + 2)]
          lastNumber += 2
        }
      }
    }
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
          "file": .string("mirroring/\(table.rawValue)"), "reason": "its object or link is lost",
          "row": .integer(row.id), "values": .object(row.values),
        ]
        note["key"] = row.key.map(JSONValue.string)
        return note
      }
    }
  }

  func problems(_ aside: Quarantine) -> [Problem] {
    if isEmpty { return [] }
    return [
      Problem(
        path: folder.directory.path(of: StoreTable.Kind.mirroring.folder),
        text: "the records of \(lost.count) objects and \(lostPairs) links that are lost stay in the cloud, and the "
          + "next import fetches \(zones.count) zones anew; their rows are in \(aside.path)")
    ]
  }
}

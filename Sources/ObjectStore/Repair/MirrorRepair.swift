import LocalCloudStorage

/// Adapts the mirroring's rows to lost objects and links. These were not deleted, but an export would treat them as
/// deleted: it would delete the record of each lost object, and of each pair that is no longer linked. The next import
/// fetches the zones anew, and restores the objects and links from the cloud.
struct MirrorRepair {
  private let folder: StoreFolder
  private let scan: MirrorScan
  private let damaged: DamagedRows
  private var puts: [MirrorTable: [MirrorRow]] = [:]
  private var removals: [MirrorTable: [MirrorRow]] = [:]
  private var zones: Set<ZoneLocation> = []
  /// The records of lost objects, by the objects' numbers.
  private var lost: [Int64: RecordLocation] = [:]
  /// The first rows of the pairs that are forgotten.
  private var forgotten: Set<Int64> = []
  private var lostPairs = 0
  private var restored = 0
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
    if damaged.fitsMirroring { return }
    try forgetRecords()
    restoreRecords()
    try forgetPairs(links.pairs)
    try forgetFormerLocations()
    if !lost.isEmpty { try wait(tables, view) }
    for row in try rows(of: .zones) {
      guard var entry = ZoneEntry(row), zones.contains(entry.location) || damaged.hasLostLinkRows else { continue }
      (entry.token, entry.isWalkedAnew) = (nil, true)
      puts[.zones, default: []].append(entry.row)
    }
  }

  var isEmpty: Bool { puts.isEmpty && removals.isEmpty }

  // MARK: Rows

  private func rows(of table: MirrorTable) throws -> [MirrorRow] {
    let deleted = damaged.deleted[.mirroring(table)] ?? []
    return try scan.rows(of: table).filter { !deleted.contains($0.id) }
  }

  private mutating func forgetRecords() throws {
    for row in try rows(of: .records) {
      guard var entry = RecordEntry(row), damaged.objects.contains(entry.id.number) else { continue }
      if !damaged.present.contains(entry.id.number) {
        // A record that was not sent to its new zone yet is where it was before.
        lost[entry.id.number] = entry.tag == nil ? entry.leaving.last ?? entry.location : entry.location
        removals[.records, default: []].append(row)
      } else if entry.tag != nil {
        // A tag that no record has: the import takes over the values of the record.
        entry.tag = ""
        puts[.records, default: []].append(entry.row)
      } else {
        continue
      }
      zones.formUnion(([entry.location] + entry.leaving).map(\.zone))
    }
  }

  /// Makes lost rows of records anew, by their keys in the index. An object without a row would get a second record.
  private mutating func restoreRecords() {
    for (number, key) in damaged.recordKeys.sorted(by: { $0.key < $1.key }) {
      guard let location = RecordLocation(key: key) else { continue }
      zones.insert(location.zone)
      if damaged.present.contains(number), let id = scan.objects[number] {
        restored += 1
        puts[.records, default: []].append(RecordEntry(id: id, location: location).row)
      }
    }
  }

  /// Removes the entries of pairs of lost objects, of pairs that may have lost their link, and of pairs that lack one
  /// of their rows.
  ///
  /// - Parameter linked: the pairs that are linked, of the tables that may have lost links.
  private mutating func forgetPairs(_ linked: [StoreTable: Set<LinkPair>]) throws {
    let rows = try rows(of: .links)
    let present = Set(rows.map(\.id))
    var numbers: Set<Int64> = []
    for entry in rows.compactMap({ LinkEntry($0) }) {
      let isOfLost = lost[entry.forward.number] != nil || lost[entry.backward.number] != nil
      let isLost = isLost(entry, linked)
      guard isOfLost || isLost || !present.isSuperset(of: entry.rows) else { continue }
      if isLost, !isOfLost { lostPairs += 1 }
      forgotten.insert(entry.rows[0])
      numbers.formUnion(entry.rows)
      zones.formUnion(([entry.location] + entry.leaving).map(\.zone))
    }
    let removed = rows.filter { row in
      numbers.contains(row.id) || LinkEntry.number(row).map { !present.contains($0) } == true
    }
    if !removed.isEmpty { removals[.links] = removed }
  }

  private func isLost(_ entry: LinkEntry, _ linked: [StoreTable: Set<LinkPair>]) -> Bool {
    guard !entry.isEnding, let relationship = entry.relationshipIndex(in: folder.schema) else { return false }
    let table = StoreTable.links(relationship)
    let pair = LinkPair(forward: entry.forward.number, backward: entry.backward.number)
    let reverse = LinkPair(forward: entry.backward.number, backward: entry.forward.number)
    func contains(_ pairs: Set<LinkPair>) -> Bool {
      pairs.contains(pair)
        || (folder.schema.relationships[relationship].inverse == relationship && pairs.contains(reverse))
    }
    if damaged.linkTables.contains(table) { return !contains(linked[table] ?? []) }
    return contains(damaged.pairs[table] ?? [])
  }

  /// Removes the previous addresses of the records with removed entries: otherwise an import would ignore the records
  /// there.
  private mutating func forgetFormerLocations() throws {
    let removed = try rows(of: .state).filter { row in
      switch FormerLocation(row)?.subject {
      case .object(let id): lost[id.number] != nil
      case .link(let number): forgotten.contains(number)
      case nil: false
      }
    }
    if !removed.isEmpty { removals[.state] = removed }
  }

  /// Adds a waiting entry for each relationship that leads to a lost object. An export does not empty the field of a
  /// waiting relationship. The import sets the relationship when it makes the object anew.
  private mutating func wait(_ tables: [TableScan], _ view: FolderView) throws {
    let waiting = try rows(of: .waiting)
    let byKey = Dictionary(waiting.map { ($0.key ?? "", $0) }, uniquingKeysWith: { _, last in last })
    let byNumber = Dictionary(uniqueKeysWithValues: waiting.map { ($0.id, $0) })
    for scan in tables where scan.table.kind == .objects {
      let coder = folder.coders[Int(scan.table.index)]
      try scan.forEachRow(view) { line in
        guard let row = coder.row(line), damaged.present.contains(row.id.number) else { return }
        for (index, target) in row.toOnes.enumerated() {
          guard let location = target.flatMap({ lost[$0.number] }) else { continue }
          let reference = WaitingEntry.Reference.toOne(row.id, relationship: coder.toOneNames[index])
          // A reference waits for one record at a time.
          if let former = byKey[WaitingEntry.key(reference)], let entry = WaitingEntry.number(former) {
            removals[.waiting, default: []] += [former, byNumber[entry]].compactMap(\.self)
          }
          let entry = WaitingEntry(number: lastNumber + 1, target: location, reference: reference)
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
      for row in puts[table] ?? [] { row.encode(into: &writer, folder.names) }
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
    let walked = puts[.zones]?.count ?? 0
    let made = restored == 0 ? "" : "; the rows of \(restored) records are made anew"
    return [
      Problem(
        path: folder.directory.path(of: StoreTable.Kind.mirroring.folder),
        text: "the records of \(lost.count) objects and \(lostPairs) links that are lost stay in the cloud, and the "
          + "next import fetches \(walked) zones anew\(made); former rows are in \(aside.path)")
    ]
  }
}

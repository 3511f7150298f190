import LocalCloudStorage

/// Ends the links of lost objects. An import that restores such an object gives it another number, and makes its links
/// anew. No other process ends the links of the old number.
struct LinkRepair {
  /// The links that end, by table.
  private(set) var links: [(table: StoreTable, links: [LinkKey])] = []
  /// The pairs that stay linked, of the tables that may have lost links.
  private(set) var pairs: [StoreTable: Set<LinkPair>] = [:]

  init(_ folder: StoreFolder, _ view: FolderView, _ tables: [TableScan], _ damaged: DamagedRows) throws {
    for scan in tables where scan.table.kind == .links {
      let mayLack = damaged.linkTables.contains(scan.table)
      if damaged.hasAllObjects, !mayLack { continue }
      var ended: [LinkKey] = []
      try scan.forEachRow(view) { line in
        guard let link = LinkKey(line, table: Int(scan.table.index), folder.names),
          damaged.deleted[scan.table]?.contains(link.number) != true
        else { return }
        if damaged.mayHaveLost(link.from.number) || damaged.mayHaveLost(link.to.number) {
          ended.append(link)
        } else if mayLack {
          pairs[scan.table, default: []].insert(LinkPair(forward: link.from.number, backward: link.to.number))
        }
      }
      if !ended.isEmpty { links.append((scan.table, ended.sorted { $0.number < $1.number })) }
    }
  }

  var isEmpty: Bool { links.isEmpty }

  /// The lines that end the links, for each table.
  var lines: [(table: StoreTable, lines: [UInt8])] {
    links.map { table, links in (table, RowCoder.deletions(links.map(\.number))) }
  }

  func notes(_ folder: StoreFolder) -> [JSONObject] {
    links.flatMap { table, links in
      links.map { link in
        [
          "file": .string(table.folder(folder.schema).joined(separator: "/")),
          "from": .string(folder.names.text(link.from)), "reason": "an object of it is lost",
          "row": .string("the link \(link.number)"), "to": .string(folder.names.text(link.to)),
        ]
      }
    }
  }

  func problems(_ folder: StoreFolder, _ aside: Quarantine) -> [Problem] {
    links.map { table, links in
      Problem(
        path: folder.directory.path(of: table.folder(folder.schema).joined(separator: "/")),
        text: "\(links.count) links of objects that are lost are ended: they are in \(aside.path)")
    }
  }
}

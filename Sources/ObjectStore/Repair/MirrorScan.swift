import LocalCloudStorage

/// The rows of the mirroring's tables, read only from the segments.
struct MirrorScan {
  private let folder: StoreFolder
  private let view: FolderView
  private let scans: [MirrorTable: TableScan]
  /// The last transaction that is sent completely; 0 before the first export.
  private(set) var exported: Int64 = 0
  /// For each object with a record, the last transaction from which its changes were sent.
  private(set) var sent: [Int64: Int64] = [:]
  /// The objects, by their numbers.
  private(set) var objects: [Int64: RowID] = [:]

  init(_ folder: StoreFolder, _ view: FolderView, _ tables: [TableScan]) throws {
    self.folder = folder
    self.view = view
    let named = tables.filter { $0.table.kind == .mirroring }.map { (MirrorTable.allCases[Int($0.table.index)], $0) }
    scans = Dictionary(named, uniquingKeysWith: { first, _ in first })
    for scan in tables where scan.table.kind == .objects {
      for number in scan.present { objects[number] = RowID(entity: Int(scan.table.index), number: number) }
    }
    exported = try rows(of: .state).first { $0.key == StateKey.export }?.values["token"]?.integer ?? 0
    for entry in try rows(of: .records).compactMap({ RecordEntry($0) }) { sent[entry.id.number] = entry.sent }
  }

  /// The rows of a table, as they are after the repair, by their numbers.
  func rows(of table: MirrorTable) throws -> [MirrorRow] {
    guard let scan = scans[table] else { return [] }
    let entries = scan.rows.filter { !$0.value.isDeletion }.sorted { $0.key < $1.key }.map(\.value.entry)
    return try folder.segments.read(scan.table, entries, view) { _, line in
      MirrorRow(line, in: table, folder.names) { objects[$0] }
    }
    .compactMap(\.self)
  }

  /// The highest transaction in the rows.
  var lastTransaction: Int64 { max(exported, sent.values.max() ?? 0) }
}

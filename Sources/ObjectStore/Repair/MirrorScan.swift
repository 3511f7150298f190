import Storage

/// The rows of the mirroring's tables, read from the segments alone.
struct MirrorScan {
  private let folder: StoreFolder
  private let view: FolderView
  private let scans: [MirrorTable: TableScan]

  init(_ folder: StoreFolder, _ view: FolderView, _ tables: [TableScan]) {
    self.folder = folder
    self.view = view
    let named = tables.filter { $0.table.kind == .mirroring }.map { (MirrorTable.allCases[Int($0.table.place)], $0) }
    scans = Dictionary(named, uniquingKeysWith: { first, _ in first })
  }

  /// The rows of a table, as they are after the repair, by their numbers.
  func rows(of table: MirrorTable) throws -> [MirrorRow] {
    guard let scan = scans[table] else { return [] }
    let entries = scan.rows.filter { !$0.value.isDeletion }.sorted { $0.key < $1.key }.map(\.value.entry)
    return try folder.segments.read(scan.table, entries, view) { MirrorRow($1) }.compactMap(\.self)
  }

  /// The transaction through which everything is sent; 0 before the first export.
  func exported() throws -> Int64 {
    try rows(of: .state).first { $0.key == StateKey.export }?.values["token"]?.integer ?? 0
  }

  /// The highest transaction that the rows name.
  func lastTransaction() throws -> Int64 {
    let sent = try rows(of: .records).compactMap { RecordEntry($0)?.sent }.max() ?? 0
    return try max(exported(), sent)
  }
}

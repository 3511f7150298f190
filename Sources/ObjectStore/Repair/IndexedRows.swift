import LocalCloudStorage

/// The rows in a store's index. For a row that the files lack, the index is the only source.
struct IndexedRows {
  /// The location of a row's latest line.
  struct Line {
    var segment: Int64
    var offset: Int
    var isDeletion: Bool

    /// Whether the line is behind another line of its table.
    func isAfter(_ other: RowEntry) -> Bool { (segment, offset) > (other.segment, other.offset) }
  }

  private(set) var rows: [StoreTable: [Int64: Line]] = [:]
  /// The linked objects, by table and link.
  private(set) var pairs: [StoreTable: [Int64: LinkPair]] = [:]
  /// The keys of the rows in the mirroring's `records`, by object.
  private(set) var recordKeys: [Int64: String] = [:]

  /// No rows: the index is missing or damaged.
  init() {}

  /// Throws `IndexDamage`.
  init(_ index: IndexFile) throws {
    try index.verify()
    for kind in [IndexKind.row, .deletion] {
      try index.scan(prefix: [kind.rawValue]) { key in
        if let table = StoreTable(key: key), let entry = RowEntry(key: key) {
          rows[table, default: [:]][RowEntry.number(ofKey: key)] = Line(
            segment: entry.segment, offset: entry.offset, isDeletion: kind == .deletion)
        }
        return true
      }
    }
    try index.scan(prefix: [IndexKind.forward.rawValue]) { key in
      if let (table, near) = LinkKey.near(key), let far = LinkKey.far(key) {
        pairs[.links(table), default: [:]][far.number] = LinkPair(forward: near, backward: far.id.number)
      }
      return true
    }
    try index.scan(prefix: NameKey.prefix(.records)) { key in
      recordKeys[key.lastNumber] = NameKey.name(key)
      return true
    }
  }
}

/// The numbers of two linked objects.
struct LinkPair: Hashable {
  var forward: Int64
  var backward: Int64
}

import LocalCloudObjectStore
import LocalCloudStorage

/// A transaction that shows the changes of earlier steps to later ones. The transaction's own reads see the store as it
/// was before.
final class StoreEdits: MirrorTables {
  let transaction: StoreTransaction
  var schema: StoreSchema { transaction.schema }

  /// Whether the copy of a share changes. The history does not list this.
  var changesShare = false
  /// Whether there are changes to send that the history does not list: see ``setPending(_:_:)``.
  var wantsExport = false
  private var tables: [MirrorTable: TableEdits] = [:]
  let objects: ObjectEdits

  init(_ transaction: StoreTransaction) {
    self.transaction = transaction
    objects = ObjectEdits(transaction)
  }

  /// Writes all changes to the transaction. The transaction is in the history only if objects change.
  func finish() throws {
    try objects.finish()
    transaction.isInHistory = objects.hasChanges
    for (table, edits) in tables.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      for (id, row) in edits.rows.sorted(by: { $0.key < $1.key }) {
        if let row {
          transaction.put(row, in: table)
        } else if try transaction.row(id, in: table) != nil {
          transaction.remove(id, from: table)
        }
      }
    }
  }

  // MARK: Tables

  func row(_ id: Int64, in table: MirrorTable) throws -> MirrorRow? {
    if let edited = tables[table]?.rows[id] { return edited }
    return try transaction.row(id, in: table)
  }

  func row(key: String, in table: MirrorTable) throws -> MirrorRow? {
    if let row = tables[table]?.row(key: key) { return row }
    guard let row = try transaction.row(key: key, in: table), tables[table]?.rows[row.id] == nil else {
      return nil
    }
    return row
  }

  /// The rows with exactly that key.
  func rows(key: String, in table: MirrorTable) throws -> [MirrorRow] {
    var rows = tables[table]?.rows(key: key) ?? []
    // Rows with longer keys follow them.
    try transaction.forEachMirrorRow(keyPrefix: key, in: table) { row in
      guard row.key?.hasSameBytes(as: key) == true else { return false }
      if tables[table]?.rows[row.id] == nil { rows.append(row) }
      return true
    }
    return rows
  }

  func rows(prefix: String, in table: MirrorTable) throws -> [MirrorRow] {
    var rows = tables[table]?.rows(prefix: prefix) ?? []
    try transaction.forEachMirrorRow(keyPrefix: prefix, in: table) { row in
      if tables[table]?.rows[row.id] == nil { rows.append(row) }
      return true
    }
    return rows
  }

  func hasRows(prefix: String, in table: MirrorTable) throws -> Bool {
    if tables[table]?.rows(prefix: prefix).isEmpty == false { return true }
    var isFound = false
    try transaction.forEachMirrorRow(keyPrefix: prefix, in: table) { row in
      isFound = tables[table]?.rows[row.id] == nil
      return !isFound
    }
    return isFound
  }

  func put(_ row: MirrorRow, in table: MirrorTable) { tables[table, default: TableEdits()].put(row) }

  func remove(_ id: Int64, from table: MirrorTable) { tables[table, default: TableEdits()].remove(id) }
}

/// The changes of a transaction to a table. A nil row is removed.
private struct TableEdits {
  private(set) var rows: [Int64: MirrorRow?] = [:]
  private var ids: [ExactName: Set<Int64>] = [:]
  /// All keys of `ids`, ordered.
  private var keys: [ExactName] = []

  mutating func put(_ row: MirrorRow) {
    forget(row.id)
    rows[row.id] = .some(row)
    guard let key = row.key.map({ ExactName($0) }) else { return }
    if ids[key] == nil { keys.insert(key, at: index(of: key)) }
    ids[key, default: []].insert(row.id)
  }

  mutating func remove(_ id: Int64) {
    forget(id)
    rows[id] = .some(nil)
  }

  private mutating func forget(_ id: Int64) {
    if let key = rows[id]??.key { ids[ExactName(key)]?.remove(id) }
  }

  func row(key: String) -> MirrorRow? { ids[ExactName(key)]?.min().flatMap { rows[$0] ?? nil } }

  func rows(key: String) -> [MirrorRow] { (ids[ExactName(key)] ?? []).sorted().compactMap { rows[$0] ?? nil } }

  func rows(prefix: String) -> [MirrorRow] {
    if prefix.isEmpty { return rows.values.compactMap { $0 }.sorted { $0.id < $1.id } }
    let found = keys[index(of: ExactName(prefix))...].prefix { $0.string.utf8.starts(with: prefix.utf8) }
    return found.flatMap { ids[$0] ?? [] }.sorted().compactMap { rows[$0] ?? nil }
  }

  /// The index of the first key that is not before `key`.
  private func index(of key: ExactName) -> Int {
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

import LocalCloudPredicateFormat
import LocalCloudStorage

/// The store after its last commit, while its lock is held.
package class StoreView {
  package let store: ObjectStore
  package var schema: StoreSchema { store.schema }
  let view: FolderView
  var folder: StoreFolder { store.files }

  init(_ store: ObjectStore, _ view: FolderView) {
    self.store = store
    self.view = view
  }

  /// The number of the last transaction; 0 before the first.
  package func head() throws -> Int64 { try view.head() }

  // MARK: Damage

  /// The segments that had lines which are no rows when the index was made ([store-29]).
  final func damagedSegments() throws -> [DamageEntry] { try damage.get() }

  private lazy var damage = Result { try view.damagedSegments() }

  /// Throws ``StorageError/damaged(path:reason:)`` for a table with a line that is no row: some of its rows may be
  /// unknown.
  final func requireWhole(_ table: StoreTable) throws {
    if let entry = try damagedSegments().first(where: { $0.table == table }) { throw folder.damage(entry) }
  }

  /// The same check for the objects of several entities.
  final func requireWhole(objectsOf entities: some Sequence<Int>) throws {
    for entity in entities { try requireWhole(.objects(entity)) }
  }

  // MARK: Objects

  /// The object's row; nil if there is no such object.
  package func row(_ id: RowID) throws -> StoredRow? { try storedRow(id) }

  /// The rows of the objects that exist, in the order of `ids`. Rows that are near each other in a file are read
  /// together.
  package func rows(_ ids: [RowID]) throws -> [StoredRow] { try storedRows(ids) }

  final func storedRow(_ id: RowID) throws -> StoredRow? {
    guard let entry = try entry(id) else { return nil }
    let table = StoreTable.objects(id.entity)
    return try row(folder.segments.line(table, entry, view), table, entry)
  }

  final func storedRows(_ ids: [RowID]) throws -> [StoredRow] {
    var found = [StoredRow?](repeating: nil, count: ids.count)
    var tables: [StoreTable: (entries: [RowEntry], indexes: [Int])] = [:]
    for (index, id) in ids.enumerated() {
      guard let entry = try entry(id) else { continue }
      tables[.objects(id.entity), default: ([], [])].entries.append(entry)
      tables[.objects(id.entity), default: ([], [])].indexes.append(index)
    }
    for (table, (entries, indexes)) in tables {
      try folder.segments.forEachLine(table, entries, view) { index, line in
        found[indexes[index]] = try row(line, table, entries[index])
      }
    }
    return found.compactMap(\.self)
  }

  /// The version of an object, from the index only; nil if there is none.
  package func version(of id: RowID) throws -> Int64? { try entry(id)?.version }

  /// An object's own entity by its number; nil if there is no such object.
  package func id(numbered number: Int64) throws -> RowID? {
    for entity in schema.entities.indices where !schema.entities[entity].isAbstract {
      if try view.rowEntry(.objects(entity), number) != nil { return RowID(entity: entity, number: number) }
    }
    try requireWhole(objectsOf: schema.entities.indices)
    return nil
  }

  /// Whether there is an object of any entity.
  package func hasObjects() throws -> Bool {
    if try schema.entities.indices.contains(where: { try view.first(StoreTable.objects($0).prefix(.row)) != nil }) {
      return true
    }
    try requireWhole(objectsOf: schema.entities.indices)
    return false
  }

  /// The objects of an entity, by number, without those of its subentities.
  package func ids(of entity: Int) throws -> [RowID] {
    try requireWhole(.objects(entity))
    var ids: [RowID] = []
    try view.scan(prefix: StoreTable.objects(entity).prefix(.row)) { key in
      ids.append(RowID(entity: entity, number: RowEntry.number(ofKey: key)))
      return true
    }
    return ids
  }

  /// Calls `body` with the objects of an entity, by number, without those of its subentities, until it returns false.
  package func forEachRow(of entity: Int, _ body: (StoredRow) throws -> Bool) throws {
    let table = StoreTable.objects(entity)
    try requireWhole(table)
    // Enough of them that segments are read in large pieces, and so few that a caller that stops early has not waited
    // for all.
    try view.forEachEntry(of: table, together: 2_000) { entries in
      let rows = try folder.segments.read(table, entries, view) { index, line in try row(line, table, entries[index]) }
      return try rows.allSatisfy(body)
    }
  }

  func entry(_ id: RowID) throws -> RowEntry? {
    guard Int(id.entity) < schema.entities.count else { return nil }
    if let entry = try view.rowEntry(.objects(id.entity), id.number) { return entry }
    try requireWhole(.objects(id.entity))
    return nil
  }

  final func row(_ line: JSONValue, _ table: StoreTable, _ entry: RowEntry) throws -> StoredRow {
    guard let row = folder.coders[Int(table.index)].row(line) else {
      throw StorageError.damaged(
        path: folder.segments.path(table, entry.segment),
        reason: "the line at byte \(entry.offset) is no object of this entity")
    }
    return row
  }

  // MARK: History

  /// The transactions after the one with the number `transaction`, oldest first.
  ///
  /// - Parameter limit: the maximum number of transactions.
  /// - Throws: ``ObjectStoreError/historyPurged`` if some of them were removed.
  package func history(after transaction: Int64, limit: Int = .max) throws -> [HistoryTransaction] {
    guard try transaction >= historyHorizon() else { throw ObjectStoreError.historyPurged }
    var reader = HistoryReader(schema, folder.names, limit: limit)
    try view.forEachLine(of: StoreFolder.history, after: transaction) { try reader.add($0, $1) }
    return reader.transactions
  }

  /// The last transaction that was removed from the history; 0 if none was.
  package func historyHorizon() throws -> Int64 { try view.log(StoreFolder.history)?.header().horizon ?? 0 }
}

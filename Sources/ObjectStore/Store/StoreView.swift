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

  /// The rows of the objects that exist, in the order of `ids`. Rows that are near each other in a file are read
  /// together. `isCached`: whether the cache stores those that it does not have.
  package func rows(_ ids: [RowID], isCached: Bool = true) throws -> [StoredRow] {
    let located = try ids.compactMap { id in try entry(id, isCached: isCached).map { Located(id: id, entry: $0) } }
    return try read(located, isCached: isCached)
  }

  /// The object's row; nil if there is no such object.
  package func row(_ id: RowID) throws -> StoredRow? {
    guard var entry = try entry(id) else { return nil }
    if entry.row == nil {
      let table = StoreTable.objects(id.entity)
      entry.row = try row(folder.segments.line(table, entry.location, view), table, entry.location)
      folder.rowCache.put(entry, id)
    }
    return entry.row
  }

  private struct Located {
    var id: RowID
    var entry: RowCache.Entry
  }

  /// The rows at some locations. Reads those that the cache does not have.
  private func read(_ located: [Located], isCached: Bool) throws -> [StoredRow] {
    var found = located.map(\.entry.row)
    var tables: [StoreTable: (entries: [RowEntry], indexes: [Int])] = [:]
    for index in located.indices where found[index] == nil {
      let table = StoreTable.objects(located[index].id.entity)
      tables[table, default: ([], [])].entries.append(located[index].entry.location)
      tables[table, default: ([], [])].indexes.append(index)
    }
    for (table, (entries, indexes)) in tables {
      try folder.segments.forEachLine(table, entries, view) { index, line in
        var read = located[indexes[index]]
        read.entry.row = try row(line, table, entries[index])
        found[indexes[index]] = read.entry.row
        if isCached { folder.rowCache.put(read.entry, read.id) }
      }
    }
    return found.compactMap(\.self)
  }

  /// The version of an object, without reading its row; nil if there is none.
  package func version(of id: RowID) throws -> Int64? { try entry(id)?.location.version }

  package final func exists(_ id: RowID) throws -> Bool { try version(of: id) != nil }

  /// The stored object with that number, for rows that earlier versions wrote without its entity; nil if there is none.
  package final func id(numbered number: Int64) throws -> RowID? {
    for entity in schema.entities.indices where !schema.entities[entity].isAbstract {
      if try view.rowEntry(.objects(entity), number) != nil { return RowID(entity: entity, number: number) }
    }
    try requireWhole(objectsOf: schema.entities.indices)
    return nil
  }

  /// Whether there is an object of any entity.
  package final func hasObjects() throws -> Bool {
    if try schema.entities.indices.contains(where: { try rowCount(of: $0) > 0 }) { return true }
    try requireWhole(objectsOf: schema.entities.indices)
    return false
  }

  /// The number of an entity's objects, without those of its subentities.
  func rowCount(of entity: Int) throws -> Int64 { try view.rowCount(.objects(entity)) }

  /// The objects of an entity that differ from those in the store's index: none, except in a transaction.
  func changedObjects(of entity: Int) -> [RowID] { [] }

  /// The objects of an entity, by number, without those of its subentities.
  package func ids(of entity: Int) throws -> [RowID] {
    try requireWhole(.objects(entity))
    return try view.map(StoreTable.objects(entity).prefix(.row)) {
      RowID(entity: entity, number: RowEntry.number(ofKey: $0))
    }
  }

  /// Calls `body` with the objects of an entity, by number, without those of its subentities, until it returns false.
  package func forEachRow(of entity: Int, _ body: (StoredRow) throws -> Bool) throws {
    let table = StoreTable.objects(entity)
    try requireWhole(table)
    let sequence = try view.head()
    var count = 0
    // Enough of them that segments are read in large pieces, and so few that a caller that stops early has not waited
    // for all.
    try view.forEachChunk(of: table.prefix(.row), together: 2_000) { keys in
      let isCached = count < RowCache.mostScanned
      count += keys.count
      let located = try keys.map { key in
        let id = RowID(entity: entity, number: RowEntry.number(ofKey: key))
        let location = try RowEntry(key: key).required()
        return Located(id: id, entry: folder.rowCache.locate(id, at: location, sequence, isCached: isCached))
      }
      return try read(located, isCached: isCached).allSatisfy(body)
    }
  }

  /// An object's location, and its row if that was read before; nil if there is no such object.
  final func entry(_ id: RowID, isCached: Bool = true) throws -> RowCache.Entry? {
    guard Int(id.entity) < schema.entities.count else { return nil }
    let sequence = try view.head()
    if let entry = folder.rowCache.entry(id, at: sequence) { return entry }
    guard let location = try view.rowEntry(.objects(id.entity), id.number) else {
      try requireWhole(.objects(id.entity))
      return nil
    }
    return folder.rowCache.locate(id, at: location, sequence, isCached: isCached)
  }

  final func row(_ line: JSONValue, _ table: StoreTable, _ entry: RowEntry) throws -> StoredRow {
    guard let row = folder.coders[Int(table.index)].row(line) else {
      throw StorageError.damaged(
        path: folder.segments.path(table, entry.segment),
        reason: "the line at byte \(entry.offset) is no object of this entity")
    }
    return row
  }

  // MARK: Relationships

  typealias Member = (id: RowID, position: Int64)

  /// The objects that have this object as the target of the to-one relationship.
  func sources(of relationship: Int, to target: RowID) throws -> [Member] {
    try storedSources(of: relationship, to: target.number)
  }

  /// The objects that are linked to an object in a table, with their positions: seen from one side, or from both for a
  /// relationship that is its own inverse.
  func linked(_ table: Int, isForward: Bool, _ isOwnInverse: Bool, _ id: RowID) throws -> [RowID: Int64] {
    var members: [RowID: Int64] = [:]
    for side in isOwnInverse ? [IndexKind.backward, .forward] : [isForward ? .forward : .backward] {
      for (other, _, position) in try links(table, side, of: id) { members[other] = position }
    }
    return members
  }

  // MARK: Mirroring

  /// The row with that number; nil if there is none.
  package func row(_ id: Int64, in table: MirrorTable) throws -> MirrorRow? {
    guard let entry = try view.rowEntry(.mirroring(table), id) else {
      try requireWhole(.mirroring(table))
      return nil
    }
    return try row(folder.segments.line(.mirroring(table), entry, view), table, entry)
  }

  /// The row with exactly that key; the first if there are several.
  package func row(key: String, in table: MirrorTable) throws -> MirrorRow? {
    try requireWhole(.mirroring(table))
    guard let found = try view.first(NameKey.exactly(table, key)) else { return nil }
    return try row(found.lastNumber, in: table)
  }

  /// Calls `body` with the rows whose index keys begin with `prefix`, in the order of these keys, until it returns
  /// false.
  func forEachMirrorRow(prefix: [UInt8], in table: MirrorTable, _ body: (MirrorRow) throws -> Bool) throws {
    try requireWhole(.mirroring(table))
    try view.forEachChunk(of: prefix, together: 500) { keys in
      let entries = try keys.map { try view.rowEntry(.mirroring(table), $0.lastNumber).required() }
      let rows = try folder.segments.read(.mirroring(table), entries, view) { index, line in
        try row(line, table, entries[index])
      }
      return try rows.allSatisfy(body)
    }
  }

  private func row(_ line: JSONValue, _ table: MirrorTable, _ entry: RowEntry) throws -> MirrorRow {
    guard let row = try MirrorRow(line, in: table, folder.names, find: id(numbered:)) else {
      throw StorageError.damaged(
        path: folder.segments.path(.mirroring(table), entry.segment),
        reason: "the line at byte \(entry.offset) is no row of the mirroring")
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

import LocalCloudPlatform
import LocalCloudStorage

/// An open transaction. Its reads see its own changes; derived attributes change with ``finishRows()``.
package final class StoreTransaction: StoreView {
  /// The history records the author and the context's name.
  package var author: String?
  package var contextName: String?
  /// Whether changes of objects are in the history.
  package var isInHistory = true
  /// Whether the transaction fills a new store with the objects of another one. They keep their numbers and versions.
  /// This kind of transaction is not in the history.
  package var isRestoring = false
  /// The metadata that programs store besides objects; nil if it stays as it is.
  package var metadata: JSONObject?
  /// Whether the mirroring's copy of a share changes. The history does not list this.
  package var changesShare = false
  /// Whether there are changes to send that the history does not list.
  package var wantsExport = false

  /// The store's sequence before the transaction, and the last number that it took.
  let start: Int64
  private(set) var last: Int64
  var objects = ObjectChanges()
  /// Stored rows that were read earlier in the transaction.
  private var atHand: [RowID: StoredRow] = [:]
  private(set) var unique = UniqueChanges()
  var linkChanges = LinkChanges() { didSet { hasFinishedRows = false } }
  /// Whether the consequences of all changes so far are applied, too; see ``finishRows()``.
  var hasFinishedRows = false
  private(set) var mirrorChanges: [MirrorTable: MirrorChanges] = [:]
  /// A segment that the commit rewrites even if it does not qualify; see ``ObjectStore/scrub()``.
  var scrubbed: (table: StoreTable, segment: Int64)?
  let incoming: IncomingFiles

  /// `start`: the store's sequence.
  init(_ store: ObjectStore, _ view: FolderView, start: Int64) {
    self.start = start
    last = start
    incoming = IncomingFiles(store.files, before: start + 1)
    super.init(store, view)
  }

  /// A new object's identity.
  package func newID(of entity: Int) -> RowID { RowID(entity: entity, number: newNumber()) }

  /// A number for a row of a mirroring table, or a reserved object: from the same sequence.
  package func newNumber() -> Int64 {
    last += 1
    return last
  }

  // MARK: Objects

  /// Puts a new object. Its version becomes 1, whatever the row says. Where the inverse of a to-one relationship is
  /// ordered, the object becomes the last member, unless the row has a position.
  ///
  /// A number that was not taken from the store, or is in use, is a programming error: the commit throws
  /// ``InvalidRow``.
  package func insert(_ row: StoredRow) {
    var row = positioned(row, after: nil)
    row.version = 1
    hasFinishedRows = false
    objects.insert(row)
    unique.put(row, uniqueLayouts(of: row.id))
  }

  /// Puts an object of another store unchanged. Only if ``isRestoring`` is set.
  func restore(_ row: StoredRow) {
    hasFinishedRows = false
    objects.insert(row)
    unique.put(row, uniqueLayouts(of: row.id))
  }

  /// Replaces an existing object; its version becomes one more than the stored one. The row's positions are ignored:
  /// where its target changes, the object becomes the last member; see ``arrange(_:_:by:)``.
  ///
  /// - Parameter changed: the names of the changed properties for the history, relationships included.
  /// - Throws: ``MissingRow`` if there is no such object.
  package func update(_ row: StoredRow, changed: [String]) throws {
    let before = try requireRow(row.id)
    var row = positioned(row, after: objects[row.id]?.after ?? before)
    row.version = before.map { $0.version + 1 } ?? 1
    hasFinishedRows = false
    objects.update(row, before: before, changed: changed)
    unique.put(row, uniqueLayouts(of: row.id))
  }

  /// Replaces the parts of an object that the store computes: positions and derived attributes. The change is not
  /// reported.
  func amend(_ row: StoredRow, before: StoredRow?) {
    objects.amend(row, before: before)
    unique.put(row, uniqueLayouts(of: row.id))
  }

  /// Removes an existing object, with its links. References to it in other rows stay.
  ///
  /// Throws ``MissingRow`` if there is no such object.
  package func delete(_ id: RowID) throws {
    objects.delete(id, before: try requireRow(id))
    unique.remove(id)
    hasFinishedRows = false
  }

  /// The stored row of an existing object; nil if this transaction inserted it. Throws ``MissingRow`` if there is no
  /// object.
  func requireRow(_ id: RowID) throws -> StoredRow? {
    if let change = objects[id] {
      guard change.after != nil else { throw MissingRow(id: id) }
      return change.before
    }
    guard let row = try storedRowAtHand(id) else { throw MissingRow(id: id) }
    return row
  }

  /// Caches rows from a fetch of this transaction or from ``rows(_:)``, so that changing or deleting these objects does
  /// not read each of them again.
  package func keepAtHand(_ rows: [StoredRow]) {
    for row in rows where objects[row.id] == nil { atHand[row.id] = row }
  }

  private func storedRowAtHand(_ id: RowID) throws -> StoredRow? { try atHand[id] ?? super.row(id) }

  package override func row(_ id: RowID) throws -> StoredRow? {
    if let change = objects[id] { return change.after }
    return try storedRowAtHand(id)
  }

  package override func rows(_ ids: [RowID], isCached: Bool = true) throws -> [StoredRow] {
    let stored = try super.rows(ids.filter { objects[$0] == nil }, isCached: isCached)
    if objects.isEmpty { return stored }
    let known = Dictionary(stored.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    return ids.compactMap { id in objects[id].map(\.after) ?? known[id] }
  }

  package override func version(of id: RowID) throws -> Int64? {
    if let change = objects[id] { return change.after?.version }
    return try super.version(of: id)
  }

  package override func ids(of entity: Int) throws -> [RowID] {
    let (stored, changed) = (try super.ids(of: entity), changedObjects(of: entity))
    return changed.isEmpty ? stored : Set(stored).union(changed).filter(isPresent).sorted()
  }

  package override func forEachRow(of entity: Int, _ body: (StoredRow) throws -> Bool) throws {
    if changedObjects(of: entity).isEmpty { return try super.forEachRow(of: entity, body) }
    for part in try ids(of: entity).chunks(of: 2_000) {
      if try !rows(Array(part), isCached: part.startIndex < RowCache.mostScanned).allSatisfy(body) { return }
    }
  }

  override func rowCount(of entity: Int) throws -> Int64 {
    try changedObjects(of: entity).reduce(super.rowCount(of: entity)) { count, id in
      count + (objects[id]?.after == nil ? 0 : 1) - (objects[id]?.before == nil ? 0 : 1)
    }
  }

  override func changedObjects(of entity: Int) -> [RowID] {
    objects.isEmpty ? [] : objects.all.map(\.id).filter { Int($0.entity) == entity }
  }

  private func isPresent(_ id: RowID) -> Bool { objects[id].map { $0.after != nil } ?? true }

  // MARK: Relationships

  override func sources(of relationship: Int, to target: RowID) throws -> [Member] {
    let stored = try super.sources(of: relationship, to: target)
    if objects.isEmpty { return stored }
    let unmoved = stored.filter { objects[$0.id]?.isSilent ?? true }
    return (unmoved + objects.sources(of: relationship, to: target, schema).map { ($0, 0) }).map { source, position in
      guard let row = objects[source]?.after,
        let index = schema.entities[Int(source.entity)].toOnes.firstIndex(of: relationship)
      else { return (source, position) }
      return (source, row.position(index))
    }
  }

  override func linked(_ table: Int, isForward: Bool, _ isOwnInverse: Bool, _ id: RowID) throws -> [RowID: Int64] {
    var members = try super.linked(table, isForward: isForward, isOwnInverse, id)
    for (pair, link) in linkChanges.known(table, id) {
      let isFrom = pair.from == id
      guard isOwnInverse || isFrom == isForward || pair.from == pair.to else { continue }
      members[isFrom ? pair.to : pair.from] = link.map { isFrom && isForward ? $0.position : $0.inversePosition }
    }
    return objects.isEmpty ? members : members.filter { isPresent($0.key) }
  }

  // MARK: Binaries

  /// Stages bytes in a file of their own. The file is synced before the commit.
  package func external(_ bytes: [UInt8]) throws -> ExternalBinary { try incoming.binary(bytes) }

  /// The value of an attribute that may be stored in a file: bytes above a limit are staged as a file.
  package func placed(_ value: StoredValue) throws -> StoredValue {
    guard case .binary(let bytes) = value, bytes.count > Self.mostBytesInRow else { return value }
    return .external(try external(bytes))
  }

  private static let mostBytesInRow = 100_000

  // MARK: Mirroring

  /// Adds a row, or replaces the row with its number.
  package func put(_ row: MirrorRow, in table: MirrorTable) {
    mirrorChanges[table, default: MirrorChanges(table)].set(row, row.id)
  }

  package func remove(_ id: Int64, from table: MirrorTable) {
    mirrorChanges[table, default: MirrorChanges(table)].set(nil, id)
  }

  package override func row(_ id: Int64, in table: MirrorTable) throws -> MirrorRow? {
    if let changed = mirrorChanges[table]?.rows[id] { return changed }
    return try super.row(id, in: table)
  }

  package override func row(key: String, in table: MirrorTable) throws -> MirrorRow? {
    if let row = mirrorChanges[table]?.rows(prefix: NameKey.exactly(table, key)).first { return row }
    guard let row = try super.row(key: key, in: table), mirrorChanges[table]?.rows[row.id] == nil else { return nil }
    return row
  }

  override func forEachMirrorRow(prefix: [UInt8], in table: MirrorTable, _ body: (MirrorRow) throws -> Bool) throws {
    guard let changes = mirrorChanges[table] else {
      return try super.forEachMirrorRow(prefix: prefix, in: table, body)
    }
    var own = changes.rows(prefix: prefix)[...]
    var goesOn = true
    try super.forEachMirrorRow(prefix: prefix, in: table) { row in
      if changes.rows[row.id] != nil { return true }
      let key = NameKey.bytes(table, row.key, row.id)
      while goesOn, let next = own.first, ByteOrder.compare(NameKey.bytes(table, next.key, next.id), key) < 0 {
        own.removeFirst()
        goesOn = try body(next)
      }
      if goesOn { goesOn = try body(row) }
      return goesOn
    }
    if goesOn { _ = try own.allSatisfy(body) }
  }
}

/// Thrown for a missing object that is to be changed or deleted.
package struct MissingRow: Error, Hashable {
  package var id: RowID
}

/// Thrown for a row that can't be put: its number is in use or was never taken from the store, its values are not those
/// of its entity, or a key is too long.
package struct InvalidRow: Error, Hashable {
  package var id: RowID
  package var reason: String
}

/// The result of a commit, for the contexts of the same process.
package struct StoreCommit: Sendable {
  /// The transaction's number.
  package var transaction: Int64
  package var inserted: [RowID]
  package var updated: [RowID]
  package var deleted: [RowID]

  /// Whether no object changed.
  package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

import LocalCloudPlatform
import LocalCloudStorage

/// An open transaction. Reads see the store before it, except that ``row(_:)``, ``rows(_:)`` and ``version(of:)`` see
/// the objects that this transaction put or deleted.
package final class StoreTransaction: StoreView {
  /// The history records the author and the context's name.
  package var author: String?
  package var contextName: String?
  /// Whether the transaction is in the history. False for changes of the mirroring's own state only.
  package var isInHistory = true
  /// Whether the transaction fills a new store with the objects of another one. They keep their numbers and versions.
  /// This kind of transaction is not in the history.
  package var isRestoring = false
  /// The metadata that programs store besides objects; nil if it stays as it is.
  package var metadata: JSONObject?

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
  /// The rows of mirroring tables that were put, or removed (nil).
  var mirrorRows: [MirrorTable: [Int64: MirrorRow?]] = [:]
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

  private func storedRowAtHand(_ id: RowID) throws -> StoredRow? { try atHand[id] ?? storedRow(id) }

  package override func row(_ id: RowID) throws -> StoredRow? {
    if let change = objects[id] { return change.after }
    return try storedRowAtHand(id)
  }

  package override func rows(_ ids: [RowID]) throws -> [StoredRow] {
    let stored = try storedRows(ids.filter { objects[$0] == nil })
    if objects.isEmpty { return stored }
    let known = Dictionary(stored.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    return ids.compactMap { id in objects[id].map(\.after) ?? known[id] }
  }

  package override func version(of id: RowID) throws -> Int64? {
    if let change = objects[id] { return change.after?.version }
    return try super.version(of: id)
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
  package func put(_ row: MirrorRow, in table: MirrorTable) { mirrorRows[table, default: [:]][row.id] = .some(row) }

  package func remove(_ id: Int64, from table: MirrorTable) {
    mirrorRows[table, default: [:]][id] = .some(nil)
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
}

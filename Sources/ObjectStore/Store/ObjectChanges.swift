/// The objects that a transaction writes and deletes, in the order of their first change.
struct ObjectChanges {
  struct Change {
    /// The stored row; nil if the transaction inserts the object.
    var before: StoredRow?
    /// Nil if the transaction deletes it.
    var after: StoredRow?
    /// The names of the properties that differ, each once.
    var changed: [String] = []
    /// Whether only the store's own part of the row differs: then its version stays, and the change is not reported.
    var isSilent = false
  }

  private var changes: [RowID: Change] = [:]
  private var order: [RowID] = []
  /// For each object, those of the changed objects that referred to it at some time; nil before the first request.
  private var referrers: [RowID: Set<RowID>]?
  /// An object that was inserted twice.
  private(set) var repeated: RowID?

  var isEmpty: Bool { changes.isEmpty }

  subscript(id: RowID) -> Change? { changes[id] }

  mutating func insert(_ row: StoredRow) {
    addReferences(of: row)
    if let known = changes[row.id] {
      if known.after != nil || known.before != nil { repeated = row.id }
      changes[row.id]?.after = row
    } else {
      changes[row.id] = Change(before: nil, after: row)
      order.append(row.id)
    }
  }

  mutating func update(_ row: StoredRow, before: StoredRow?, changed: [String]) {
    addReferences(of: row)
    var change = changes[row.id] ?? Change(before: before, after: nil)
    change.after = row
    change.isSilent = false
    if change.changed.isEmpty {
      change.changed = changed
    } else {
      change.changed += changed.filter { !change.changed.contains($0) }
    }
    if changes.updateValue(change, forKey: row.id) == nil { order.append(row.id) }
  }

  /// Replaces the store's own part of an object. The change is not reported.
  mutating func amend(_ row: StoredRow, before: StoredRow?) {
    if changes[row.id] != nil {
      changes[row.id]?.after = row
    } else {
      changes[row.id] = Change(before: before, after: row, isSilent: true)
      order.append(row.id)
    }
  }

  mutating func delete(_ id: RowID, before: StoredRow?) {
    if changes.updateValue(Change(before: before, after: nil), forKey: id) == nil { order.append(id) }
  }

  /// The objects that were put, not only amended, and have that object as the target of the to-one relationship.
  mutating func sources(of relationship: Int, to target: RowID, _ schema: StoreSchema) -> [RowID] {
    if referrers == nil {
      referrers = [:]
      for change in changes.values where !change.isSilent {
        if let row = change.after { addReferences(of: row) }
      }
    }
    return (referrers?[target] ?? []).filter { id in
      guard let row = changes[id]?.after,
        let index = schema.entities[Int(id.entity)].toOnes.firstIndex(of: relationship)
      else { return false }
      return index < row.toOnes.count && row.toOnes[index] == target
    }
    .sorted()
  }

  private mutating func addReferences(of row: StoredRow) {
    if referrers == nil { return }
    for target in row.toOnes.compactMap(\.self) { referrers?[target, default: []].insert(row.id) }
  }

  /// The changes without objects that the transaction both inserted and deleted.
  var all: [(id: RowID, change: Change)] {
    order.compactMap { id in
      guard let change = changes[id], change.before != nil || change.after != nil else { return nil }
      return (id, change)
    }
  }
}

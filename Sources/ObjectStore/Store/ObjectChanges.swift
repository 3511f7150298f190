/// The objects that a transaction puts and deletes, in the order in which it came to them.
struct ObjectChanges {
  struct Change {
    /// What is stored; nil if the transaction inserts the object.
    var before: StoredRow?
    /// Nil if the transaction deletes it.
    var after: StoredRow?
    /// The names of the properties that differ, each once.
    var changed: [String] = []
  }

  private var changes: [RowID: Change] = [:]
  private var order: [RowID] = []
  /// An object that was inserted twice.
  private(set) var repeated: RowID?

  var isEmpty: Bool { changes.isEmpty }

  subscript(id: RowID) -> Change? { changes[id] }

  mutating func insert(_ row: StoredRow) {
    if let known = changes[row.id] {
      if known.after != nil || known.before != nil { repeated = row.id }
      changes[row.id]?.after = row
    } else {
      changes[row.id] = Change(before: nil, after: row)
      order.append(row.id)
    }
  }

  mutating func update(_ row: StoredRow, before: StoredRow?, changed: [String]) {
    var change = changes[row.id] ?? Change(before: before, after: nil)
    change.after = row
    if change.changed.isEmpty {
      change.changed = changed
    } else {
      change.changed += changed.filter { !change.changed.contains($0) }
    }
    if changes.updateValue(change, forKey: row.id) == nil { order.append(row.id) }
  }

  mutating func delete(_ id: RowID, before: StoredRow?) {
    if changes.updateValue(Change(before: before, after: nil), forKey: id) == nil { order.append(id) }
  }

  /// The changes without objects that came and went.
  var all: [(id: RowID, change: Change)] {
    order.compactMap { id in
      guard let change = changes[id], change.before != nil || change.after != nil else { return nil }
      return (id, change)
    }
  }
}

/// The unique values that a transaction gives to objects.
struct UniqueChanges {
  /// The objects of each value, in the order in which they got it.
  private var holders: [UniqueValues: [RowID]] = [:]
  private var values: [RowID: [UniqueValues]] = [:]

  var isEmpty: Bool { holders.isEmpty }

  func holders(of values: UniqueValues) -> [RowID] { holders[values] ?? [] }

  /// `layouts`: the unique ones of the row's entity.
  mutating func put(_ row: StoredRow, _ layouts: [IndexLayout]) {
    guard !layouts.isEmpty else { return }
    remove(row.id)
    let all = layouts.compactMap { $0.uniqueValues(of: row) }
    values[row.id] = all
    for values in all { holders[values, default: []].append(row.id) }
  }

  mutating func remove(_ id: RowID) {
    for values in values.removeValue(forKey: id) ?? [] {
      holders[values]?.removeAll { $0 == id }
      if holders[values]?.isEmpty == true { holders[values] = nil }
    }
  }
}

/// Objects that would have the same values in a unique index.
package struct UniqueConflict: Sendable, Hashable {
  /// The names of the index's properties.
  package var properties: [String]
  /// The object that has the values in the store and is not changed, as stored.
  package var stored: StoredRow?
  /// The objects that get the same values in the transaction.
  package var rows: [StoredRow]
}

/// Thrown by a commit that would give objects the same unique values.
package struct UniqueViolation: Error, Hashable {
  package var conflicts: [UniqueConflict]
}

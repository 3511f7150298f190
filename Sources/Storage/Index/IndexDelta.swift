/// The keys to insert and the keys to remove that lead from one state to another.
package struct IndexDelta {
  package private(set) var inserted: Set<[UInt8]> = []
  package private(set) var removed: Set<[UInt8]> = []

  package init() {}

  package mutating func reserve(_ count: Int) { inserted.reserveCapacity(count) }

  package mutating func insert(_ key: [UInt8]) {
    if removed.remove(key) == nil { inserted.insert(key) }
  }

  package mutating func remove(_ key: [UInt8]) {
    if inserted.remove(key) == nil { removed.insert(key) }
  }

  package mutating func replace(_ before: [[UInt8]], with after: [[UInt8]]) {
    // Each key counts once: a key removed twice would be missing after it is inserted again.
    let before = Set(before)
    let kept = before.isEmpty || after.isEmpty ? [] : before.intersection(after)
    for key in before where !kept.contains(key) { remove(key) }
    for key in after where !kept.contains(key) { insert(key) }
  }
}

/// One key to insert or to remove.
struct KeyChange {
  var key: [UInt8]
  var isInsertion: Bool

  /// The changes in byte order, each key once; a key that is to be removed and inserted is inserted. Throws
  /// ``IndexKeyTooLong``.
  static func ordered(insert: [[UInt8]], remove: [[UInt8]]) throws -> [KeyChange] {
    var changes = insert.map { KeyChange(key: $0, isInsertion: true) }
    changes += remove.map { KeyChange(key: $0, isInsertion: false) }
    if let long = changes.first(where: { $0.key.count > PageLayout.maximumKeyLength }) {
      throw IndexKeyTooLong(length: long.key.count)
    }
    changes.sort { left, right in
      let order = ByteOrder.compare(left.key, right.key)
      return order < 0 || (order == 0 && left.isInsertion && !right.isInsertion)
    }
    var last: [UInt8]?
    changes.removeAll { change in
      defer { last = change.key }
      return change.key == last
    }
    return changes
  }
}

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

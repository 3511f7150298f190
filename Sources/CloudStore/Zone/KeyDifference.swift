/// Keys that come and keys that go, as one step from before to after.
struct KeyDifference {
  private(set) var inserted: Set<[UInt8]> = []
  private(set) var removed: Set<[UInt8]> = []

  mutating func replace(_ before: [[UInt8]], with after: [[UInt8]]) {
    let kept = before.isEmpty || after.isEmpty ? [] : Set(before).intersection(after)
    for key in before where !kept.contains(key) {
      if inserted.remove(key) == nil { removed.insert(key) }
    }
    for key in after where !kept.contains(key) {
      if removed.remove(key) == nil { inserted.insert(key) }
    }
  }
}

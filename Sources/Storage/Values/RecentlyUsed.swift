/// A cache of objects by key. It holds the most recently used ones; others remain only while they are in use elsewhere.
///
/// An object that is in use is always found again, so there are never two for one key.
package struct RecentlyUsed<Key: Hashable & Sendable, Object: AnyObject & Sendable>: Sendable {
  private struct Weak: Sendable {
    // Never assigned again; `weak let` needs a newer language than this package asks for.
    nonisolated(unsafe) weak var object: Object?
  }

  private let limit: Int
  private var known: [Key: Weak] = [:]
  /// The cached objects, the most recently used one last.
  private var entries: [(key: Key, object: Object)] = []

  package init(limit: Int) {
    self.limit = limit
  }

  package subscript(key: Key) -> Object? {
    mutating get {
      guard let object = known[key]?.object else { return nil }
      store(object, key)
      return object
    }
    set {
      entries.removeAll { $0.key == key }
      known[key] = newValue.map { Weak(object: $0) }
      if let newValue { store(newValue, key) }
    }
  }

  /// Drops and returns the least recently used object; nil if none is cached. It is closed when it is no longer in use.
  package mutating func dropOldest() -> Object? { entries.isEmpty ? nil : entries.removeFirst().object }

  private mutating func store(_ object: Object, _ key: Key) {
    if entries.last?.key == key { return }
    entries.removeAll { $0.key == key }
    entries.append((key, object))
    if entries.count <= limit { return }
    entries.removeFirst()
    if known.count > 4 * limit { known = known.filter { $0.value.object != nil } }
  }
}

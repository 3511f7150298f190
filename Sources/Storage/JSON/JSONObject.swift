/// The members of a JSON object, in the order of their keys' UTF-8 bytes.
///
/// Keys compare bytewise, so keys that differ only in their Unicode normal form are different members.
package struct JSONObject: Sendable {
  struct Member: Sendable {
    let key: String
    var value: JSONValue
  }

  /// Sorted by key, each key once.
  private(set) var members: [Member]

  package init() {
    members = []
  }

  /// Of two pairs with the same key, the later one counts.
  package init(_ pairs: some Sequence<(String, JSONValue)>) {
    self.init()
    members.reserveCapacity(pairs.underestimatedCount)
    for (key, value) in pairs { self[key] = value }
  }

  /// Sorts members given in any order. `duplicate`: a key that occurs twice, if there is one.
  static func sorting(_ members: [Member]) -> (object: JSONObject, duplicate: String?) {
    let sorted = members.sorted { $0.key.exactOrder(to: $1.key) < 0 }
    let twice = zip(sorted, sorted.dropFirst()).first { $0.key.hasSameBytes(as: $1.key) }
    return (JSONObject(ordered: sorted), twice?.0.key)
  }

  /// Members already sorted by key, each key once.
  init(ordered members: [Member]) {
    self.members = members
  }

  /// Whether both share their storage, and so are equal.
  package func isSameStorage(as other: JSONObject) -> Bool {
    members.withUnsafeBufferPointer { left in
      other.members.withUnsafeBufferPointer { $0.baseAddress == left.baseAddress && $0.count == left.count }
    }
  }

  package var count: Int { members.count }
  package var isEmpty: Bool { members.isEmpty }
  package var keys: [String] { members.map(\.key) }

  /// The member of that name; setting nil removes it.
  package subscript(key: String) -> JSONValue? {
    get {
      // Comparing lengths rules out most keys: in a short list that is faster than bisecting.
      if members.count <= 16 {
        return members.withUnsafeBufferPointer { members in
          for index in members.indices where members[index].key.hasSameBytes(as: key) { return members[index].value }
          return nil
        }
      }
      let (index, isThere) = insertionIndex(of: key)
      return isThere ? members[index].value : nil
    }
    set {
      let (index, isThere) = insertionIndex(of: key)
      switch (newValue, isThere) {
      case (let value?, true): members[index].value = value
      case (let value?, false) where index == members.count: members.append(Member(key: key, value: value))
      case (let value?, false): members.insert(Member(key: key, value: value), at: index)
      case (nil, true): members.remove(at: index)
      case (nil, false): break
      }
    }
  }

  /// The index of the key, or the index for inserting it.
  private func insertionIndex(of key: String) -> (index: Int, isThere: Bool) {
    // Keys mostly arrive in order.
    guard let last = members.last else { return (0, false) }
    if last.key.exactOrder(to: key) < 0 { return (members.count, false) }
    var (low, high) = (0, members.count)
    while low < high {
      let middle = (low + high) / 2
      let order = members[middle].key.exactOrder(to: key)
      if order == 0 { return (middle, true) }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return (low, false)
  }
}

extension JSONObject {
  /// The items of the array `key`; none if there is no such member. Nil if the member is not an array, or `read`
  /// returns nil for one of its items.
  package func items<Item>(of key: String, _ read: (JSONValue) -> Item?) -> [Item]? {
    guard let value = self[key] else { return [] }
    guard let values = value.array else { return nil }
    let items = values.compactMap(read)
    return items.count == values.count ? items : nil
  }
}

extension JSONObject: Sequence {
  package struct Iterator: IteratorProtocol {
    fileprivate var members: [Member].Iterator

    package mutating func next() -> (key: String, value: JSONValue)? {
      members.next().map { ($0.key, $0.value) }
    }
  }

  package func makeIterator() -> Iterator {
    Iterator(members: members.makeIterator())
  }

  package var underestimatedCount: Int { members.count }
}

extension JSONObject: Hashable {
  package static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.members.elementsEqual(right.members) { $0.key.hasSameBytes(as: $1.key) && $0.value == $1.value }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(members.count)
    for member in members {
      member.key.hashExactly(into: &hasher)
      hasher.combine(member.value)
    }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements)
  }
}

extension JSONObject: CustomStringConvertible {
  package var description: String { JSONValue.object(self).description }
}

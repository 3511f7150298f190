import Storage

/// Walks through an entity's objects in the order that a fetch asks for, by an index that has this order: the cost is
/// that of the objects that are looked at.
struct OrderedSearch {
  private let layout: IndexLayout
  private let view: StoreView
  private let isForward: Bool
  /// The number of the index's elements that the fetch sorts by.
  private let depth: Int
  /// Where the walk goes on: forward with the first key from here, backward with the last one before.
  private var bound: [UInt8]?

  /// Nil if no index has the order, or if some objects have no place in it.
  init?(_ fetch: StoreFetch, of entity: Int, _ view: StoreView) throws {
    let orders = view.folder.rowKeys.layouts[entity].compactMap { layout in
      Self.direction(of: layout, for: fetch.sort).map { (layout, $0) }
    }
    guard let (layout, isForward) = orders.first, try view.view.first(layout.prefix(.unordered)) == nil else {
      return nil
    }
    self.layout = layout
    self.view = view
    self.isForward = isForward
    depth = fetch.sort.count
    let all = layout.prefix(.value)
    bound = isForward ? all : Self.successor(all)
  }

  /// Whether the index has the order (true) or its reverse (false); nil if neither.
  private static func direction(of layout: IndexLayout, for sort: [StoreSort]) -> Bool? {
    guard !sort.isEmpty, sort.count <= layout.elements.count else { return nil }
    var directions: Set<Bool> = []
    for (sort, element) in zip(sort, layout.elements) {
      // Decimals have fewer digits in an index.
      guard sort.path == [element.property], case .attribute(_, let type) = element.part, type != .decimal else {
        return nil
      }
      directions.insert(sort.isAscending == element.isAscending)
    }
    return directions.count == 1 ? directions.first : nil
  }

  /// The numbers of the next objects, which are equal in what is sorted by, in order; nil at the end.
  mutating func next() throws -> [Int64]? {
    guard let bound, let key = try key(bound) else { return nil }
    let group = Array(key.prefix(layout.length(ofKey: key, elements: depth)))
    var numbers: [Int64] = []
    // The walk may go on within a group.
    let start = isForward && ByteOrder.compare(bound, group) > 0 ? bound : group
    try view.view.scan(prefix: group, from: start) { key in
      numbers.append(key.lastNumber)
      return true
    }
    self.bound = isForward ? Self.successor(group) : group
    // Further elements have put them in another order.
    return depth < layout.elements.count ? numbers.sorted() : numbers
  }

  /// Passes over the next objects, if the keys have the very order of the fetch. Returns over how many.
  mutating func skip(_ count: Int) throws -> Int {
    guard isForward, depth == layout.elements.count, let start = bound else { return 0 }
    var (passed, next) = (0, [UInt8]?.none)
    try view.view.scan(prefix: layout.prefix(.value), from: start) { key in
      if passed < count {
        passed += 1
        return true
      }
      next = key
      return false
    }
    bound = next
    return passed
  }

  private func key(_ bound: [UInt8]) throws -> [UInt8]? {
    let all = layout.prefix(.value)
    if !isForward {
      guard let key = try view.view.index().last(before: bound), key.starts(with: all) else { return nil }
      return key
    }
    var found: [UInt8]?
    try view.view.scan(prefix: all, from: bound) { key in
      found = key
      return false
    }
    return found
  }

  /// The first bytes behind all that begin with these; nil if there are none.
  private static func successor(_ bytes: [UInt8]) -> [UInt8]? {
    var bytes = bytes
    while let last = bytes.popLast() { if last < 0xFF { return bytes + [last + 1] } }
    return nil
  }
}

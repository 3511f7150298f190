import LocalCloudStorage

/// Reads an entity's objects in the order of a fetch, by an index that has this order. The cost depends only on the
/// number of objects read.
struct OrderedSearch {
  private let layout: IndexLayout
  private let view: StoreView
  private let isForward: Bool
  /// The number of the index's elements that the fetch sorts by.
  private let depth: Int
  /// The position for continuing: forward with the first key from here, backward with the last one before.
  private var bound: [UInt8]?

  /// Nil if no index has the order, or if the index orders only some of the objects.
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
      // Decimals have fewer digits in an index, and its texts have their plain order.
      guard sort.textOrder == .plain, sort.path == [element.property], case .attribute(_, let type) = element.part,
        type != .decimal
      else {
        return nil
      }
      directions.insert(sort.isAscending == element.isAscending)
    }
    return directions.count == 1 ? directions.first : nil
  }

  /// The numbers of the next objects, in order: at least `count`, unless these are the last ones. None at the end.
  mutating func next(_ count: Int) throws -> [Int64] {
    guard let bound else { return [] }
    var numbers: [Int64] = []
    // Objects with equal sort values must be in the order of their numbers. Further index elements, or going backward,
    // give them another order.
    let hasGroups = !isForward || depth < layout.elements.count
    var (group, start) = ([UInt8](), 0)
    self.bound = nil
    try walk(from: bound) { key in
      if hasGroups, group.isEmpty || !key.starts(with: group) {
        numbers[start...].sort()
        (group, start) = (Array(key.prefix(layout.length(ofKey: key, elements: depth))), numbers.count)
      }
      if numbers.count >= count, !hasGroups || start == numbers.count {
        self.bound = isForward ? key : key + [0]
        return false
      }
      numbers.append(key.lastNumber)
      return true
    }
    if hasGroups { numbers[start...].sort() }
    return numbers
  }

  private func walk(from bound: [UInt8], _ body: ([UInt8]) throws -> Bool) throws {
    let all = layout.prefix(.value)
    if isForward {
      try view.view.scan(prefix: all, from: bound, body)
    } else {
      try view.view.scanBackward(prefix: all, before: bound, body)
    }
  }

  /// Skips up to `count` objects, if the keys have exactly the order of the fetch. Returns the number of skipped
  /// objects.
  mutating func skip(_ count: Int) throws -> Int {
    guard isForward, depth == layout.elements.count, let start = bound else { return 0 }
    var next: [UInt8]?
    try view.view.scan(prefix: layout.prefix(.value), from: start, skipping: count) { key in
      next = key
      return false
    }
    bound = next
    return count
  }

  /// The first bytes that sort after all keys with this prefix; nil if there are none.
  private static func successor(_ bytes: [UInt8]) -> [UInt8]? {
    var bytes = bytes
    while let last = bytes.popLast() { if last < 0xFF { return bytes + [last + 1] } }
    return nil
  }
}

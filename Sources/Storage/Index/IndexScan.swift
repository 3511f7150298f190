/// A scan of the keys with a prefix.
struct IndexScan {
  private let prefix: [UInt8]
  private let lower: [UInt8]
  /// The number of keys still to be skipped.
  private(set) var skipping = 0

  init(prefix: [UInt8], from: [UInt8]?, skipping: Int = 0) {
    self.prefix = prefix
    lower = from.map { ByteOrder.compare($0, prefix) > 0 ? $0 : prefix } ?? prefix
    self.skipping = skipping
  }

  /// Visits the keys below a page. `isFirst`: true on the path to `lower`; all pages after it hold only later keys.
  /// Returns false when the scan is over.
  mutating func visit(
    _ reference: PageReference, level: Int, isFirst: Bool, in pages: PageFile,
    _ body: (ArraySlice<UInt8>) throws -> Bool
  ) throws -> Bool {
    let page = try pages.node(reference, level: level)
    if page.isLeaf {
      var index = isFirst ? page.position(of: lower).index : 0
      if skipping > 0, index < page.count, page.key(page.count - 1).starts(with: prefix) {
        // All of the leaf's keys have the prefix, so they need not be read.
        let passed = min(skipping, page.count - index)
        (skipping, index) = (skipping - passed, index + passed)
      }
      while index < page.count {
        let key = page.key(index)
        guard key.starts(with: prefix) else { return false }
        index += 1
        if skipping > 0 {
          skipping -= 1
        } else if try !body(key) {
          return false
        }
      }
      return true
    }
    let first = isFirst ? page.childIndex(for: lower) : 0
    for index in first..<page.count {
      // A separator after the start and without the prefix is after every key that has it.
      if index > first, !page.key(index).starts(with: prefix) { return false }
      guard try visit(page.child(index), level: level - 1, isFirst: isFirst && index == first, in: pages, body) else {
        return false
      }
    }
    return true
  }
}

/// A scan, from the last one on, of the keys with a prefix that precede a bound.
struct IndexBackwardScan {
  let prefix: [UInt8]
  let bound: [UInt8]

  /// Visits the keys below a page. `isLast`: true on the path to the bound; all pages before it hold only earlier keys.
  /// Returns false when the scan is over.
  func visit(
    _ reference: PageReference, level: Int, isLast: Bool, in pages: PageFile,
    _ body: (ArraySlice<UInt8>) throws -> Bool
  ) throws -> Bool {
    let page = try pages.node(reference, level: level)
    if page.isLeaf {
      for index in (0..<(isLast ? page.position(of: bound).index : page.count)).reversed() {
        let key = page.key(index)
        guard key.starts(with: prefix), try body(key) else { return false }
      }
      return true
    }
    let last = isLast ? page.childIndex(for: bound) : page.count - 1
    for index in (0...last).reversed() {
      guard try visit(page.child(index), level: level - 1, isLast: isLast && index == last, in: pages, body) else {
        return false
      }
    }
    return true
  }
}

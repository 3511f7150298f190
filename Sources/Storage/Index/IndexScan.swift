/// A scan of the keys with a prefix.
struct IndexScan {
  private let prefix: [UInt8]
  private let lower: [UInt8]

  init(prefix: [UInt8], from: [UInt8]?) {
    self.prefix = prefix
    lower = from.map { ByteOrder.compare($0, prefix) > 0 ? $0 : prefix } ?? prefix
  }

  /// Visits the keys below a page. `isFirst`: true on the path to `lower`; all pages after it hold only later keys.
  /// Returns false when the scan is over.
  func visit(
    _ reference: PageReference, level: Int, isFirst: Bool, in pages: PageFile,
    _ body: (ArraySlice<UInt8>) throws -> Bool
  ) throws -> Bool {
    let page = try pages.node(reference, level: level)
    if page.isLeaf {
      for index in (isFirst ? page.position(of: lower).index : 0)..<page.count {
        let key = page.key(index)
        guard key.starts(with: prefix), try body(key) else { return false }
      }
      return true
    }
    let first = isFirst ? page.childIndex(for: lower) : 0
    for index in first..<page.count {
      // A separator behind the start and without the prefix is behind every key that has it.
      if index > first, !page.key(index).starts(with: prefix) { return false }
      guard try visit(page.child(index), level: level - 1, isFirst: isFirst && index == first, in: pages, body) else {
        return false
      }
    }
    return true
  }
}

/// A search for the last key before a bound.
struct IndexPredecessor {
  let bound: [UInt8]

  /// The last key below a page that precedes the bound. `isLast`: true on the path to the bound; all pages before it
  /// hold only earlier keys.
  func find(_ reference: PageReference, level: Int, isLast: Bool, in pages: PageFile) throws -> [UInt8]? {
    let page = try pages.node(reference, level: level)
    if page.isLeaf {
      let count = isLast ? page.position(of: bound).index : page.count
      return count > 0 ? Array(page.key(count - 1)) : nil
    }
    var place = isLast ? page.childIndex(for: bound) : page.count - 1
    var isLast = isLast
    while place >= 0 {
      if let key = try find(page.child(place), level: level - 1, isLast: isLast, in: pages) { return key }
      (place, isLast) = (place - 1, false)
    }
    return nil
  }
}

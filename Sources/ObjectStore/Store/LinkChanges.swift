/// The links that a transaction adds and removes.
struct LinkChanges {
  struct Pair: Hashable {
    /// The relationship that names the table.
    var table: Int
    var from: RowID
    var to: RowID
  }

  private struct End: Hashable {
    var table: Int
    var id: RowID
  }

  private var links: [Pair: (before: LinkKey?, after: LinkKey?)] = [:]
  private var order: [Pair] = []
  private var byEnd: [End: [Pair]] = [:]

  func isKnown(_ pair: Pair) -> Bool { links[pair] != nil }

  /// The pair's link after the changes so far; nil if it is not linked or was not read.
  func present(_ pair: Pair) -> LinkKey? { links[pair]?.after }

  /// The links of an object in a table that were read or changed, after the changes so far; nil for a removed link.
  func known(_ table: Int, _ id: RowID) -> [(pair: Pair, link: LinkKey?)] {
    (byEnd[End(table: table, id: id)] ?? []).map { ($0, present($0)) }
  }

  /// Whether the pair was not linked before the transaction.
  func isNew(_ pair: Pair) -> Bool { links[pair].map { $0.before == nil } ?? false }

  /// The pair's stored link; `read` is called only the first time.
  mutating func stored(_ pair: Pair, _ read: () throws -> LinkKey?) rethrows -> LinkKey? {
    if let known = links[pair] { return known.before }
    let found = try read()
    links[pair] = (found, found)
    order.append(pair)
    byEnd[End(table: pair.table, id: pair.from), default: []].append(pair)
    if pair.from != pair.to { byEnd[End(table: pair.table, id: pair.to), default: []].append(pair) }
    return found
  }

  /// Call after ``stored(_:_:)``.
  mutating func set(_ link: LinkKey?, _ pair: Pair) { links[pair]?.after = link }

  /// Removes the links of deleted objects, as far as the links were read or changed.
  mutating func remove(with deleted: Set<RowID>) {
    for pair in order where deleted.contains(pair.from) || deleted.contains(pair.to) { links[pair]?.after = nil }
  }

  /// The pairs with changed links, in order.
  var all: [(before: LinkKey?, after: LinkKey?)] {
    order.compactMap { pair in
      guard let link = links[pair], link.before != link.after else { return nil }
      return link
    }
  }
}

import LocalCloudPredicateFormat

extension StoreView {
  /// The identities of the matching objects in order, with the values by which they are sorted. No rows are cached.
  package func orderedIDs(_ fetch: StoreFetch) throws -> [(id: RowID, values: [SortValue])] {
    if fetch.sort.isEmpty { return try fetchIDs(fetch).map { ($0, []) } }
    if fetch.limit < .max {
      // With few rows an index may already have the order.
      var expressions = RowExpressions(self, now: 0)
      return try self.fetch(fetch).map { row in
        let values = try fetch.sort.map { sort in
          SortValue(try expressions.value(of: .keyPath(.subject, sort.path), for: row))
        }
        return (row.id, values)
      }
    }
    var found: [(id: RowID, values: [SortValue])] = []
    var run = FetchRun(fetch, self)
    try run.forEachMatch { _, row, values in found.append((row.id, values)) }
    found.sort { left, right in fetch.sort.precede(left.values, right.values) ?? (left.id < right.id) }
    return Array(found.dropFirst(max(0, fetch.offset)))
  }
}

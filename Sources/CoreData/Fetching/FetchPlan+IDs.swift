import LocalCloudObjectStore

/// An object found by a fetch: only its object ID and its sort values are known.
struct FoundID {
  var id: NSManagedObjectID
  var values: [SortValue]
}

extension NSManagedObjectID {
  /// Orders stored objects that are equal in a fetch's order. It is stable, so that the pages of consecutive fetches fit
  /// together.
  var tieBreaker: Int64 { if case .permanent(_, let number) = key { number } else { 0 } }
}

/// Fetching object IDs without values, for objects with values that are read later, in batches or one by one.
extension FetchPlan {
  func ids() throws -> [NSManagedObjectID] {
    let pending = pending
    if pending.isEmpty, context.parent == nil, stores.count == 1, let store = stores.first {
      var query = query(store)
      (query.limit, query.offset) = (limit, offset)
      return try context.reader.reading(store) { try $0.fetchIDs(query) }.map(store.objectID)
    }
    return page(try found(pending)).map(\.id)
  }

  /// The results up to the end of the page, in order.
  func foundIDs() throws -> [FoundID] { Array(try found(pending).prefix(end)) }

  private func found(_ pending: Set<NSManagedObject>) throws -> [FoundID] {
    var found: [FoundID] = []
    if let parent = context.parent {
      found = try ParentContext(context: parent).foundIDs(inParent(parent, upTo: end(pending)))
    } else {
      for store in stores {
        var query = query(store)
        query.limit = end(pending)
        found += try context.reader.reading(store) { try $0.orderedIDs(query) }
          .map { FoundID(id: store.objectID($0.id), values: $0.values) }
      }
    }
    if !pending.isEmpty {
      context.applyRenames()
      found.removeAll { context.registered[$0.id].map(pending.contains) ?? false }
      let order = ObjectOrder(sort)
      found += try matching(pending).map { FoundID(id: $0.identity, values: order.values($0)) }
    }
    // Equal objects keep their order: sorting is stable.
    return sort.isEmpty ? found : found.sorted { sort.precede($0.values, $1.values) ?? false }
  }
}

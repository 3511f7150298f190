/// The objects that the next export looks at.
package struct ExportCandidates: Sendable {
  package private(set) var unsent: UnsentChanges
  /// The existing objects, by their numbers.
  package private(set) var present: [RowID] = []
  /// The deleted objects that still have a record.
  package private(set) var deleted: [RowID] = []
  /// Objects that are compared even if the history has no change of them.
  package private(set) var pending: Set<RowID> = []

  package init(_ view: StoreView) throws {
    unsent = try UnsentChanges(view)
    try view.forEachMirrorRow(keyPrefix: StateKey.pending, in: .state) { row in
      pending.formUnion(row.objects)
      return true
    }
    var candidates = pending.union(unsent.changes.keys)
    if unsent.isOfEverything {
      for entity in view.schema.entities.indices { candidates.formUnion(try view.ids(of: entity)) }
      try view.forEachMirrorRow(keyPrefix: "", in: .records) { row in
        candidates.formUnion(row.objects)
        return true
      }
    }
    for id in candidates.sorted() {
      if try view.exists(id) {
        present.append(id)
      } else if deleted.last?.number != id.number, try view.row(id.number, in: .records) != nil {
        // An object that was inserted and deleted between two exports has no record. A row that an earlier version
        // wrote does not know the entity of a deleted object, but the history does.
        deleted.append(id)
      }
    }
  }
}

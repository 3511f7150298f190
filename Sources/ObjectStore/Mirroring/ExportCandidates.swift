/// The objects that the next export looks at.
package struct ExportCandidates: Sendable {
  package private(set) var unsent: UnsentChanges
  /// The existing objects, by their numbers.
  package private(set) var present: [RowID] = []
  /// The numbers of deleted objects that still have a record.
  package private(set) var deleted: [Int64] = []
  /// Objects that are compared even if the history has no change of them.
  package private(set) var pending: Set<Int64> = []

  package init(_ view: StoreView) throws {
    unsent = try UnsentChanges(view)
    /// Objects with known entities, by number. Only the others are looked for in every entity's table.
    var known: [Int64: RowID] = [:]
    for id in unsent.changes.keys { known[id.number] = id }
    try view.forEachMirrorRow(keyPrefix: StateKey.pending, in: .state) { row in
      if let number = row.values["object"]?.integer { pending.insert(number) }
      return true
    }
    var candidates = pending
    if unsent.isOfEverything {
      for entity in view.schema.entities.indices {
        for id in try view.ids(of: entity) { known[id.number] = id }
      }
      try view.forEachMirrorRow(keyPrefix: "", in: .records) { row in
        candidates.insert(row.id)
        return true
      }
    }
    for number in candidates.union(known.keys).sorted() {
      let likely = try known[number].flatMap { try view.version(of: $0) == nil ? nil : $0 }
      if let id = try likely ?? view.id(numbered: number) {
        present.append(id)
      } else if try view.row(number, in: .records) != nil {
        // An object that was inserted and deleted between two exports has no record.
        deleted.append(number)
      }
    }
  }
}

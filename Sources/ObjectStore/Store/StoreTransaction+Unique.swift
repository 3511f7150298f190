import LocalCloudStorage

/// Unique values. They are looked up in the store's index while the store is locked: no other process can store the
/// same values before this transaction is committed.
extension StoreTransaction {
  /// Finds an object, other than the row's own, that has one of the row's unique values: stored, or put by this
  /// transaction. Nil if there is none, so that the row can be put.
  ///
  /// A caller uses it to update an existing object instead of inserting a duplicate.
  package func holder(ofUniqueValuesOf row: StoredRow) throws -> StoredRow? {
    for layout in uniqueLayouts(of: row.id) {
      guard let values = layout.uniqueValues(of: row) else { continue }
      if let id = unique.holders(of: values).first(where: { $0 != row.id }) { return try self.row(id) }
      if let stored = try storedHolder(of: values, row, layout) { return stored }
    }
    return nil
  }

  /// The unique indexes of an object's entity; none if there is no such entity.
  func uniqueLayouts(of id: RowID) -> [IndexLayout] {
    Int(id.entity) < schema.entities.count ? folder.rowKeys.uniqueLayouts[Int(id.entity)] : []
  }

  /// Throws ``UniqueViolation`` if objects would have the same values in a unique index.
  func requireUniqueValues(_ changes: [(id: RowID, change: ObjectChanges.Change)]) throws {
    if unique.isEmpty { return }
    var conflicts: [UniqueConflict] = []
    var seen: Set<UniqueValues> = []
    for (id, change) in changes {
      guard let row = change.after else { continue }
      for layout in uniqueLayouts(of: id) {
        guard let values = layout.uniqueValues(of: row) else { continue }
        let holders = unique.holders(of: values)
        // An object with unchanged values shares them with no other stored object.
        if holders.count == 1, self.holds(change.before, values, layout) { continue }
        guard seen.insert(values).inserted else { continue }
        if let conflict = try conflict(values, holders, row, layout) { conflicts.append(conflict) }
      }
    }
    if !conflicts.isEmpty { throw UniqueViolation(conflicts: Self.collapsed(conflicts)) }
  }

  private func conflict(
    _ values: UniqueValues, _ holders: [RowID], _ row: StoredRow, _ layout: IndexLayout
  ) throws -> UniqueConflict? {
    let properties = layout.elements.map(\.property)
    for id in holders {
      guard let before = objects[id]?.before,
        let own = uniqueLayouts(of: id).first(where: { $0.index == layout.index }),
        holds(before, values, own)
      else { continue }
      let others = holders.filter { $0 != id }
      return others.isEmpty ? nil : UniqueConflict(properties: properties, stored: before, rows: try rows(others))
    }
    let stored = try storedHolder(of: values, row, layout)
    guard holders.count + (stored == nil ? 0 : 1) > 1 else { return nil }
    return UniqueConflict(properties: properties, stored: stored, rows: try rows(holders))
  }

  private func holds(_ row: StoredRow?, _ values: UniqueValues, _ layout: IndexLayout) -> Bool {
    row.map { layout.uniqueValues(of: $0) == values } ?? false
  }

  /// The stored object that has the values, if the transaction does not change it. `row`: the object that is to get
  /// them; `layout`: the index in the row's entity.
  private func storedHolder(
    of values: UniqueValues, _ row: StoredRow, _ layout: IndexLayout
  ) throws -> StoredRow? {
    for entity in schema.entities[layout.owner].family {
      guard let own = folder.rowKeys.uniqueLayouts[entity].first(where: { $0.index == layout.index }) else { continue }
      try requireWhole(.objects(entity))
      let ids = try view.map(layout.beginning(of: row, in: entity)) {
        RowID(entity: entity, number: $0.lastNumber)
      }
      for id in ids where id != row.id && objects[id] == nil {
        // Other values may have the same digest.
        if let found = try super.row(id), holds(found, values, own) { return found }
      }
    }
    return nil
  }

  /// The conflicts without those that follow from others, where an entity extends a constraint of an ancestor.
  private static func collapsed(_ conflicts: [UniqueConflict]) -> [UniqueConflict] {
    conflicts.filter { conflict in
      !conflicts.contains { other in
        other.rows == conflict.rows && other.stored == conflict.stored
          && Set(other.properties).isStrictSubset(of: conflict.properties)
      }
    }
  }
}

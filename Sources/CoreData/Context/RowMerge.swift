import LocalCloudObjectStore

extension EntityLayout {
  /// A value of a row, by the name of its property.
  private enum RowValue: Equatable {
    case attribute(StoredValue)
    case toOne(RowID?)
  }

  /// Merges the row of an object with the store's present row by a policy. `changed`: the properties that the context
  /// changed.
  ///
  /// Returns the properties that have to be written; nil if the policy discards the object's changes, or none is left.
  ///
  /// - Difference: overwriting keeps the bytes of an attribute with external storage that another save wrote, if the
  ///   context did not change them: the file that the context had read was deleted.
  func merge(
    _ row: inout StoredRow, _ theirs: StoredRow, _ base: ObjectSnapshot, in store: NSPersistentStore,
    _ changed: Set<String>, _ policy: NSMergePolicyType
  ) -> Set<String>? {
    var mine = row
    for index in mine.attributes.indices {
      // A file that the store has deleted since then can't be referenced again.
      if case .external = mine.attributes[index], mine.attributes[index] == base.attributes[index] {
        mine.attributes[index] = theirs.attributes[index]
      }
    }
    let merge = SnapshotMerge(
      base: values(base.attributes) { base.toOneRow($0, in: store) }, mine: values(of: mine),
      theirs: values(of: theirs),
      changedKeys: changed)
    guard let written = merge.result(policy)?.written, policy != .rollbackMergePolicyType else { return nil }
    for (index, attribute) in attributes.enumerated() {
      row.attributes[index] = (written.contains(attribute.name) ? mine : theirs).attributes[index]
    }
    for (index, relationship) in toOnes.enumerated() {
      row.toOnes[index] = (written.contains(relationship.name) ? mine : theirs).toOnes[index]
    }
    // Changes of to-many relationships add up with every policy.
    let names = written.union(changed.intersection(toManys.map(\.name)))
    return names.isEmpty ? nil : names
  }

  private func values(of row: StoredRow) -> [String: RowValue?] { values(row.attributes) { row.toOnes[$0] } }

  private func values(_ stored: [StoredValue], toOne: (Int) -> RowID?) -> [String: RowValue?] {
    var values: [String: RowValue?] = [:]
    for (index, attribute) in attributes.enumerated() { values[attribute.name] = .attribute(stored[index]) }
    for (index, relationship) in toOnes.enumerated() { values[relationship.name] = .toOne(toOne(index)) }
    return values
  }
}

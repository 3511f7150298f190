extension StoreTransaction {
  /// Adds or removes a pair of a relationship that has the storage
  /// ``StoreSchema/RelationshipStorage/links(table:isForward:)``. Either direction may be given. Linking twice, or
  /// unlinking objects that are not linked, is no error. `position`: in an ordered relationship; nil leaves it as it
  /// is, or for a new pair puts the object last.
  package func link(_ id: RowID, _ relationship: Int, to other: RowID, position: Int64? = nil) throws {
    guard let (pair, isForward) = try tablePair(id, relationship, other) else { return }
    let stored = try linkChanges.stored(pair) { try storedLink(pair.table, from: pair.from, to: pair.to) }
    var link = linkChanges.present(pair) ?? newLink(pair, number: stored?.number ?? newNumber())
    if let position {
      if isForward { link.position = position } else { link.inversePosition = position }
    }
    linkChanges.set(link, pair)
  }

  private func newLink(_ pair: LinkChanges.Pair, number: Int64) -> LinkKey {
    let relationship = schema.relationships[pair.table]
    let inverse = relationship.inverse.map { schema.relationships[$0] }
    return LinkKey(
      table: pair.table, from: pair.from, to: pair.to, number: number,
      position: relationship.isOrdered ? lastPosition() : 0,
      inversePosition: inverse?.isOrdered == true ? lastPosition() : 0)
  }

  /// Removes a pair; see ``link(_:_:to:position:)``.
  package func unlink(_ id: RowID, _ relationship: Int, from other: RowID) throws {
    guard let (pair, _) = try tablePair(id, relationship, other) else { return }
    _ = try linkChanges.stored(pair) { try storedLink(pair.table, from: pair.from, to: pair.to) }
    linkChanges.set(nil, pair)
  }

  /// The pair as its table has it. Nil if the relationship has no table.
  private func tablePair(
    _ id: RowID, _ relationship: Int, _ other: RowID
  ) throws -> (pair: LinkChanges.Pair, isForward: Bool)? {
    guard case .links(let table, let isForward) = schema.relationships[relationship].storage else { return nil }
    let pair = LinkChanges.Pair(table: table, from: isForward ? id : other, to: isForward ? other : id)
    guard schema.relationships[relationship].inverse == relationship, id != other else { return (pair, isForward) }
    // A relationship that is its own inverse stores a pair once, in the direction of the first link.
    let reverse = LinkChanges.Pair(table: table, from: other, to: id)
    let isReversed =
      try linkChanges.isKnown(reverse)
      ? linkChanges.present(reverse) != nil : storedLink(table, from: other, to: id) != nil
    return isReversed ? (reverse, false) : (pair, true)
  }
}

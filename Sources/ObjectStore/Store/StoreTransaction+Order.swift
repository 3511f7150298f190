/// The order of the members of a relationship.
///
/// Each member has a position. The position of a member that is added at the end comes from the store's sequence, which
/// only rises, so that adding one does not read the others. Positions are far apart, so that moving a member rarely
/// moves others.
extension StoreTransaction {
  /// A position behind all that there are.
  func lastPosition() -> Int64 { newNumber() &* Arrangement.distance }

  /// The row with its positions replaced. `present`: the object's present row; nil for a new object.
  func positioned(_ row: StoredRow, after present: StoredRow?) -> StoredRow {
    let indexes = schema.entities[Int(row.id.entity)].orderedToOnes
    if indexes.isEmpty { return row }
    var row = row
    for index in indexes where index < row.toOnes.count {
      var position = present?.position(index) ?? row.position(index)
      if row.toOnes[index] == nil {
        position = 0
      } else if present.map({ $0.toOnes[index] != row.toOnes[index] }) ?? (position == 0) {
        position = lastPosition()
      }
      row.setPosition(position, index)
    }
    return row
  }

  /// Makes objects the last members of an ordered relationship, in their order. Objects that are not members become
  /// members if the relationship is stored in rows of its own, and are ignored otherwise.
  package func append(_ members: [RowID], to id: RowID, _ relationship: Int) throws {
    for member in members { try setPosition(lastPosition(), of: member, id, relationship) }
  }

  /// Gives the members of an ordered relationship another order. A member that is not named stays behind the member
  /// that it follows. Objects that are not members are ignored.
  package func arrange(_ id: RowID, _ relationship: Int, by wanted: [RowID]) throws {
    let members = try members(of: id, relationship)
    let positions = Dictionary(members.map { ($0.id, $0.position) }, uniquingKeysWith: { first, _ in first })
    let order = Arrangement.merged(members.map(\.id), by: wanted)
    let arranged = Arrangement.positions(order.map { positions[$0] ?? 0 }, end: (last + 1) &* Arrangement.distance) {
      lastPosition()
    }
    for (member, position) in zip(order, arranged) where positions[member] != position {
      try setPosition(position, of: member, id, relationship)
    }
  }

  private func setPosition(_ position: Int64, of member: RowID, _ id: RowID, _ relationship: Int) throws {
    switch schema.relationships[relationship].storage {
    case .row: return
    case .links: try link(id, relationship, to: member, position: position)
    case .inverse(let inverse):
      guard let index = schema.entities[Int(member.entity)].toOnes.firstIndex(of: inverse),
        var row = try row(member), row.toOnes[index] == id
      else { return }
      row.setPosition(position, index)
      amend(row, before: try requireRow(member))
    }
  }
}

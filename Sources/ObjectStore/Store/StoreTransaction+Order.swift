/// The order of the members of a relationship.
///
/// Each member has a position. The position of a member that is added at the end comes from the store's sequence, which
/// only rises, so that adding one does not read the others. Positions are far apart, so that moving a member rarely
/// moves others.
extension StoreTransaction {
  typealias Member = (id: RowID, position: Int64)

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

  /// The members of a relationship to many as the transaction leaves them, in order if it is ordered.
  func members(of id: RowID, _ relationship: Int) throws -> [Member] {
    let members: [Member] =
      switch schema.relationships[relationship].storage {
      case .row: []
      case .inverse(let inverse): try sources(after: inverse, id)
      case .links(let table, let isForward):
        try linked(table, isForward: isForward, schema.relationships[relationship].inverse == relationship, id)
      }
    return members.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
  }

  /// The objects that have this object as the target of the to-one relationship, including the transaction's changes.
  func sources(after inverse: Int, _ id: RowID) throws -> [Member] {
    let stored = try sources(of: inverse, to: id.number).filter { objects[$0.id]?.isSilent ?? true }
    return (stored + objects.sources(of: inverse, to: id, schema).map { ($0, 0) }).map { source, position in
      guard let row = objects[source]?.after,
        let index = schema.entities[Int(source.entity)].toOnes.firstIndex(of: inverse)
      else { return (source, position) }
      return (source, row.position(index))
    }
  }

  /// The objects that are linked to an object in a table, including the transaction's changes: seen from one side, or
  /// from both for a relationship that is its own inverse.
  func linked(_ table: Int, isForward: Bool, _ isOwnInverse: Bool, _ id: RowID) throws -> [Member] {
    var members: [RowID: Int64] = [:]
    for side in isOwnInverse ? [IndexKind.backward, .forward] : [isForward ? .forward : .backward] {
      for (other, _, position) in try links(table, side, of: id) { members[other] = position }
    }
    for (pair, link) in linkChanges.known(table, id) {
      let isFrom = pair.from == id
      guard isOwnInverse || isFrom == isForward || pair.from == pair.to else { continue }
      members[isFrom ? pair.to : pair.from] = link.map { isFrom && isForward ? $0.position : $0.inversePosition }
    }
    return members.compactMap { other, position in
      if let change = objects[other], change.after == nil { return nil }
      return (other, position)
    }
  }
}

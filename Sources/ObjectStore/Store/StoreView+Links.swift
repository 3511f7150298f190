import LocalCloudStorage

extension StoreView {
  /// The targets of a to-many relationship, given by its index in the schema: in order if it is ordered, otherwise by
  /// number.
  package func related(_ id: RowID, _ relationship: Int) throws -> [RowID] {
    if case .row = schema.relationships[relationship].storage {
      guard let index = schema.entities[Int(id.entity)].toOnes.firstIndex(of: relationship) else { return [] }
      return try row(id)?.toOnes[index].map { [$0] } ?? []
    }
    let members = try members(of: id, relationship).map(\.id)
    return schema.relationships[relationship].isOrdered ? members : members.sorted()
  }

  /// The members of a relationship to many, by their positions.
  func members(of id: RowID, _ relationship: Int) throws -> [Member] {
    let members: [Member] =
      switch schema.relationships[relationship].storage {
      case .row: []
      case .inverse(let inverse): try sources(of: inverse, to: id)
      case .links(let table, let isForward):
        try linked(table, isForward: isForward, schema.relationships[relationship].inverse == relationship, id)
          .map { ($0.key, $0.value) }
      }
    return members.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
  }

  /// The stored objects, by number, that have the object with the number `target` as the target of a to-one
  /// relationship.
  func storedSources(of relationship: Int, to target: Int64) throws -> [Member] {
    try requireWhole(objectsOf: schema.entities[schema.relationships[relationship].entity].family)
    return try view.map(SourceKey.prefix(relationship, target)) { try SourceKey($0).required() }
      .map { ($0.source, $0.position) }
  }

  /// The stored links of an object in a table, seen from one side.
  func links(
    _ table: Int, _ side: IndexKind, of id: RowID
  ) throws -> [(id: RowID, number: Int64, position: Int64)] {
    try requireWhole(.links(table))
    return try view.map(LinkKey.prefix(side, table, id)) { try LinkKey.far($0).required() }
  }

  /// The stored link of a pair.
  func storedLink(_ table: Int, from: RowID, to: RowID) throws -> LinkKey? {
    try requireWhole(.links(table))
    guard let forward = try view.first(LinkKey.prefix(.forward, table, from, to)),
      let backward = try view.first(LinkKey.prefix(.backward, table, to, from))
    else { return nil }
    let (near, far) = (try LinkKey.far(forward).required(), try LinkKey.far(backward).required())
    return LinkKey(
      table: table, from: from, to: to, number: near.number, position: near.position, inversePosition: far.position)
  }
}

import LocalCloudStorage

extension StoreView {
  /// The targets of a to-many relationship, given by its index in the schema: in order if it is ordered, otherwise by
  /// number.
  package func related(_ id: RowID, _ relationship: Int) throws -> [RowID] {
    let declared = schema.relationships[relationship]
    switch declared.storage {
    case .row:
      guard let index = schema.entities[Int(id.entity)].toOnes.firstIndex(of: relationship) else { return [] }
      return try row(id)?.toOnes[index].map { [$0] } ?? []
    case .inverse(let inverse):
      return Self.ordered(try sources(of: inverse, to: id.number), declared.isOrdered)
    case .links(let table, let isForward):
      var found = try links(table, isForward ? .forward : .backward, of: id)
      // A relationship that is its own inverse is the same from both sides.
      if declared.inverse == relationship {
        let known = Set(found.map(\.id))
        found += try links(table, .backward, of: id).filter { !known.contains($0.id) }
      }
      return Self.ordered(found.map { ($0.id, $0.position) }, declared.isOrdered)
    }
  }

  private static func ordered(_ found: [(id: RowID, position: Int64)], _ isOrdered: Bool) -> [RowID] {
    if isOrdered { return found.sorted { ($0.position, $0.id) < ($1.position, $1.id) }.map(\.id) }
    return found.map(\.id).sorted()
  }

  /// The objects, by number, that have the object with the number `target` as the target of a to-one relationship.
  func sources(of relationship: Int, to target: Int64) throws -> [(id: RowID, position: Int64)] {
    try requireWhole(objectsOf: schema.entities[schema.relationships[relationship].entity].family)
    var found: [(RowID, Int64)] = []
    try view.scan(prefix: SourceKey.prefix(relationship, target)) { key in
      let key = try SourceKey(key).required()
      found.append((key.source, key.position))
      return true
    }
    return found
  }

  /// The objects that are linked to an object in a table, seen from one side.
  func links(
    _ table: Int, _ side: IndexKind, of id: RowID
  ) throws -> [(id: RowID, number: Int64, position: Int64)] {
    try requireWhole(.links(table))
    var found: [(RowID, Int64, Int64)] = []
    try view.scan(prefix: LinkKey.prefix(side, table, id)) { key in
      found.append(try LinkKey.far(key).required())
      return true
    }
    return found
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

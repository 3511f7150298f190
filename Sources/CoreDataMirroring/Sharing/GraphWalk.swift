import LocalCloudObjectStore

/// Walks from objects to related objects, along relationships in both directions.
struct GraphWalk {
  let view: StoreView

  /// The objects that are related to an object; nil if the object does not exist.
  func neighbours(of id: RowID) throws -> [RowID]? {
    guard let row = try view.row(id) else { return nil }
    var found = row.toOnes.compactMap { $0 }
    for relationship in view.schema.entities[Int(id.entity)].relationships
    where view.schema.relationships[relationship].isToMany {
      found += try view.related(id, relationship)
    }
    return found
  }

  /// Those objects and all that can be reached from them. `isEntered`: whether an object is included and the walk
  /// continues from it; called once for each object.
  func reached(from ids: [RowID], isEntered: (RowID) throws -> Bool = { _ in true }) throws -> Set<RowID> {
    var reached: Set<RowID> = []
    var known = Set(ids)
    var next = Array(known)
    while let id = next.popLast() {
      guard try isEntered(id), let neighbours = try neighbours(of: id) else { continue }
      reached.insert(id)
      for neighbour in neighbours where known.insert(neighbour).inserted { next.append(neighbour) }
    }
    return reached
  }
}

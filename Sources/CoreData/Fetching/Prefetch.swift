import LocalCloudObjectStore

/// Reads the targets of relationships, for all objects of a result at once: two reads for each relationship to many
/// objects, one for others.
struct Prefetch {
  private let paths: [[String]]

  /// A path is followed up to its first name that is not a stored relationship.
  init(_ paths: [String], of entity: NSEntityDescription) {
    self.paths = paths.map { path in
      var holder: NSEntityDescription? = entity
      return path.split(separator: ".").map(String.init).prefix { name in
        guard let relationship = holder?.relationshipsByName[name], !relationship.isTransient else { return false }
        holder = relationship.destinationEntity
        return true
      }
    }
  }

  func run(_ ids: [NSManagedObjectID], in context: NSManagedObjectContext) throws {
    for path in paths {
      var sources = ids
      for name in path { sources = try targets(of: sources, name, context) }
    }
  }

  private func targets(
    of sources: [NSManagedObjectID], _ name: String, _ context: NSManagedObjectContext
  ) throws -> [NSManagedObjectID] {
    var found: Set<NSManagedObjectID> = []
    var unknown: [NSManagedObjectID] = []
    for id in sources {
      let object = context.registered[id]
      switch id.entity.derived(EntityLayout.init).property(name) {
      case .toOne(let index):
        let snapshot = object?.committed ?? context.prefetched.row(of: id)
        if let object, object.isFilled {
          if let target = object.toOneID(index) { found.insert(target) }
        } else if let target = snapshot?.toOne(index, in: id.persistentStore) {
          found.insert(target)
        }
      case .toMany(let index):
        if let object, object.isFilled, object.toManys.indices.contains(index), !object.toManys[index].isFault {
          found.formUnion((object.toManys[index].all ?? []).map(\.identity))
        } else if let known = context.prefetched.targets(of: id, named: name) {
          found.formUnion(known)
        } else {
          unknown.append(id)
        }
      default: continue
      }
    }
    if !unknown.isEmpty {
      let targets = try context.reader.relatedIDs(of: unknown, named: name)
      context.prefetched.insert(targets, named: name)
      for ids in targets.values { found.formUnion(ids) }
    }
    let missing = found.filter { id in
      let object = context.registered[id]
      return object?.isFilled != true && object?.committed == nil && context.prefetched.row(of: id) == nil
    }
    if !missing.isEmpty { context.prefetched.insert(try context.reader.snapshots(of: Array(missing))) }
    return Array(found)
  }
}

import Foundation
import LocalCloudObjectStore

/// Values that a context read in advance, for objects not used yet. They are as old as the read: any operation that may
/// change the store's values, or that requests newer ones, discards them.
struct PrefetchedValues {
  private struct Relation: Hashable {
    var id: NSManagedObjectID
    var name: String
  }

  private var rows: [NSManagedObjectID: ObjectSnapshot] = [:]
  private var related: [Relation: [NSManagedObjectID]] = [:]

  /// The maximum number of cached rows. Above it the cache is emptied, and rows are read again when needed.
  private static let most = 20_000

  mutating func add(_ snapshots: [NSManagedObjectID: ObjectSnapshot]) {
    if rows.count + snapshots.count > Self.most { rows = [:] }
    rows.merge(snapshots) { _, new in new }
  }

  mutating func add(_ name: String, _ targets: [NSManagedObjectID: [NSManagedObjectID]]) {
    if related.count + targets.count > Self.most { related = [:] }
    for (id, ids) in targets { related[Relation(id: id, name: name)] = ids }
  }

  func row(_ id: NSManagedObjectID) -> ObjectSnapshot? { rows[id] }
  func targets(_ id: NSManagedObjectID, _ name: String) -> [NSManagedObjectID]? {
    related[Relation(id: id, name: name)]
  }

  /// Removes the row from the cache, because the object holds the values from now on.
  mutating func takeRow(_ id: NSManagedObjectID) -> ObjectSnapshot? {
    rows.isEmpty ? nil : rows.removeValue(forKey: id)
  }

  mutating func takeTargets(_ id: NSManagedObjectID, _ name: String) -> [NSManagedObjectID]? {
    related.isEmpty ? nil : related.removeValue(forKey: Relation(id: id, name: name))
  }

  mutating func removeAll() {
    if !rows.isEmpty { rows = [:] }
    if !related.isEmpty { related = [:] }
  }
}

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
        let snapshot = object?.committed ?? context.prefetched.row(id)
        if let object, object.isFilled {
          if let target = object.toOneID(index) { found.insert(target) }
        } else if let target = snapshot?.toOne(index, in: id.persistentStore) {
          found.insert(target)
        }
      case .toMany(let index):
        if let object, object.isFilled, object.toManys.indices.contains(index), !object.toManys[index].isFault {
          found.formUnion((object.toManys[index].all ?? []).map(\.identity))
        } else if let known = context.prefetched.targets(id, name) {
          found.formUnion(known)
        } else {
          unknown.append(id)
        }
      default: continue
      }
    }
    if !unknown.isEmpty {
      let targets = try context.reader.relatedIDs(of: unknown, named: name)
      context.prefetched.add(name, targets)
      for ids in targets.values { found.formUnion(ids) }
    }
    let missing = found.filter { id in
      let object = context.registered[id]
      return object?.isFilled != true && object?.committed == nil && context.prefetched.row(id) == nil
    }
    if !missing.isEmpty { context.prefetched.add(try context.reader.snapshots(of: Array(missing))) }
    return Array(found)
  }
}

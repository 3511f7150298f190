import Foundation
import LocalCloudObjectStore
import Synchronization

/// The values that a context read before an object needed them: rows of relationships' targets, and lists of targets.
///
/// Invariant:
/// - The values of an object are here until the object holds them: it removes them when it needs them.
/// - They are as old as their read. The context removes all of them before it reads newer values, and when values in the
///   stores may have changed. Rows of members are valid until the next commit through the coordinator.
/// - There are at most ``capacity`` rows and lists of targets, unless one read returned more. When there would be more,
///   the older ones are removed, and are read again when they are needed.
struct ReadAhead {
  private struct Row {
    var snapshot: ObjectSnapshot
    /// The coordinator's number of commits at which the row is valid; nil for a row that commits do not end.
    var commits: Int?
  }

  private struct Relation: Hashable {
    var id: NSManagedObjectID
    var name: String
  }

  private var rows: [NSManagedObjectID: Row] = [:]
  private var related: [Relation: [NSManagedObjectID]] = [:]

  static let capacity = 20_000

  mutating func insert(_ snapshots: [NSManagedObjectID: ObjectSnapshot], until commits: Int? = nil) {
    if rows.count + snapshots.count > Self.capacity { rows = [:] }
    for (id, snapshot) in snapshots { rows[id] = Row(snapshot: snapshot, commits: commits) }
  }

  /// - Parameter commits: the coordinator's present number of commits.
  func row(of id: NSManagedObjectID, at commits: Int?) -> ObjectSnapshot? {
    guard let row = rows[id], row.commits == nil || row.commits == commits else { return nil }
    return row.snapshot
  }

  mutating func removeRow(of id: NSManagedObjectID, at commits: Int?) -> ObjectSnapshot? {
    if rows.isEmpty { return nil }
    defer { rows[id] = nil }
    return row(of: id, at: commits)
  }

  mutating func removeTargets(of id: NSManagedObjectID, named name: String) -> [NSManagedObjectID]? {
    related.isEmpty ? nil : related.removeValue(forKey: Relation(id: id, name: name))
  }

  // MARK: Key paths

  /// Reads the targets of the relationships on a path, for all objects of a result at once: two reads for each
  /// relationship to many objects, one for others. A path ends at its first name that is not a stored relationship.
  static func prefetch(_ path: String, of objects: [NSManagedObjectID], in context: NSManagedObjectContext) throws {
    var sources = objects
    for name in path.split(separator: ".").map(String.init) where !sources.isEmpty {
      sources = try targets(of: sources, name, context)
    }
  }

  private static func targets(
    of sources: [NSManagedObjectID], _ name: String, _ context: NSManagedObjectContext
  ) throws -> [NSManagedObjectID] {
    var found: Set<NSManagedObjectID> = []
    var unknown: [NSManagedObjectID] = []
    for id in sources {
      guard id.entity.relationshipsByName[name]?.isTransient == false else { continue }
      let object = context.registered[id]
      switch id.entity.derived(EntityLayout.init).property(name) {
      case .toOne(let index):
        let snapshot = object?.committed ?? context.readAhead.row(of: id, at: context.commits)
        if let object, object.isFilled {
          if let target = object.toOneID(index) { found.insert(target) }
        } else if let target = snapshot?.toOne(index, in: id.persistentStore) {
          found.insert(target)
        }
      case .toMany(let index):
        if let object, object.isFilled, object.toManys.indices.contains(index), !object.toManys[index].isFault {
          found.formUnion((object.toManys[index].all ?? []).map(\.identity))
        } else if let known = context.readAhead.related[Relation(id: id, name: name)] {
          found.formUnion(known)
        } else {
          unknown.append(id)
        }
      default: continue
      }
    }
    let targets = try context.reader.relatedIDs(of: unknown, named: name)
    if context.readAhead.related.count + targets.count > Self.capacity { context.readAhead.related = [:] }
    for (id, ids) in targets {
      context.readAhead.related[Relation(id: id, name: name)] = ids
      found.formUnion(ids)
    }
    let missing = found.filter { id in
      let object = context.registered[id]
      return object?.isFilled != true && object?.committed == nil
        && context.readAhead.row(of: id, at: context.commits) == nil
    }
    context.readAhead.insert(try context.reader.snapshots(of: Array(missing)))
    return Array(found)
  }
}

extension NSManagedObjectContext {
  /// The coordinator's number of commits.
  var commits: Int? { persistentStoreCoordinator?.commits.load(ordering: .acquiring) }
}

/// Values that a context read in advance, for objects without values.
///
/// Invariant:
/// - The values of an object are here until the object holds them: it removes them when it needs them.
/// - They are as old as their read. The context removes all of them before it reads newer values, and when values in the
///   stores may have changed.
/// - There are at most ``capacity`` rows and lists of targets, unless one read returned more. When there would be more,
///   the older ones are removed, and are read again when they are needed.
struct PrefetchedValues {
  private struct Relation: Hashable {
    var id: NSManagedObjectID
    var name: String
  }

  private var rows: [NSManagedObjectID: ObjectSnapshot] = [:]
  private var related: [Relation: [NSManagedObjectID]] = [:]

  static let capacity = 20_000

  mutating func insert(_ snapshots: [NSManagedObjectID: ObjectSnapshot]) {
    if rows.count + snapshots.count > Self.capacity { rows = [:] }
    rows.merge(snapshots) { _, new in new }
  }

  /// Adds the targets of a relationship, by the objects that have it.
  mutating func insert(_ targets: [NSManagedObjectID: [NSManagedObjectID]], named name: String) {
    if related.count + targets.count > Self.capacity { related = [:] }
    for (id, ids) in targets { related[Relation(id: id, name: name)] = ids }
  }

  func row(of id: NSManagedObjectID) -> ObjectSnapshot? { rows[id] }

  func targets(of id: NSManagedObjectID, named name: String) -> [NSManagedObjectID]? {
    related[Relation(id: id, name: name)]
  }

  mutating func removeRow(of id: NSManagedObjectID) -> ObjectSnapshot? {
    rows.isEmpty ? nil : rows.removeValue(forKey: id)
  }

  mutating func removeTargets(of id: NSManagedObjectID, named name: String) -> [NSManagedObjectID]? {
    related.isEmpty ? nil : related.removeValue(forKey: Relation(id: id, name: name))
  }

  mutating func removeAll() {
    if !rows.isEmpty { rows = [:] }
    if !related.isEmpty { related = [:] }
  }
}

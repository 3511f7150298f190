import Foundation
import LocalCloudObjectStore

/// Faults that are read together when one of them needs its values: members of a relationship to many objects, or the
/// results of a fetch with a batch size. An object has its index in the group; `size` neighbours are a part.
///
/// A part of the members is read once; its rows wait in the context's ``ReadAhead``. The results of a fetch hold their
/// values, and those of the parts that were read last stay. Objects of other parts become faults again if they have no
/// changes, so iterating over all results needs the memory of a few parts.
class FaultGroup {
  private let ids: [NSManagedObjectID]
  private let size: Int
  /// The key paths of the relationships that a fetch prefetches; nil for members of a relationship.
  private let paths: [String]?
  /// Whether the results of a fetch stay faults.
  private let asFaults: Bool
  /// The versions of a fetch's objects when they became faults again; 0: none. Empty before that.
  private var versions: [Int64] = []
  /// The parts of a fetch with values, by the index of their first object, in the order of their reads.
  private var recent: [Int] = []

  /// The maximum number of members that are read together.
  private static let mostMembers = 100
  /// At least this many results of a fetch keep their values, and at least three parts.
  private static let leastKept = 500

  /// Adds the objects without values.
  init(
    _ objects: [NSManagedObject], size: Int = mostMembers, prefetching paths: [String]? = nil, asFaults: Bool = true
  ) {
    ids = objects.map(\.identity)
    (self.size, self.paths, self.asFaults) = (size, paths, asFaults)
    for (index, object) in objects.enumerated() where object.isUnread {
      (object.group, object.groupIndex) = (self, Int32(index))
    }
  }

  /// Gives an object without a context its values before a program reads a property of it. False if it has none.
  func fill(_ object: NSManagedObject, toRead key: String?) -> Bool { false }

  private func range(_ start: Int) -> Range<Int> { start..<min(ids.count, start + size) }

  /// Reads the values of the faults in the part of the object `requested`, because it needs its values. If one of them
  /// cannot be read, they are read one by one.
  final func read(for requested: NSManagedObject, in context: NSManagedObjectContext) throws {
    let start = Int(requested.groupIndex) / size * size
    // An object that was refreshed since the fetch is no longer of the group.
    let faults = range(start).filter { index in
      guard let object = context.registered[ids[index]] else { return false }
      return object.isUnread && object.group === self
    }
    let commits = context.commits
    // The objects of a fetch hold their values, and would remove all other rows from the store's cache.
    let snapshots = try? context.reader.snapshots(of: faults.map { ids[$0] }, isCached: paths == nil)
    guard let paths, let snapshots else {
      for index in faults { context.registered[ids[index]]?.group = nil }
      return context.readAhead.insert(snapshots ?? [:], until: commits)
    }
    recent.removeAll { $0 == start }
    recent.append(start)
    for index in faults {
      guard var snapshot = snapshots[ids[index]], let object = context.registered[ids[index]] else { continue }
      // A program may have used the older values: the save has to detect a change by another context.
      if !versions.isEmpty, versions[index] != 0 { snapshot.version = versions[index] }
      object.committed = snapshot
      if !asFaults, object !== requested { object.fire() }
    }
    for path in paths { try ReadAhead.prefetch(path, of: Array(ids[range(start)]), in: context) }
  }

  /// Drops the values of the parts that were read before the last ones. Call it only when no values are in use except
  /// those of the last part.
  final func forgetOld(in context: NSManagedObjectContext) {
    while recent.count > max(3, Self.leastKept / size) {
      if versions.isEmpty { versions = Array(repeating: 0, count: ids.count) }
      for index in range(recent.removeFirst()) {
        guard let object = context.registered[ids[index]], object.group === self, object.isReproducible else {
          continue
        }
        versions[index] = object.committed?.version ?? versions[index]
        object.becomeFault()
      }
    }
  }
}

extension NSManagedObject {
  /// Whether the object's values have to be read before they are used.
  final var isUnread: Bool { !isFilled && committed == nil && stage == .present }

  /// Whether all values of the object can be read from the store again.
  fileprivate final var isReproducible: Bool {
    guard let context, stage == .present, !isMarkedUpdated, readError == nil, !context.changes.checked.contains(self),
      context.awakening !== self, !context.retainsRegisteredObjects
    else { return false }
    return !toManys.contains(where: \.hasChanges) && !objects.keys.contains(where: isTransient)
  }
}

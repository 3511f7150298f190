import Foundation
import LocalCloudObjectStore

/// A part of the results of a fetch with a batch size: objects with values that are read together, when one of them
/// needs its values.
///
/// The last batches of a fetch keep their values. Objects of earlier batches become faults again if they have no
/// changes, so iterating over all results needs the memory of a few batches.
final class FetchBatch: FaultGroup {
  private let ids: [NSManagedObjectID]
  /// The versions of the objects when they became faults again; 0: none.
  private var versions: [Int64] = []
  private let loaded: LoadedBatches

  init(_ ids: [NSManagedObjectID], _ loaded: LoadedBatches) {
    self.ids = ids
    self.loaded = loaded
  }

  func snapshot(of requested: NSManagedObject, in context: NSManagedObjectContext) throws -> ObjectSnapshot? {
    try load(for: requested, in: context)
    return requested.committed
  }

  /// Reads the values of all objects of the batch that have none, when the object `requested` needs its values.
  private func load(for requested: NSManagedObject, in context: NSManagedObjectContext) throws {
    let faults = ids.indices.filter { index in
      guard let object = context.registered[ids[index]] else { return false }
      return !object.isFilled && object.committed == nil && object.stage == .present
    }
    let snapshots = try context.reader.snapshots(of: faults.map { ids[$0] })
    for index in faults {
      guard var snapshot = snapshots[ids[index]], let object = context.registered[ids[index]] else {
        continue
      }
      // A program may have used the older values: the save has to detect a change by another context.
      if !versions.isEmpty, versions[index] != 0 { (snapshot.version, versions[index]) = (versions[index], 0) }
      object.committed = snapshot
      if !loaded.asFaults, object !== requested { object.fire() }
    }
    try loaded.prefetch?.run(ids, in: context)
    loaded.add(self)
  }

  func forgetOld(in context: NSManagedObjectContext) { loaded.forgetOld(in: context) }

  /// Drops the values of objects without changes.
  fileprivate func forget(in context: NSManagedObjectContext) {
    if versions.isEmpty { versions = Array(repeating: 0, count: ids.count) }
    for (index, id) in ids.enumerated() {
      guard let object = context.registered[id], object.batch === self, object.isReproducible else {
        continue
      }
      versions[index] = object.committed?.version ?? versions[index]
      object.becomeFault()
    }
  }
}

/// The batches of one fetch that have values at present.
final class LoadedBatches {
  fileprivate let prefetch: Prefetch?
  fileprivate let asFaults: Bool
  private let size: Int
  private var recent: [FetchBatch] = []

  /// At least this many objects keep their values, and at least three batches.
  private static let least = 500

  init(size: Int, _ prefetch: Prefetch?, asFaults: Bool) {
    (self.size, self.prefetch, self.asFaults) = (size, prefetch, asFaults)
  }

  fileprivate func add(_ batch: FetchBatch) {
    recent.removeAll { $0 === batch }
    recent.append(batch)
  }

  /// Call it only when no values are in use except those of the batch that was loaded last.
  func forgetOld(in context: NSManagedObjectContext) {
    while recent.count > max(3, Self.least / size) { recent.removeFirst().forget(in: context) }
  }
}

extension NSManagedObject {
  /// Whether all values of the object can be read from the store again.
  fileprivate final var isReproducible: Bool {
    guard let context, stage == .present, !isMarkedUpdated, readError == nil, !context.changes.checked.contains(self),
      context.awakening !== self, !context.retainsRegisteredObjects
    else { return false }
    return !toManys.contains(where: \.hasChanges) && !objects.keys.contains(where: isTransient)
  }

  /// Assigns the object to the batch, unless it has values.
  final func join(_ batch: FetchBatch) {
    if !isFilled, committed == nil { self.batch = batch }
  }
}

import Foundation
import LocalCloudObjectStore

/// A part of the results of a fetch with a batch size: objects whose values are read together, when those of one of them
/// are needed.
///
/// Of the batches of a fetch the last ones keep their values. Objects of earlier ones become faults again if they have no
/// changes, so that going through all results needs the memory of a few batches.
final class FetchBatch: FaultGroup {
  private let ids: [NSManagedObjectID]
  /// The versions that the objects had when they became faults again; 0: none.
  private var versions: [Int64] = []
  private let loaded: LoadedBatches

  init(_ ids: [NSManagedObjectID], _ loaded: LoadedBatches) {
    self.ids = ids
    self.loaded = loaded
  }

  func snapshot(of asked: NSManagedObject, in context: NSManagedObjectContext) throws -> ObjectSnapshot? {
    try load(for: asked, in: context)
    return asked.committed
  }

  /// Reads the values of all objects of the batch that have none, for one of them that is asked for its own.
  private func load(for asked: NSManagedObject, in context: NSManagedObjectContext) throws {
    let faults = ids.indices.filter { place in
      guard let object = context.registry[ids[place].key]?.object else { return false }
      return !object.isFilled && object.committed == nil && object.stage == .present
    }
    let snapshots = try context.reader.snapshots(of: faults.map { ids[$0] })
    for place in faults {
      guard var snapshot = snapshots[ids[place]], let object = context.registry[ids[place].key]?.object else {
        continue
      }
      // A program may have used the older values: a save is to notice that somebody else changed them.
      if !versions.isEmpty, versions[place] != 0 { (snapshot.version, versions[place]) = (versions[place], 0) }
      object.committed = snapshot
      if !loaded.asFaults, object !== asked { object.fire() }
    }
    try loaded.prefetch?.run(ids, in: context)
    loaded.add(self)
  }

  func forgetOld(in context: NSManagedObjectContext) { loaded.forgetOld(in: context) }

  /// Forgets the values of objects without changes.
  fileprivate func forget(in context: NSManagedObjectContext) {
    if versions.isEmpty { versions = Array(repeating: 0, count: ids.count) }
    for (place, id) in ids.enumerated() {
      guard let object = context.registry[id.key]?.object, object.batch === self, object.isReproducible else {
        continue
      }
      versions[place] = object.committed?.version ?? versions[place]
      object.turnIntoFault()
    }
  }
}

/// The batches of one fetch that have values.
final class LoadedBatches {
  fileprivate let prefetch: Prefetch?
  fileprivate let asFaults: Bool
  private let size: Int
  private var recent: [FetchBatch] = []

  /// At least so many objects keep their values, and those of three batches.
  private static let least = 500

  init(size: Int, _ prefetch: Prefetch?, asFaults: Bool) {
    (self.size, self.prefetch, self.asFaults) = (size, prefetch, asFaults)
  }

  fileprivate func add(_ batch: FetchBatch) {
    recent.removeAll { $0 === batch }
    recent.append(batch)
  }

  /// Call it where no object's values are being used but those of the batch that was loaded last.
  func forgetOld(in context: NSManagedObjectContext) {
    while recent.count > max(3, Self.least / size) { recent.removeFirst().forget(in: context) }
  }
}

extension NSManagedObject {
  /// Whether all of the object's values can be read from the store again.
  fileprivate final var isReproducible: Bool {
    guard let context, stage == .present, !isMarkedUpdated, readError == nil, !context.checked.contains(self),
      context.awakening !== self, !context.retainsRegisteredObjects
    else { return false }
    return !toManys.contains(where: \.hasChanges) && !objects.keys.contains(where: isTransient)
  }

  /// Gives the object its batch, unless it has values.
  final func join(_ batch: FetchBatch) {
    if !isFilled, committed == nil { self.batch = batch }
  }
}

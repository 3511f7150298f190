import Foundation

/// What a context reads in its parent: the parent's objects as they are there, saved or not. Runs on the parent's queue,
/// for which the child's waits.
struct ParentContext {
  let context: NSManagedObjectContext

  func snapshot(of id: NSManagedObjectID) throws -> ObjectSnapshot? {
    try context.queue.sync { try context.visibleSnapshot(of: id) }
  }

  func snapshots(of ids: [NSManagedObjectID]) throws -> [NSManagedObjectID: ObjectSnapshot] {
    try context.queue.sync {
      var result: [NSManagedObjectID: ObjectSnapshot] = [:]
      for id in ids { result[id] = try context.visibleSnapshot(of: id) }
      return result
    }
  }

  func relatedIDs(
    of id: NSManagedObjectID, _ relationship: NSRelationshipDescription
  ) throws -> [NSManagedObjectID] {
    try context.queue.sync {
      context.followRenames()
      let object = context.object(with: context.resolved(id))
      let ids = object.relatedIDs(relationship.name)
      if let error = object.readError { throw error }
      return ids
    }
  }

  /// The objects that a request finds, each with its values.
  func objects(_ plan: FetchPlan) throws -> [(id: NSManagedObjectID, snapshot: ObjectSnapshot?)] {
    try context.queue.sync {
      context.propagateDeletions()
      return try plan.objects().map { ($0.identity, try context.visibleSnapshot(of: $0.identity)) }
    }
  }

  func count(_ plan: FetchPlan) throws -> Int {
    try context.queue.sync {
      context.propagateDeletions()
      return try plan.count()
    }
  }
}

extension NSManagedObjectContext {
  /// An object's values as a child context sees them; nil if there is no such object, or if it was deleted here.
  fileprivate func visibleSnapshot(of id: NSManagedObjectID) throws -> ObjectSnapshot? {
    followRenames()
    let id = resolved(id)
    guard let object = registry[id.key]?.object else { return try reader.snapshot(of: id) }
    guard object.stage.isLive else { return nil }
    if let error = object.readError { throw error }
    if object.isFilled, object.hasChanges { return object.presentSnapshot }
    if object.committed == nil { object.committed = try reader.snapshot(of: id) }
    return object.committed
  }
}

extension NSManagedObject {
  /// The object's values as they are now.
  final var presentSnapshot: ObjectSnapshot {
    ObjectSnapshot(
      version: committed?.version ?? 0, attributes: attributes,
      toOnes: toOnes.indices.map { place in
        toOnes[place].object?.stage.isLive == false ? nil : toOneID(place)
      })
  }
}

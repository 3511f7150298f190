import Foundation

/// Reads data for a context from its parent: the parent's objects in their present state, saved or not. Runs on the
/// parent's queue, and the child's queue waits for it.
struct ParentContext {
  let context: NSManagedObjectContext

  func snapshot(of id: NSManagedObjectID) throws -> ObjectSnapshot? {
    try context.queue.borrow { try context.visibleSnapshot(of: id, context.reader.snapshot) }
  }

  func snapshots(of ids: [NSManagedObjectID]) throws -> [NSManagedObjectID: ObjectSnapshot] {
    try context.queue.borrow {
      context.applyRenames()
      // Objects without values in the context are read together.
      let unread = ids.map(context.registered.resolved).filter { context.registered[$0]?.committed == nil }
      let read = try context.reader.snapshots(of: unread)
      var result: [NSManagedObjectID: ObjectSnapshot] = [:]
      for id in ids { result[id] = try context.visibleSnapshot(of: id) { read[$0] } }
      return result
    }
  }

  func relatedIDs(
    of id: NSManagedObjectID, _ relationship: NSRelationshipDescription
  ) throws -> [NSManagedObjectID] {
    try context.queue.borrow {
      let object = context.objectOrFault(id)
      let ids = object.relatedIDs(relationship.name)
      if let error = object.readError { throw error }
      return ids
    }
  }

  /// The results of a child's request, each with its values if they are requested.
  func results(_ plan: FetchPlan, withValues: Bool) throws -> [FetchPlan.Found] {
    try context.queue.borrow {
      context.propagateDeletions()
      let plan = plan.inParent(context)
      var found = try plan.results(withValues: withValues)
      if !withValues { return found }
      for index in found.indices {
        try withExtendedLifetime(plan.object(found[index])) {
          found[index].snapshot = try context.visibleSnapshot(of: found[index].id, context.reader.snapshot)
        }
      }
      return found
    }
  }

  func count(_ plan: FetchPlan) throws -> Int {
    try context.queue.borrow {
      context.propagateDeletions()
      return try plan.inParent(context).count()
    }
  }
}

extension NSManagedObjectContext {
  /// An object's values as a child context sees them; nil if the object does not exist, or was deleted in this context.
  /// `read` reads an object without values in this context.
  fileprivate func visibleSnapshot(
    of id: NSManagedObjectID, _ read: (NSManagedObjectID) throws -> ObjectSnapshot?
  ) throws -> ObjectSnapshot? {
    applyRenames()
    let id = registered.resolved(id)
    guard let object = registered[id] else { return try read(id) }
    guard object.stage.isLive else { return nil }
    if let error = object.readError { throw error }
    if object.stage == .inserted { object.fire() }
    if object.isFilled, object.hasChanges { return object.presentSnapshot }
    if object.committed == nil { object.committed = try read(id) }
    return object.committed
  }
}

extension NSManagedObject {
  /// The object's present values.
  final var presentSnapshot: ObjectSnapshot {
    ObjectSnapshot(
      version: committed?.version ?? 0, attributes: attributes,
      toOnes: toOnes.indices.map { index in
        toOnes[index].object?.stage.isLive == false ? nil : toOneID(index)
      })
  }
}

import Foundation

/// Reads data for a child context: the context's objects in their present state, saved or not. Each function runs on the
/// context's queue, and the child's queue waits for it.
extension NSManagedObjectContext {
  func snapshots(forChild ids: [NSManagedObjectID]) throws -> [NSManagedObjectID: ObjectSnapshot] {
    try queue.borrow {
      applyRenames()
      // Objects without values in the context are read together.
      let unread = ids.map(registered.resolved).filter { registered[$0]?.committed == nil }
      let read = try reader.snapshots(of: unread)
      var result: [NSManagedObjectID: ObjectSnapshot] = [:]
      for id in ids { result[id] = try visibleSnapshot(of: id) { read[$0] } }
      return result
    }
  }

  func relatedIDs(forChild id: NSManagedObjectID, _ name: String) throws -> [NSManagedObjectID] {
    try queue.borrow {
      let object = objectOrFault(id)
      let ids = object.relatedIDs(name)
      if let error = object.readError { throw error }
      return ids
    }
  }

  /// The results of a child's request, each with its values if they are requested.
  func results(forChild plan: FetchPlan, withValues: Bool) throws -> [FetchPlan.Found] {
    try queue.borrow {
      propagateDeletions()
      let plan = plan.inParent(self)
      var found = try plan.results(withValues: withValues)
      if !withValues { return found }
      for index in found.indices {
        try withExtendedLifetime(plan.object(found[index])) {
          found[index].snapshot = try visibleSnapshot(of: found[index].id, reader.snapshot)
        }
      }
      return found
    }
  }

  func count(forChild plan: FetchPlan) throws -> Int {
    try queue.borrow {
      propagateDeletions()
      return try plan.inParent(self).count()
    }
  }

  /// An object's values as a child context sees them; nil if the object does not exist, or was deleted in this context.
  /// `read` reads an object without values in this context.
  private func visibleSnapshot(
    of id: NSManagedObjectID, _ read: (NSManagedObjectID) throws -> ObjectSnapshot?
  ) throws -> ObjectSnapshot? {
    applyRenames()
    let id = registered.resolved(id)
    guard let object = registered[id] else { return try read(id) }
    guard object.stage.isLive else { return nil }
    if let error = object.readError { throw error }
    if object.stage == .inserted { object.fire() }
    if object.isFilled, object.hasChanges { return ObjectSnapshot(of: object) }
    if object.committed == nil { object.committed = try read(id) }
    return object.committed
  }
}

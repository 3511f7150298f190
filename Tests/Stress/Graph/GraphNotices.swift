import CoreData
import Synchronization

/// The changes in the notifications of contexts since they were last taken.
final class GraphNotices: Sendable {
  // Sendable: objects are only touched on their context's queue, where notifications are posted and taken.
  private struct Received: @unchecked Sendable {
    var changed: [String: Set<NSManagedObject>] = [:]
    var saved: [String: Set<NSManagedObject>] = [:]
  }

  private let received = Mutex<[ObjectIdentifier: Received]>([:])

  func watch(_ context: NSManagedObjectContext) {
    observe(NSManagedObjectContext.didChangeObjectsNotification, context) { $0.changed[$1, default: []].formUnion($2) }
    observe(NSManagedObjectContext.didSaveObjectsNotification, context) { $0.saved[$1, default: []].formUnion($2) }
  }

  private func observe(
    _ name: Notification.Name, _ context: NSManagedObjectContext,
    _ add: @escaping @Sendable (inout Received, String, Set<NSManagedObject>) -> Void
  ) {
    let identity = ObjectIdentifier(context)
    _ = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { [self] notification in
      var sets = Received()
      for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey] {
        if let set = notification.userInfo?[key] as? Set<NSManagedObject> { add(&sets, key, set) }
      }
      let received = sets
      self.received.withLock { all in
        for (key, set) in received.changed {
          all[identity, default: Received()].changed[key, default: []].formUnion(set)
        }
        for (key, set) in received.saved { all[identity, default: Received()].saved[key, default: []].formUnion(set) }
      }
    }
  }

  /// Call on the context's queue.
  func take(
    _ context: NSManagedObjectContext, _ key: (NSManagedObject) -> Int
  ) -> (changed: GraphSets, saved: GraphSets) {
    let received = received.withLock { $0.removeValue(forKey: ObjectIdentifier(context)) } ?? Received()
    func sets(_ objects: [String: Set<NSManagedObject>]) -> GraphSets {
      func keys(_ name: String) -> Set<Int> { Set((objects[name] ?? []).map(key)) }
      var sets = GraphSets()
      sets.inserted = keys(NSInsertedObjectsKey)
      sets.updated = keys(NSUpdatedObjectsKey)
      sets.deleted = keys(NSDeletedObjectsKey)
      return sets
    }
    return (sets(received.changed), sets(received.saved))
  }
}

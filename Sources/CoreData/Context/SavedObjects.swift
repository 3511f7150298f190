import Foundation

/// The objects that a save wrote.
struct SavedObjects {
  var inserted: Set<NSManagedObject> = []
  var updated: Set<NSManagedObject> = []
  var deleted: Set<NSManagedObject> = []

  var identities: ObjectChangeIDs {
    ObjectChangeIDs(
      inserted: inserted.map(\.identity), updated: updated.map(\.identity), deleted: deleted.map(\.identity))
  }

  /// Posts the context's notifications of the save.
  func post(by context: NSManagedObjectContext) {
    var objects: [AnyHashable: Any] = [:]
    var ids: [AnyHashable: Any] = [:]
    for (key, idKey, set) in [
      (NSInsertedObjectsKey, NSManagedObjectContext.NotificationKey.insertedObjectIDs, inserted),
      (NSUpdatedObjectsKey, .updatedObjectIDs, updated),
      (NSDeletedObjectsKey, .deletedObjectIDs, deleted),
    ] where !set.isEmpty {
      objects[key] = set
      ids[idKey.rawValue] = Set(set.map(\.objectID))
    }
    NotificationCenter.default.post(
      name: NSManagedObjectContext.didSaveObjectsNotification, object: context, userInfo: objects)
    NotificationCenter.default.post(
      name: NSManagedObjectContext.didSaveObjectIDsNotification, object: context, userInfo: ids)
  }
}

import Foundation
import ObjectStore

extension NSManagedObjectContext {
  /// Saves all changes to the stores: one transaction for each store. If a change is not valid, or a store refuses it,
  /// all changes stay pending.
  ///
  /// Throws a validation error, ``NSManagedObjectMergeError`` with the conflicts under `conflictList`, or the store's
  /// error.
  public func save() throws {
    ConcurrencyCheck.check(self)
    propagateDeletions()
    processPendingChanges()
    guard hasChanges else { return }
    guard persistentStoreCoordinator != nil else {
      raiseException("This NSPersistentStoreCoordinator has no persistent stores. It cannot perform a save operation.")
    }
    try willSave()
    try validate()
    NotificationCenter.default.post(name: Self.willSaveObjectsNotification, object: self)
    processPendingChanges()
    guard hasChanges else { return }
    advanceGeneration()
    let policy = mergePolicy as? NSMergePolicy ?? .error
    let saved = SavedObjects(inserted: inserted, updated: updated, deleted: deleted)
    if let parent {
      try ChildSave(self, into: parent).run(policy)
    } else {
      try saveToStores(policy)
    }
    for object in missing {
      registry[object.identity.key] = nil
      object.leaveContext()
    }
    clearChanges()
    for object in saved.inserted.union(saved.updated).union(saved.deleted) { object.didSave() }
    post(saved)
    processPendingChanges()
    func ids(_ objects: Set<NSManagedObject>) -> [NSManagedObjectID] { objects.map(\.identity) }
    children.follow(
      ObjectChangeIDs(inserted: ids(saved.inserted), updated: ids(saved.updated), deleted: ids(saved.deleted)))
  }

  private func saveToStores(_ policy: NSMergePolicy) throws {
    guard !stores.isEmpty else {
      throw CoreDataError.error(NSPersistentStoreSaveError, reason: "The coordinator has no stores.")
    }
    for part in try SavePlan(self).parts() {
      let commit = try StoreSave(part: part, context: self, policy: policy).run()
      settle(part.inserted + part.updated, part.deleted)
      if let commit { persistentStoreCoordinator?.didCommit(commit, to: part.store, by: self) }
    }
  }

  struct SavedObjects {
    var inserted: Set<NSManagedObject>
    var updated: Set<NSManagedObject>
    var deleted: Set<NSManagedObject>
  }

  /// Has the objects prepare themselves, until none of them changes any more.
  private func willSave() throws {
    var told = Set<ObjectIdentifier>()
    var changed = Set<NSManagedObject>()
    defer { changedWhileSaving = nil }
    for _ in 0..<1000 {
      let waiting = (inserted.inOrder + Array(updated) + Array(deleted))
        .filter { told.insert(ObjectIdentifier($0)).inserted || changed.contains($0) }
      if waiting.isEmpty { return }
      changedWhileSaving = []
      for object in waiting { object.willSave() }
      propagateDeletions()
      processPendingChanges()
      guard hasChanges else { return }
      changed = changedWhileSaving ?? []
    }
    raiseException(
      "Failed to process pending changes before save. The context is still dirty after 1000 attempts. Typically this "
        + "recursive dirtying is caused by a bad validation method, -willSave, or notification handler.",
      name: "NSInternalInconsistencyException")
  }

  private func validate() throws {
    var checks = CoreDataError.Checks()
    for object in inserted.inOrder { checks.check(object.validateForInsert) }
    for object in updated { checks.check(object.validateForUpdate) }
    for object in deleted where !missing.contains(object) { checks.check(object.validateForDelete) }
    try checks.finish()
  }

  /// Takes objects as saved: if the next store fails, they are not saved again.
  func settle(_ written: [NSManagedObject], _ deletedObjects: [NSManagedObject]) {
    for object in written {
      inserted.remove(object)
      updated.remove(object)
      object.isMarkedUpdated = false
      (object.changedKeys, object.changedInEvent) = ([], [])
      for place in object.toManys.indices { object.toManys[place].didSave() }
    }
    for object in deletedObjects { deleted.remove(object) }
  }

  private func post(_ saved: SavedObjects) {
    var objects: [AnyHashable: Any] = [:]
    var ids: [AnyHashable: Any] = [:]
    for (key, idKey, set) in [
      (NSInsertedObjectsKey, NotificationKey.insertedObjectIDs, saved.inserted),
      (NSUpdatedObjectsKey, .updatedObjectIDs, saved.updated),
      (NSDeletedObjectsKey, .deletedObjectIDs, saved.deleted),
    ] where !set.isEmpty {
      objects[key] = set
      ids[idKey.rawValue] = Set(set.map(\.objectID))
    }
    NotificationCenter.default.post(name: Self.didSaveObjectsNotification, object: self, userInfo: objects)
    NotificationCenter.default.post(name: Self.didSaveObjectIDsNotification, object: self, userInfo: ids)
  }
}

extension NSManagedObjectContext {
  // MARK: Notifications

  /// The context is about to save.
  public static let willSaveObjectsNotification = Notification.Name("NSManagingContextWillSaveChangesNotification")
  /// The context has saved; the keys are those of the changed objects.
  public static let didSaveObjectsNotification = Notification.Name("NSManagingContextDidSaveChangesNotification")
  /// The context has processed changes; the keys are those of the changed objects.
  public static let didChangeObjectsNotification = Notification.Name("NSObjectsChangedInManagingContextNotification")
  /// The context has saved; the keys are those of the changed objects' identities.
  public static let didSaveObjectIDsNotification = Notification.Name(
    "NSManagedObjectContextDidSaveObjectIDsNotification")
  /// The context has merged changes; the keys are those of the changed objects' identities.
  public static let didMergeChangesObjectIDsNotification = Notification.Name(
    "NSManagedObjectContextDidMergeChangesObjectIDsNotification")

  /// The keys in the notifications' user info.
  public enum NotificationKey: String, Sendable {
    /// The context whose changes were saved or merged.
    case sourceContext = "managedObjectContext"
    /// The state of the stores that the save made.
    case queryGeneration = "newQueryGeneration"
    /// The context was reset.
    case invalidatedAllObjects = "invalidatedAll"
    /// Objects that were inserted.
    case insertedObjects = "inserted"
    /// Objects that were changed.
    case updatedObjects = "updated"
    /// Objects that were deleted.
    case deletedObjects = "deleted"
    /// Objects that were read anew, or made faults.
    case refreshedObjects = "refreshed"
    /// Objects that were made invalid.
    case invalidatedObjects = "invalidated"
    /// Identities of objects that were inserted.
    case insertedObjectIDs = "inserted_objectIDs"
    /// Identities of objects that were changed.
    case updatedObjectIDs = "updated_objectIDs"
    /// Identities of objects that were deleted.
    case deletedObjectIDs = "deleted_objectIDs"
    /// Identities of objects that were read anew.
    case refreshedObjectIDs = "refreshed_objectIDs"
    /// Identities of objects that were made invalid.
    case invalidatedObjectIDs = "invalidated_objectIDs"
  }
}

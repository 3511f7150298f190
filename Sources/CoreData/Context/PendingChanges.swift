/// The changes of a context's objects: those that no save has written yet, and those that observers have not been
/// notified of yet.
///
/// Invariant:
/// - An object is in at most one of ``inserted``, ``updated`` and ``deleted``. Its stage is `inserted`, `present` or
///   `deleted` accordingly, and `isMarkedUpdated` is true if and only if it is in ``updated``.
/// - ``missing`` is a part of ``deleted``.
/// - A new object that is deleted is in none of them. It waits until the delete rules were applied.
/// - ``changeCount`` rises with each insertion and each change. The object stores the count as its number.
// A class: when it releases objects, the `deinit` of a program's class may read the context.
final class PendingChanges {
  /// New objects.
  private(set) var inserted = Set<NSManagedObject>()
  /// Objects of the stores with changes.
  private(set) var updated = Set<NSManagedObject>()
  /// Objects of the stores that the next save deletes.
  private(set) var deleted = Set<NSManagedObject>()
  /// Deleted objects that their stores no longer have.
  private(set) var missing = Set<NSManagedObject>()
  /// Objects that a save checks for conflicts, though they were not changed.
  var checked = Set<NSManagedObject>()
  /// The number of insertions and changes so far. A controller compares it with the changes of objects since its fetch.
  private(set) var changeCount = 0
  /// How often the context was reset.
  private(set) var resetCount = 0
  /// The changes that observers are being notified of.
  private(set) var postedEvent: ChangeEvent?

  /// The changes since the last notification.
  private var event = ChangeEvent()
  /// Deleted objects with delete rules that were not applied yet.
  private var unpropagated: [NSManagedObject] = []
  /// Deleted objects that never were in a store.
  private var unsavedDeletions = Set<NSManagedObject>()
  /// Objects that a merge deleted. Observers are notified of them before they leave the context.
  var mergedDeletions: [NSManagedObject] = []
  /// The stores that were assigned to new objects, until the object's identity has a store.
  var stores: [NSManagedObject: NSPersistentStore] = [:]

  /// Whether a save has nothing to write.
  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

  /// Deleted objects that their stores still have, as far as is known.
  var storedDeletions: Set<NSManagedObject> { missing.isEmpty ? deleted : deleted.subtracting(missing) }

  /// Validates the objects for a save.
  func validate() throws {
    var checks = CoreDataError.Checks()
    for object in inserted.inOrder { checks.check(object.validateForInsert) }
    for object in updated { checks.check(object.validateForUpdate) }
    for object in storedDeletions { checks.check(object.validateForDelete) }
    try checks.finish()
  }

  /// All objects with changes that no save has written.
  var objects: Set<NSManagedObject> { inserted.union(updated).union(deleted) }

  // MARK: Recording

  /// Records a new object.
  func insert(_ object: NSManagedObject) {
    changeCount += 1
    object.insertionNumber = changeCount
    object.stage = .inserted
    inserted.insert(object)
    event.inserted.insert(object)
  }

  /// Records that a property of an object changed.
  func update(_ object: NSManagedObject) {
    changeCount += 1
    object.changeNumber = changeCount
    switch object.stage {
    case .present:
      if !object.isMarkedUpdated {
        object.isMarkedUpdated = true
        updated.insert(object)
      }
      event.updated.insert(object)
    case .inserted: if !event.inserted.contains(object) { event.updated.insert(object) }
    case .deleted, .detached: break
    }
  }

  /// Records a deletion. The object's delete rules are applied later.
  func delete(_ object: NSManagedObject) {
    let isNew = object.stage == .inserted
    inserted.remove(object)
    event.inserted.remove(object)
    beginDeletion(of: object)
    unpropagated.append(object)
    if isNew { unsavedDeletions.insert(object) } else { deleted.insert(object) }
  }

  /// Records that the store no longer has an object. No delete rules are applied.
  func recordMissing(_ object: NSManagedObject) {
    beginDeletion(of: object)
    deleted.insert(object)
    missing.insert(object)
  }

  private func beginDeletion(of object: NSManagedObject) {
    removeUpdate(of: object)
    object.stage = .deleted
    event.deleted.insert(object)
  }

  // MARK: Deletions

  /// Returns a deleted object with delete rules that were not applied yet. The caller applies them.
  func nextDeletion() -> NSManagedObject? { unpropagated.popLast() }

  /// Returns the deleted objects that never were in a store. The caller removes them from the context.
  func removeUnsavedDeletions() -> Set<NSManagedObject> {
    let result = unsavedDeletions
    unsavedDeletions = []
    for object in result { stores[object] = nil }
    return result
  }

  /// Returns the objects that an earlier merge deleted. The caller removes them from the context.
  func removeMergedDeletions() -> [NSManagedObject] {
    defer { mergedDeletions = [] }
    deleted.subtract(mergedDeletions)
    missing.subtract(mergedDeletions)
    return mergedDeletions
  }

  // MARK: Notifying observers

  /// Records that another context inserted an object.
  func reportInsertion(_ object: NSManagedObject) { event.inserted.insert(object) }

  /// Records that an object has newer values, or lost its values.
  ///
  /// - Parameter names: the properties with other values; nil if they are not known.
  func reportRefresh(_ object: NSManagedObject, _ names: Set<String>? = nil) {
    event.refresh(object, names)
  }

  /// Returns the changes since the last notification; nil if there are none. They are the posted ones until
  /// ``endEvent()``.
  func beginEvent() -> ChangeEvent? {
    guard !event.isEmpty else { return nil }
    for object in event.inserted { object.changedInEvent = [] }
    postedEvent = event
    event = ChangeEvent()
    return postedEvent
  }

  /// Ends the notification of the event that ``beginEvent()`` returned.
  func endEvent() {
    for object in postedEvent?.updated ?? [] { object.changedInEvent = [] }
    postedEvent = nil
  }

  // MARK: Ending changes

  /// Marks objects as saved: if the next store fails, they are not saved again.
  func markSaved(_ written: [NSManagedObject], deleted deletedObjects: [NSManagedObject]) {
    for object in written {
      inserted.remove(object)
      updated.remove(object)
      if object.stage == .inserted { object.stage = .present }
      object.isMarkedUpdated = false
      (object.changedKeys, object.changedInEvent) = ([], [])
      for index in object.toManys.indices { object.toManys[index].didSave() }
    }
    deleted.subtract(deletedObjects)
  }

  /// Discards the changes of an object that stays in its store.
  func discard(_ object: NSManagedObject) {
    removeUpdate(of: object)
    deleted.remove(object)
    missing.remove(object)
    object.stage = .present
  }

  /// Discards the changes of an object's values. An insertion or deletion stays.
  func removeUpdate(of object: NSManagedObject) {
    updated.remove(object)
    event.updated.remove(object)
    object.isMarkedUpdated = false
  }

  /// Discards all changes.
  ///
  /// - Returns: the new objects, which the caller removes from the context, and the objects with stored values that the
  ///   caller restores.
  func discardAll() -> (inserted: Set<NSManagedObject>, restored: Set<NSManagedObject>) {
    let result = (inserted, restored: updated.union(storedDeletions))
    for object in result.restored {
      discard(object)
      event.refresh(object, nil)
    }
    event.deleted.formUnion(inserted)
    (event.inserted, event.updated) = ([], [])
    removeAll()
    return result
  }

  /// Discards all changes and the event, because the context loses its objects.
  func reset(_ objects: [NSManagedObjectID]) {
    removeAll()
    resetCount += 1
    event = ChangeEvent()
    event.allInvalidated = objects
  }

  /// Ends all changes. Observers are still notified of them.
  func removeAll() {
    // Objects are released at the end, when no set is being changed: the `deinit` of a program's class may use the context.
    withExtendedLifetime((objects, checked, unsavedDeletions, mergedDeletions)) {
      stores = [:]
      (inserted, updated, deleted, missing) = ([], [], [], [])
      (checked, unsavedDeletions) = ([], [])
      (unpropagated, mergedDeletions) = ([], [])
    }
  }
}

extension Set<NSManagedObject> {
  /// In the order of insertion into their context. Objects of the stores are first, by number.
  var inOrder: [NSManagedObject] {
    sorted { ($0.insertionNumber, $0.identity.number ?? 0) < ($1.insertionNumber, $1.identity.number ?? 0) }
  }
}

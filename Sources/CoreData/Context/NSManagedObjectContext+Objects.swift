import Foundation
import LocalCloudObjectStore

extension NSManagedObjectContext {
  // MARK: Finding

  /// Implements ``object(with:)``. The module calls this function, so that no override runs.
  func objectOrFault(_ objectID: NSManagedObjectID) -> NSManagedObject {
    applyRenames()
    if let object = registered[objectID] { return object }
    let object = NSManagedObject.fault(registered.resolved(objectID), in: self)
    registered.insert(object)
    return object
  }

  /// See ``existingObject(with:)``.
  func readObject(_ objectID: NSManagedObjectID) throws -> NSManagedObject {
    applyRenames()
    if let object = registered[objectID] {
      if object.stage == .deleted { throw Self.missingError(objectID) }
      if object.isFilled || object.committed != nil { return object }
    }
    guard let snapshot = try reader.snapshot(of: objectID) else { throw Self.missingError(objectID) }
    let object = objectOrFault(objectID)
    object.committed = snapshot
    object.fire()
    return object
  }

  static func missingError(_ id: NSManagedObjectID) -> NSError {
    CoreDataError.error(
      NSManagedObjectReferentialIntegrityError,
      description: "The object \(id.uriRepresentation().absoluteString) is not in the store.",
      userInfo: [NSAffectedObjectsErrorKey: [id]])
  }

  /// Removes an object from the context.
  func release(_ object: NSManagedObject) {
    registered.remove(object)
    object.leaveContext()
  }

  // MARK: Inserting

  /// See ``insert(_:)``.
  func insertObject(_ object: NSManagedObject) {
    if object.context === self { return }
    guard object.context == nil else {
      raiseException("An NSManagedObject of another context cannot be inserted into this one.")
    }
    enter(object)
    awaken(object) { object.awakeFromInsert() }
  }

  /// Registers a new object.
  func enter(_ object: NSManagedObject) {
    object.context = self
    registered.insert(object)
    changes.insert(object)
    scheduleEvent()
  }

  /// See ``assign(_:to:)``.
  func setStore(of object: Any, _ store: NSPersistentStore) {
    guard let object = object as? NSManagedObject, object.stage == .inserted else {
      raiseException("Can't reassign an object to a different store once it has been saved.")
    }
    requireOwn(object, "assign")
    guard store.entityIndex(of: object.entity) != nil else {
      raiseException("Can't assign an object to a store that does not contain the object's entity.")
    }
    guard stores.contains(where: { $0 === store }) else {
      raiseException("Can't assign an object to a store that the context's coordinator does not have.")
    }
    changes.assign(store, to: object)
  }

  /// Changes the identity of an object.
  func rename(_ object: NSManagedObject, _ id: NSManagedObjectID) {
    let old = object.identity
    registered.rename(object, to: id)
    changes.unassign(object)
    notifyChildrenOfRename(old, id)
  }

  // MARK: Contexts

  /// Stops the process for an object of another context, as Apple's framework raises an exception ([object-insert-5]).
  func requireOwn(_ object: NSManagedObject, _ verb: String) {
    guard let other = object.context, other !== self else { return }
    raiseException("An NSManagedObjectContext cannot \(verb) objects in other contexts.")
  }

  // MARK: Changes

  /// Notifies an object that it was inserted or read. Changes that the object makes to itself in `body` do not count.
  func awaken(_ object: NSManagedObject, _ body: () -> Void) {
    let outer = awakening
    awakening = object
    body()
    awakening = outer
  }

  func recordChange(of object: NSManagedObject) {
    guard awakening !== object else {
      object.changedKeys = []
      object.changedInEvent = []
      return
    }
    changes.update(object)
    scheduleEvent()
  }

  // MARK: Deleting

  /// Implements ``delete(_:)``. The module calls this function, so that no override runs.
  func deleteObject(_ object: NSManagedObject) {
    requireOwn(object, "delete")
    guard object.context === self, object.stage.isLive else { return }
    object.fire()
    // The read may show that the store no longer has the object.
    guard object.stage != .deleted else { return }
    object.prepareForDeletion()
    changes.delete(object)
    scheduleEvent()
  }

  /// Applies the delete rules of deleted objects, and of the objects that these rules delete.
  func propagateDeletions() {
    while let object = changes.nextDeletion() {
      for relationship in object.layout.toOnes + object.layout.toManys where !relationship.isTransient {
        switch relationship.deleteRule {
        case .cascadeDeleteRule:
          for target in object.relatedObjects(relationship)
          where target.context === self && target.stage.isLive {
            target.fire()
            if target.stage == .deleted { continue }
            target.prepareForDeletion()
            changes.delete(target)
          }
        case .nullifyDeleteRule:
          guard let inverse = relationship.inverseRelationship else { continue }
          for target in object.relatedObjects(relationship) where target.stage != .deleted {
            target.inverseChanged(inverse, from: object, isMember: false)
          }
        // The save throws an error while there are targets.
        case .denyDeleteRule, .noActionDeleteRule: continue
        @unknown default: continue
        }
      }
    }
    // Objects that were never in a store leave the context at once.
    for object in changes.removeUnsavedDeletions() { release(object) }
  }

  /// Handles a fault without an object in the store: it counts as deleted, or an exception is raised if the context
  /// decides so.
  func foundMissing(_ object: NSManagedObject) {
    guard object.stage == .present else { return }
    guard shouldHandleInaccessibleFault(object, for: object.identity, triggeredByProperty: nil) else {
      NSManagedObject.raiseInaccessible(object.identity)
    }
    changes.recordMissing(object)
    scheduleEvent()
  }
}

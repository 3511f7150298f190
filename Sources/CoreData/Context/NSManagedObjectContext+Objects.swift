import Foundation
import LocalCloudObjectStore

extension NSManagedObjectContext {
  // MARK: Finding

  /// The objects, identities, dictionaries or counts that a request asks for. Objects that the context has already
  /// retain their values. The context's unsaved changes count, except in dictionaries.
  ///
  /// - Throws: the error of a store that can't be read, or ``NSCoreDataError`` if a predicate can't be evaluated.
  public func fetch<T: NSFetchRequestResult>(_ request: NSFetchRequest<T>) throws -> [T] {
    if let type = T.self as? NSManagedObject.Type, let name = request.entity?.name ?? request.entityName {
      model.entitiesByName[name]?.learn(type)
    }
    let request: NSFetchRequest<any NSFetchRequestResult> = reinterpreted(request)
    // A list of `Any` has four times the size. Only an override needs it.
    let hasOverride = Swift.type(of: self) != NSManagedObjectContext.self
    let found = try hasOverride ? fetch(request).map { $0 as AnyObject } : results(of: request)
    return found.map { FetchedResult.cast($0, to: T.self) }
  }

  /// The results of a request, as objects.
  func results(of request: NSFetchRequest<any NSFetchRequestResult>) throws -> [AnyObject] {
    ConcurrencyCheck.check(self)
    let plan = try FetchPlan(request, in: self)
    applyRenames()
    propagateDeletions()
    // The context's changes are evaluated in memory. The evaluation may fail, like that of a row.
    return try CoreDataError.translating {
      switch request.resultType {
      case .managedObjectIDResultType: return try plan.ids()
      case .countResultType: return [NSNumber(value: try plan.count())]
      case .dictionaryResultType: return try DictionaryFetch(request, plan).results()
      default: return try plan.objects()
      }
    }
  }

  /// The number of results that a request would return.
  ///
  /// - Throws: the error of a store that can't be read, or ``NSCoreDataError`` if a predicate can't be evaluated.
  public func count<T: NSFetchRequestResult>(for request: NSFetchRequest<T>) throws -> Int {
    try count(for: reinterpreted(request) as NSFetchRequest<any NSFetchRequestResult>)
  }

  /// Implements ``object(with:)``. The module calls this function, so that no override runs.
  func objectOrFault(_ objectID: NSManagedObjectID) -> NSManagedObject {
    applyRenames()
    if let object = registered[objectID] { return object }
    let object = NSManagedObject.fault(registered.resolved(objectID), in: self)
    registered.insert(object)
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

  /// Registers a new object.
  func enter(_ object: NSManagedObject) {
    object.context = self
    registered.insert(object)
    changes.insert(object)
    scheduleEvent()
  }

  /// Changes the identity of an object.
  func rename(_ object: NSManagedObject, _ id: NSManagedObjectID) {
    let old = object.identity
    registered.rename(object, to: id)
    changes.stores[object] = nil
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
    guard awakening !== object else { return object.forgetChangedKeys() }
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

import Foundation

/// A save, as stores of a program's own class are handed it.
///
/// - Difference: there are no such stores, and contexts save without it. Executing one fails with
///   ``NSPersistentStoreUnsupportedRequestTypeError``; ``NSManagedObjectContext/save()`` is to be called.
open class NSSaveChangesRequest: NSPersistentStoreRequest {
  /// The objects to insert.
  open private(set) var insertedObjects: Set<NSManagedObject>?
  /// The objects that were changed.
  open private(set) var updatedObjects: Set<NSManagedObject>?
  /// The objects to delete.
  open private(set) var deletedObjects: Set<NSManagedObject>?
  /// The objects that nobody else may have changed.
  open private(set) var lockedObjects: Set<NSManagedObject>?

  /// Makes a request of the four sets, any of which may be nil.
  public init(
    inserted insertedObjects: Set<NSManagedObject>?, updated updatedObjects: Set<NSManagedObject>?,
    deleted deletedObjects: Set<NSManagedObject>?, locked lockedObjects: Set<NSManagedObject>?
  ) {
    self.insertedObjects = insertedObjects
    self.updatedObjects = updatedObjects
    self.deletedObjects = deletedObjects
    self.lockedObjects = lockedObjects
    super.init()
  }

  /// ``NSPersistentStoreRequestType/saveRequestType``.
  open override var requestType: NSPersistentStoreRequestType { .saveRequestType }

  /// A request for the same, which can be changed by itself.
  @discardableResult
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSSaveChangesRequest(
      inserted: insertedObjects, updated: updatedObjects, deleted: deletedObjects, locked: lockedObjects)
    copy.affectedStores = affectedStores
    return copy
  }
}

import Foundation

/// A save, as the coordinator passes it to stores of a program's own class.
///
/// - Difference: there are no stores of this kind, and contexts save without it. Executing one fails with
///   ``NSPersistentStoreUnsupportedRequestTypeError``; call ``NSManagedObjectContext/save()`` instead.
open class NSSaveChangesRequest: NSPersistentStoreRequest {
  /// The objects to insert.
  open private(set) var insertedObjects: Set<NSManagedObject>?
  /// The objects that were changed.
  open private(set) var updatedObjects: Set<NSManagedObject>?
  /// The objects to delete.
  open private(set) var deletedObjects: Set<NSManagedObject>?
  /// The objects to check for changes by others.
  open private(set) var lockedObjects: Set<NSManagedObject>?

  /// Creates a request from the four sets; each may be nil.
  public init(
    inserted insertedObjects: Set<NSManagedObject>?, updated updatedObjects: Set<NSManagedObject>?,
    deleted deletedObjects: Set<NSManagedObject>?, locked lockedObjects: Set<NSManagedObject>?
  ) {
    self.insertedObjects = insertedObjects
    self.updatedObjects = updatedObjects
    self.deletedObjects = deletedObjects
    self.lockedObjects = lockedObjects
  }

  /// ``NSPersistentStoreRequestType/saveRequestType``.
  open override var requestType: NSPersistentStoreRequestType { .saveRequestType }

  /// An independent copy of the request.
  @discardableResult
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSSaveChangesRequest(
      inserted: insertedObjects, updated: updatedObjects, deleted: deletedObjects, locked: lockedObjects)
    copy.affectedStores = affectedStores
    return copy
  }
}

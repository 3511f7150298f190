import Foundation
import LocalCloudObjectStore

extension NSManagedObjectContext {
  /// Calls `willSave()` of the objects, until none of them changes any more.
  func callWillSave() {
    var notified = Set<ObjectIdentifier>()
    var lastChange = 0
    for _ in 0..<1000 {
      let waiting = (changes.inserted.inOrder + Array(changes.updated) + Array(changes.deleted))
        .filter { notified.insert(ObjectIdentifier($0)).inserted || $0.changeNumber > lastChange }
      if waiting.isEmpty { return }
      lastChange = changes.changeCount
      for object in waiting { object.willSave() }
      propagateDeletions()
      processChanges()
      guard hasChanges else { return }
    }
    raiseException(
      "Failed to process pending changes before save. The context is still dirty after 1000 attempts. Typically this "
        + "recursive dirtying is caused by a bad validation method, -willSave, or notification handler.",
      name: "NSInternalInconsistencyException")
  }

  /// Writes metadata that the program has set, for stores without changed objects.
  func saveMetadata() throws {
    guard parent == nil else { return }
    for store in stores { try store.saveMetadata() }
  }
}

extension NSManagedObjectContext {
  // MARK: Notifications

  /// Posted before the context saves.
  public static let willSaveObjectsNotification = Notification.Name("NSManagingContextWillSaveChangesNotification")
  /// Posted after a save. The user info has the sets of changed objects.
  public static let didSaveObjectsNotification = Notification.Name("NSManagingContextDidSaveChangesNotification")
  /// Posted after the context has processed changes. The user info has the sets of changed objects.
  public static let didChangeObjectsNotification = Notification.Name("NSObjectsChangedInManagingContextNotification")
  /// Posted after a save. The user info has the sets of the changed objects' identities.
  public static let didSaveObjectIDsNotification = Notification.Name(
    "NSManagedObjectContextDidSaveObjectIDsNotification")
  /// Posted after the context has merged changes. The user info has the sets of the changed objects' identities.
  public static let didMergeChangesObjectIDsNotification = Notification.Name(
    "NSManagedObjectContextDidMergeChangesObjectIDsNotification")

  /// The keys in the notifications' user info.
  public enum NotificationKey: String, Sendable {
    /// The context that saved or merged the changes.
    case sourceContext = "managedObjectContext"
    /// The state of the stores after the save.
    case queryGeneration = "newQueryGeneration"
    /// The context was reset.
    case invalidatedAllObjects = "invalidatedAll"
    /// Objects that were inserted.
    case insertedObjects = "inserted"
    /// Objects that were changed.
    case updatedObjects = "updated"
    /// Objects that were deleted.
    case deletedObjects = "deleted"
    /// Objects that were read again, or became faults.
    case refreshedObjects = "refreshed"
    /// Objects that were made invalid.
    case invalidatedObjects = "invalidated"
    /// Identities of objects that were inserted.
    case insertedObjectIDs = "inserted_objectIDs"
    /// Identities of objects that were changed.
    case updatedObjectIDs = "updated_objectIDs"
    /// Identities of objects that were deleted.
    case deletedObjectIDs = "deleted_objectIDs"
    /// Identities of objects that were read again.
    case refreshedObjectIDs = "refreshed_objectIDs"
    /// Identities of objects that were made invalid.
    case invalidatedObjectIDs = "invalidated_objectIDs"
  }
}

// Names of Apple's API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

extension NSNotification.Name {
  /// A store was changed, by this process or another one. The object is the coordinator.
  public static let NSPersistentStoreRemoteChange = NSNotification.Name("NSPersistentStoreRemoteChangeNotification")

  /// Stores were added to a coordinator, or removed from it. The object is the coordinator.
  public static let NSPersistentStoreCoordinatorStoresDidChange = NSNotification.Name(
    "NSPersistentStoreCoordinatorStoresDidChangeNotification")

  /// Stores are about to be added to a coordinator, or removed from it. The object is the coordinator.
  public static let NSPersistentStoreCoordinatorStoresWillChange = NSNotification.Name(
    "NSPersistentStoreCoordinatorStoresWillChangeNotification")

  /// A coordinator is about to remove a store. The object is the store.
  public static let NSPersistentStoreCoordinatorWillRemoveStore = NSNotification.Name(
    "NSPersistentStoreCoordinatorWillRemoveStoreNotification")

  /// Objects of a context changed. The object is the context.
  public static let NSManagedObjectContextObjectsDidChange = NSManagedObjectContext
    .didChangeObjectsNotification

  /// A context is about to save. The object is the context.
  public static let NSManagedObjectContextWillSave = NSManagedObjectContext.willSaveObjectsNotification

  /// A context saved. The object is the context.
  public static let NSManagedObjectContextDidSave = NSManagedObjectContext.didSaveObjectsNotification

  /// A context saved; the user info has the object IDs of the changed objects. The object is the context.
  public static let NSManagedObjectContextDidSaveObjectIDs = NSManagedObjectContext.didSaveObjectIDsNotification

  /// A context merged changes; the user info has the object IDs of the changed objects. The object is the context.
  public static let NSManagedObjectContextDidMergeChangesObjectIDs = NSManagedObjectContext
    .didMergeChangesObjectIDsNotification
}

// MARK: Keys of notifications of stores

/// The stores that were added.
public let NSAddedPersistentStoresKey = "added"

/// The stores that were removed.
public let NSRemovedPersistentStoresKey = "removed"

/// The stores with a changed UUID.
public let NSUUIDChangedPersistentStoresKey = "changedUUID"

/// The URL of the store that was changed.
public let NSPersistentStoreURLKey = "storeURL"

/// The token of the transaction that changed the store.
public let NSPersistentHistoryTokenKey = "historyToken"

// MARK: Keys of notifications of contexts

/// The inserted objects.
public let NSInsertedObjectsKey = "inserted"

/// The changed objects.
public let NSUpdatedObjectsKey = "updated"

/// The deleted objects.
public let NSDeletedObjectsKey = "deleted"

/// The objects that were read again, without unsaved changes.
public let NSRefreshedObjectsKey = "refreshed"

/// The objects that are invalid.
public let NSInvalidatedObjectsKey = "invalidated"

/// All objects of the context are invalid.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"

/// The object IDs of the inserted objects.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"

/// The object IDs of the changed objects.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"

/// The object IDs of the deleted objects.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"

/// The object IDs of the objects that were read again.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"

/// The object IDs of the invalid objects.
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"

/// The state of the stores that a context reads.
public let NSManagedObjectContextQueryGenerationKey = "newQueryGeneration"

import Foundation

/// The changes of a save, by the identities of objects in contexts.
struct ObjectChangeIDs: Sendable {
  var inserted: [NSManagedObjectID]
  var updated: [NSManagedObjectID]
  var deleted: [NSManagedObjectID]
}

extension ObjectChangeIDs {
  private typealias Key = NSManagedObjectContext.NotificationKey

  /// The changes in the user info of a context's notification: objects, identities or their URLs. `coordinator` finds
  /// the identities of URLs.
  init(_ info: [AnyHashable: Any], _ coordinator: NSPersistentStoreCoordinator?) {
    func ids(_ keys: Key...) -> [NSManagedObjectID] {
      keys.flatMap { key in Self.items(info[key.rawValue]).compactMap { Self.id($0, coordinator) } }
    }
    inserted = ids(.insertedObjects, .insertedObjectIDs)
    updated = ids(.updatedObjects, .updatedObjectIDs, .refreshedObjects, .refreshedObjectIDs)
    deleted = ids(.deletedObjects, .deletedObjectIDs)
  }

  private static func items(_ value: Any?) -> [Any] {
    switch value {
    case let set as Set<NSManagedObject>: Array(set)
    case let set as Set<NSManagedObjectID>: Array(set)
    case let set as NSSet: set.allObjects
    case let list as [Any]: list
    default: []
    }
  }

  private static func id(_ item: Any, _ coordinator: NSPersistentStoreCoordinator?) -> NSManagedObjectID? {
    switch item {
    case let object as NSManagedObject: object.identity
    case let id as NSManagedObjectID: id
    case let url as URL: coordinator?.managedObjectID(forURIRepresentation: url)
    default: nil
    }
  }
}

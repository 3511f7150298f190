import Foundation
import LocalCloudObjectStore

/// The common part of batch requests: they write to stores directly, without the objects of contexts. Nothing is
/// validated, and no context is notified; the history records the change, and the program is notified as of any save.
struct BatchWrite {
  let context: NSManagedObjectContext
  /// The entity in the context's model.
  let entity: NSEntityDescription

  /// Stops the process if the model has no entity of this name.
  /// - Parameter name: the name of the request's entity.
  init(_ name: String?, _ context: NSManagedObjectContext) {
    guard let entity = context.model.entitiesByName[name ?? ""] else {
      raiseException("A batch request must have an entity of the model; it has '\(name ?? "")'.")
    }
    self.context = context
    self.entity = entity
  }

  /// The request's stores that have the entity.
  ///
  /// - Difference: a store in memory does not support batch requests, and refuses them with
  ///   ``NSPersistentStoreUnsupportedRequestTypeError``; Apple's raises an exception.
  func stores(_ affected: [NSPersistentStore]?) throws -> [NSPersistentStore] {
    let stores = context.stores(among: affected).filter { $0.entityIndex(of: entity) != nil }
    guard !stores.isEmpty else {
      throw CoreDataError.error(
        NSPersistentStoreOperationError,
        reason: "No store that the request is for takes objects of the entity '\(entity.name ?? "")'.")
    }
    for store in stores where store.type != NSSQLiteStoreType {
      throw CoreDataError.error(
        NSPersistentStoreUnsupportedRequestTypeError,
        reason: "A store of the type \(store.type) does not execute batch requests.", url: store.url)
    }
    return stores
  }

  /// Runs one transaction with the context's author and name.
  ///
  /// - Throws: ``NSManagedObjectConstraintMergeError`` if objects would have the same unique values; the conflicts name
  ///   the stored object with these values, if there is one.
  func run<Result>(in store: NSPersistentStore, _ body: (StoreTransaction) throws -> Result) throws -> Result {
    do {
      let (result, commit) = try store.writing(for: context, body)
      if let commit { store.persistentStoreCoordinator?.didCommit(commit, to: store, isMerged: false) }
      return result
    } catch let violation as UniqueViolation {
      throw CoreDataError.constraintMerge(
        violation.conflicts.map { conflict in
          let object = conflict.stored.map { context.objectOrFault(store.objectID($0.id)) }
          return NSConstraintConflict(
            constraint: conflict.properties, database: object,
            databaseSnapshot: conflict.stored.flatMap { object?.conflictValues(ObjectSnapshot($0)) }, conflicting: [],
            conflictingSnapshots: [])
        })
    }
  }
}

extension StoreTransaction {
  /// The value as a row stores it: large binary data of an attribute that allows external storage is moved to a file.
  func placed(_ value: StoredValue, of attribute: NSAttributeDescription) throws -> StoredValue {
    try attribute.allowsExternalBinaryDataStorage ? placed(value) : value
  }
}

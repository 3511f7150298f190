import Foundation
import LocalCloudObjectStore

/// What the batch requests have in common: they write to stores past the objects of contexts. Nothing is validated, and
/// no context is told; the history is, and the program, as of any save.
struct BatchWrite {
  let context: NSManagedObjectContext
  /// The entity as the context's model has it.
  let entity: NSEntityDescription

  /// `name`: of the entity that the request is for. Stops the process if the model has none of that name.
  init(_ name: String?, _ context: NSManagedObjectContext) {
    guard let entity = context.model.entitiesByName[name ?? ""] else {
      raiseException("A batch request must have an entity of the model; it has '\(name ?? "")'.")
    }
    self.context = context
    self.entity = entity
  }

  /// The stores that hold the entity, of those that the request is for.
  ///
  /// - Difference: a store that is held in memory, which does not know batch requests, refuses them with
  ///   ``NSPersistentStoreUnsupportedRequestTypeError``; Apple's raises an exception.
  func stores(_ affected: [NSPersistentStore]?) throws -> [NSPersistentStore] {
    let stores = context.stores(among: affected).filter { $0.place(of: entity) != nil }
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

  /// One transaction, as the context's. Throws ``NSManagedObjectConstraintMergeError`` if objects would have the same
  /// unique values; the conflicts name the stored object that has them, if there is one.
  func run<Result>(in store: NSPersistentStore, _ body: (StoreTransaction) throws -> Result) throws -> Result {
    do {
      let (result, commit) = try store.writing(for: context, body)
      if let commit {
        store.persistentStoreCoordinator?.commits.wrappingAdd(1, ordering: .acquiringAndReleasing)
        store.postRemoteChange(commit.transaction)
        store.saved(commit.transaction)
      }
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

extension NSPersistentStore {
  /// One transaction, which the history tells of as the context's.
  ///
  /// - Assumption: a child context passes a batch request on, as it does a save: the transaction has the author and the
  ///   name of the context that has the coordinator. Other people's tests show it for the author.
  func writing<Result>(
    for context: NSManagedObjectContext, _ body: (StoreTransaction) throws -> Result
  ) throws -> (result: Result, commit: StoreCommit?) {
    let (author, name) = context.authorship
    return try writing { transaction in
      transaction.author = author
      transaction.contextName = name
      transaction.isInHistory = isHistoryTracked
      return try body(transaction)
    }
  }
}

extension NSManagedObjectContext {
  /// Author and name of the transactions of this context: those of the context that has the coordinator.
  fileprivate var authorship: (author: String?, name: String?) {
    if let parent { return parent.queue.borrow { parent.authorship } }
    return (transactionAuthor, name)
  }
}

extension StoreTransaction {
  /// The value as a row holds it: many bytes of an attribute that allows it go to a file.
  func placed(_ value: StoredValue, of attribute: NSAttributeDescription) throws -> StoredValue {
    try attribute.allowsExternalBinaryDataStorage ? placed(value) : value
  }
}

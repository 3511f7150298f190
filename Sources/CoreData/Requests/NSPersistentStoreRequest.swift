import Foundation

/// The kind of a request.
public enum NSPersistentStoreRequestType: UInt, Sendable {
  /// Fetches objects.
  case fetchRequestType = 1
  /// Saves objects.
  case saveRequestType = 2
  /// Inserts rows.
  case batchInsertRequestType = 5
  /// Changes rows.
  case batchUpdateRequestType = 6
  /// Deletes rows.
  case batchDeleteRequestType = 7
}

/// What is asked of stores.
open class NSPersistentStoreRequest: NSObject, NSCopying {
  /// Asks all stores of a coordinator.
  public override init() { super.init() }

  /// The stores that are asked; nil for all.
  open var affectedStores: [NSPersistentStore]?

  /// The kind of the request.
  open var requestType: NSPersistentStoreRequestType { .fetchRequestType }

  /// A request for the same, which can be changed by itself. An exception for a class of the program's own that does not
  /// override it.
  @discardableResult
  open func copy(with zone: NSZone? = nil) -> Any {
    guard type(of: self) == NSPersistentStoreRequest.self else {
      raiseException("*** -[\(type(of: self)) copyWithZone:]: the class does not override it")
    }
    let copy = NSPersistentStoreRequest()
    copy.affectedStores = affectedStores
    return copy
  }

  /// What ``NSManagedObjectContext/execute(_:)`` gives.
  func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult { throw unsupported }

  /// What ``NSPersistentStoreCoordinator/execute(_:with:)`` gives.
  func answer(in context: NSManagedObjectContext) throws -> Any { try result(in: context) }

  /// What an ``NSFetchRequestExpression`` gives.
  func found(in context: NSManagedObjectContext, countOnly: Bool) throws -> Any { throw unsupported }

  final var unsupported: NSError {
    CoreDataError.error(
      NSPersistentStoreUnsupportedRequestTypeError, reason: "Stores do not execute a \(type(of: self)).")
  }
}

/// What stores answer.
open class NSPersistentStoreResult: NSObject {}

extension NSManagedObjectContext {
  /// Passes a request to the stores. What it changes there is not seen in this or any other context until it is merged,
  /// as with ``mergeChanges(fromRemoteContextSave:into:)``.
  @discardableResult
  public func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    ConcurrencyCheck.check(self)
    return try request.result(in: self)
  }
}

extension NSPersistentStoreCoordinator {
  /// Passes a request of a context to the stores. For a fetch request, returns the array of what was found; for any other
  /// one, what ``NSManagedObjectContext/execute(_:)`` returns.
  public func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
    guard context.persistentStoreCoordinator === self else {
      throw CoreDataError.error(
        NSPersistentStoreOperationError, reason: "The context that is to execute a request has another coordinator.")
    }
    return try context.performAndWait { try request.answer(in: context) }
  }
}

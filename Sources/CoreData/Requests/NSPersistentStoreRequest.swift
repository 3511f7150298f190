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

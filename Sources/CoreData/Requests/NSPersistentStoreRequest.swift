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

/// A request to stores.
open class NSPersistentStoreRequest: NSObject, NSCopying {
  /// A request to all stores of a coordinator.
  public override init() { super.init() }

  /// The stores to query or change; nil for all.
  open var affectedStores: [NSPersistentStore]?

  /// The kind of the request.
  open var requestType: NSPersistentStoreRequestType { .fetchRequestType }

  /// An independent copy of the request. Raises an exception for a program's own subclass that does not override it.
  @discardableResult
  open func copy(with zone: NSZone? = nil) -> Any {
    guard type(of: self) == NSPersistentStoreRequest.self else {
      raiseException("*** -[\(type(of: self)) copyWithZone:]: the class does not override it")
    }
    let copy = NSPersistentStoreRequest()
    copy.affectedStores = affectedStores
    return copy
  }

  /// The result of ``NSManagedObjectContext/execute(_:)``.
  func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult { throw unsupported }

  /// The result of ``NSPersistentStoreCoordinator/execute(_:with:)``.
  func answer(in context: NSManagedObjectContext) throws -> Any { try result(in: context) }

  /// The value of an ``NSFetchRequestExpression``.
  func found(in context: NSManagedObjectContext, countOnly: Bool) throws -> Any { throw unsupported }

  final var unsupported: NSError {
    CoreDataError.error(
      NSPersistentStoreUnsupportedRequestTypeError, reason: "Stores do not execute a \(type(of: self)).")
  }
}

/// The result of a request to stores.
open class NSPersistentStoreResult: NSObject {}

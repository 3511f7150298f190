import Foundation

/// The kind of a request.
public enum NSPersistentStoreRequestType: UInt, Sendable {
  case fetchRequestType = 1
  case saveRequestType = 2
  case batchInsertRequestType = 5
  case batchUpdateRequestType = 6
  case batchDeleteRequestType = 7
}

/// What is asked of stores.
open class NSPersistentStoreRequest: NSObject {
  /// Asks all stores of a coordinator.
  public override init() { super.init() }

  /// The stores that are asked; nil for all.
  open var affectedStores: [NSPersistentStore]?

  /// The kind of the request.
  open var requestType: NSPersistentStoreRequestType { .fetchRequestType }
}

/// What stores answer.
open class NSPersistentStoreResult: NSObject {}

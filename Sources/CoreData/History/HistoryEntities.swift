import Foundation

// The history is no entity of any model, but fetch requests for it name one.

extension NSPersistentHistoryTransaction {
  /// A request for transactions, whose predicate may name `author`, `contextName`, `timestamp`, `token`, `storeID`,
  /// `bundleID`, `processID` and `transactionNumber`. It is another one each time.
  public class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Transaction")
    request.entity = entityDescription
    return request
  }

  /// The entity of ``fetchRequest``.
  ///
  /// - Difference: it serves for requests of the history only.
  public class var entityDescription: NSEntityDescription? { HistoryEntity.transaction }

  /// The entity of ``fetchRequest``.
  @discardableResult
  public class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
    entityDescription
  }
}

extension NSPersistentHistoryChange {
  /// A request for changes, whose predicate may name `changedObjectID`, `changedEntity`, `changeType`, `changeID`, and
  /// `transaction` with its properties. It is another one each time.
  public class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Change")
    request.entity = entityDescription
    return request
  }

  /// The entity of ``fetchRequest``.
  ///
  /// - Difference: it serves for requests of the history only.
  public class var entityDescription: NSEntityDescription? { HistoryEntity.change }

  /// The entity of ``fetchRequest``.
  @discardableResult
  public class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
    entityDescription
  }
}

/// The entities that history has for Apple.
private enum HistoryEntity {
  static let transaction = NSEntityDescription.forRequests(
    "Transaction",
    [
      ("author", .string), ("bundleID", .string), ("contextName", .string), ("processID", .string),
      ("storeID", .string), ("timestamp", .date), ("token", .transformable), ("transactionNumber", .integer64),
    ])

  static let change = NSEntityDescription.forRequests(
    "Change",
    [
      ("changeID", .integer64), ("changeType", .integer16), ("changedEntity", .transformable),
      ("changedObjectID", .objectID), ("transaction", .transformable),
    ])
}

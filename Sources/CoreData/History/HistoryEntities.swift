import Foundation

// The history is no entity of any model, but fetch requests for it name one.

/// The entities that history has for Apple.
enum HistoryEntity {
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

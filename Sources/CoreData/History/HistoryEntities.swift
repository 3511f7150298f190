import Foundation

// Fetch requests for the history name an entity, but the history is not part of any model.

/// The entities of the history in Apple's framework.
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

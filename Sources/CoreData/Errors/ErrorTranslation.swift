import Foundation
import LocalCloudObjectStore
import LocalCloudPredicateFormat

extension CoreDataError {
  /// Runs `body`. The errors of a store, and of predicates that it evaluates, become those that programs know. `url`: the
  /// store's, if it is one that `body` is about.
  static func translating<Result>(_ url: URL? = nil, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as ObjectStoreError {
      throw store(error, url: url)
    } catch let failure as PredicateEvaluationError {
      throw error(NSCoreDataError, reason: failure.message)
    }
  }
}

extension NSPersistentStore {
  /// Reads the store; its errors become those that programs know.
  func reading<Result>(_ body: (StoreView) throws -> Result) throws -> Result {
    try CoreDataError.translating(url) { try objects.read(body) }
  }

  /// The same for a transaction.
  func writing<Result>(_ body: (StoreTransaction) throws -> Result) throws -> (result: Result, commit: StoreCommit?) {
    try CoreDataError.translating(url) { try objects.write(body) }
  }
}

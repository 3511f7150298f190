import Foundation
import LocalCloudObjectStore
import LocalCloudPredicateFormat

extension CoreDataError {
  /// Runs `body`, and translates errors of a store and of the evaluation of predicates to the errors that programs
  /// receive.
  ///
  /// - Difference: if the system refuses a save, since the process may not write the store's files or their disk, the
  ///   error is 513 (`NSFileWriteNoPermissionError`) as with Apple's framework, without SQLite's own error under it. If
  ///   a disk becomes read-only while the store is open, the error is `NSPersistentStoreOperationError`: it is not
  ///   known how many bytes were written before.
  ///
  /// - Parameters:
  ///   - url: The URL of the store that `body` uses, if any.
  ///   - isWrite: Whether `body` writes to the store.
  static func translating<Result>(
    _ url: URL? = nil, isWrite: Bool = false, _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch ObjectStoreError.denied(let path, let reason) where isWrite {
      throw unwritable(path, reason, url: url)
    } catch let error as ObjectStoreError {
      throw store(error, url: url)
    } catch let failure as PredicateEvaluationError {
      throw error(NSCoreDataError, reason: failure.message)
    }
  }
}

extension NSPersistentStore {
  /// Reads the store, and translates its errors.
  func reading<Result>(_ body: (StoreView) throws -> Result) throws -> Result {
    try CoreDataError.translating(url) { try objects.read(body) }
  }

  /// Runs a transaction of the store with the author and name of the context in the history, and translates its errors.
  ///
  /// - Assumption: a child context passes a batch request to its parent, like a save: the transaction has the author
  ///   and the name of the context with the coordinator. Other people's tests show it for the author.
  func writing<Result>(
    for context: NSManagedObjectContext, _ body: (StoreTransaction) throws -> Result
  ) throws -> (result: Result, commit: StoreCommit?) {
    let (author, name) = context.authorship
    return try CoreDataError.translating(url, isWrite: true) {
      try objects.write { transaction in
        transaction.author = author
        transaction.contextName = name
        transaction.isInHistory = isHistoryTracked
        return try body(transaction)
      }
    }
  }
}

extension NSManagedObjectContext {
  /// Author and name of this context's transactions: those of the context with the coordinator.
  fileprivate var authorship: (author: String?, name: String?) {
    if let parent { return parent.queue.borrow { parent.authorship } }
    return (transactionAuthor, name)
  }
}

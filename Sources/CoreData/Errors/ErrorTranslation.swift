import Foundation
import LocalCloudObjectStore
import LocalCloudPredicateFormat

extension CoreDataError {
  /// Runs `body`. It writes to the store at `url`.
  ///
  /// - Difference: a save that the system refuses, since the process may not write the store's files or their disk, is
  ///   513 (`NSFileWriteNoPermissionError`) as with Apple's framework, without SQLite's own error under it. Where a
  ///   disk becomes read-only while the store is open, it is `NSPersistentStoreOperationError`: it is not known which
  ///   bytes were written before.
  static func translatingWrites<Result>(_ url: URL?, _ body: () throws -> Result) throws -> Result {
    try translating(url) {
      do { return try body() } catch ObjectStoreError.denied(let path, let reason) {
        throw unwritable(path, reason, url: url)
      }
    }
  }

  /// Runs `body`. The errors of a store, and of predicates that it evaluates, become those that programs know.
  ///
  /// - Parameter url: the store's, if it is one that `body` is about.
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
    try CoreDataError.translatingWrites(url) { try objects.write(body) }
  }
}

import Foundation
import LocalCloudObjectStore
import LocalCloudPredicateFormat

extension CoreDataError {
  /// Runs `body`, a write to the store at `url`, and translates its errors.
  ///
  /// - Difference: if the system refuses a save, since the process may not write the store's files or their disk, the
  ///   error is 513 (`NSFileWriteNoPermissionError`) as with Apple's framework, without SQLite's own error under it. If
  ///   a disk becomes read-only while the store is open, the error is `NSPersistentStoreOperationError`: it is not
  ///   known how many bytes were written before.
  static func translatingWrites<Result>(_ url: URL?, _ body: () throws -> Result) throws -> Result {
    try translating(url) {
      do { return try body() } catch ObjectStoreError.denied(let path, let reason) {
        throw unwritable(path, reason, url: url)
      }
    }
  }

  /// Runs `body`, and translates errors of a store and of the evaluation of predicates to the errors that programs
  /// receive.
  ///
  /// - Parameter url: the URL of the store that `body` uses, if any.
  static func translating<Result>(_ url: URL? = nil, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as ObjectStoreError {
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

  /// Runs a transaction of the store, and translates its errors.
  func writing<Result>(_ body: (StoreTransaction) throws -> Result) throws -> (result: Result, commit: StoreCommit?) {
    try CoreDataError.translatingWrites(url) { try objects.write(body) }
  }
}

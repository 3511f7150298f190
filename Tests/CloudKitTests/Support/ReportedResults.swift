import CloudKit
import LocalCloudStorage
import Synchronization

/// The results that the blocks of an operation received.
final class ReportedResults<ID: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct State {
    var items: [ID: Result<Value, any Error>] = [:]
    var whole: Result<Void, any Error>?
  }

  private let state = Mutex(State())

  /// The block for each item.
  var item: @Sendable (ID, Result<Value, any Error>) -> Void {
    { id, result in self.state.withLock { $0.items[id] = result } }
  }

  /// The block for the whole operation.
  var end: @Sendable (Result<Void, any Error>) -> Void {
    { result in self.state.withLock { $0.whole = result } }
  }

  var items: [ID: Result<Value, any Error>] { state.withLock { $0.items } }
  var whole: Result<Void, any Error>? { state.withLock { $0.whole } }

  /// Runs the operation and returns at its end.
  func run(_ operation: CKDatabaseOperation, _ database: CKDatabase) async {
    await withCheckedContinuation { continuation in
      operation.completionBlock = { continuation.resume() }
      database.add(operation)
    }
  }

  /// Runs the operation and returns the item's result. Only a missing account may fail the whole operation, without
  /// results for items. Each other error must be the item's, with a successful operation.
  func result(of id: ID, _ operation: CKDatabaseOperation, _ database: CKDatabase) async throws -> Value {
    await run(operation, database)
    switch (whole, items[id]) {
    case (.failure(let error), nil) where (error as? CKError)?.code == .notAuthenticated: throw error
    case (.success, let result?) where result.code != .notAuthenticated: return try result.get()
    default:
      throw MisplacedError("whole: \(String(describing: whole)), item: \(String(describing: items[id]))")
    }
  }
}

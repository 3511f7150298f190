import CloudKit
import LocalCloudStorage
import Synchronization

/// What the blocks of an operation are told.
final class Told<ID: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct State {
    var items: [ID: Result<Value, any Error>] = [:]
    var whole: Result<Void, any Error>?
  }

  private let state = Mutex(State())

  /// The block that is called for each item.
  var item: @Sendable (ID, Result<Value, any Error>) -> Void {
    { id, result in self.state.withLock { $0.items[id] = result } }
  }

  /// The block that is called at the end.
  var end: @Sendable (Result<Void, any Error>) -> Void {
    { result in self.state.withLock { $0.whole = result } }
  }

  var items: [ID: Result<Value, any Error>] { state.withLock { $0.items } }
  var whole: Result<Void, any Error>? { state.withLock { $0.whole } }

  /// Returns when the operation is over.
  func run(_ operation: CKDatabaseOperation, _ database: CKDatabase) async {
    await withCheckedContinuation { continuation in
      operation.completionBlock = { continuation.resume() }
      database.add(operation)
    }
  }

  /// What became of an item. Only that nobody is signed in concerns the whole: then no item is told anything. Everything
  /// else is told of the item, and the whole succeeds.
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

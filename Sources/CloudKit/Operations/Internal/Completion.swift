import CloudModel
import Foundation
import Synchronization

/// Gets the result of a function.
typealias Completion<Value> = @Sendable (Result<Value, any Error>) -> Void

/// A result for a completion handler with a value and an error, as Objective-C has them.
func split<Value>(_ handler: @escaping @Sendable (Value?, (any Error)?) -> Void) -> Completion<Value> {
  { result in
    let (value, error) = result.parts
    handler(value, error)
  }
}

extension Result {
  /// One of both, the other nil: as older blocks take a result.
  var parts: (value: Success?, error: Failure?) {
    switch self {
    case .success(let value): (value, nil)
    case .failure(let error): (nil, error)
    }
  }
}

/// The asynchronous form of a function that starts an operation. Cancelling the task cancels the operation.
func result<Value: Sendable>(
  isolation: isolated (any Actor)? = #isolation, of start: (@escaping Completion<Value>) -> CKOperation
) async throws -> Value {
  let running = RunningOperation()
  return try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { continuation in
      running.set(start { continuation.resume(with: $0) })
    }
  } onCancel: {
    running.cancel()
  }
}

/// The operation that a task waits for, from the moment there is one.
private final class RunningOperation: Sendable {
  private let state = Mutex<(operation: CKOperation?, isCancelled: Bool)>((nil, false))

  func set(_ operation: CKOperation) {
    let isCancelled = state.withLock { state in
      state.operation = operation
      return state.isCancelled
    }
    if isCancelled { operation.cancel() }
  }

  func cancel() {
    let operation = state.withLock { state in
      state.isCancelled = true
      return state.operation
    }
    operation?.cancel()
  }
}

extension Dictionary {
  /// The result of the only item that was asked for.
  func result<Item>(of key: Key) -> Result<Item, any Error> where Value == Result<Item, any Error> {
    self[key] ?? .failure(CKError.make(ServiceError(.internalError, "There is no result for the item")))
  }
}

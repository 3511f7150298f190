import CloudModel
import Foundation
import Synchronization

/// Receives the result of a function.
typealias Completion<Value> = @Sendable (Result<Value, any Error>) -> Void

/// Adapts a completion handler with a value and an error, as in Objective-C, to a result.
func split<Value>(_ handler: @escaping @Sendable (Value?, (any Error)?) -> Void) -> Completion<Value> {
  { result in
    let (value, error) = result.parts
    handler(value, error)
  }
}

extension Result {
  /// The value and nil, or nil and the error, as deprecated blocks receive a result.
  var parts: (value: Success?, error: Failure?) {
    switch self {
    case .success(let value): (value, nil)
    case .failure(let error): (nil, error)
    }
  }
}

/// Awaits a function that starts an operation. Cancelling the task cancels the operation.
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

/// The operation that a task waits for, once it is started. A cancellation before that is applied then.
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
  /// The result of the only item that was requested.
  func result<Item>(of key: Key) -> Result<Item, any Error> where Value == Result<Item, any Error> {
    self[key] ?? .failure(CKError.make(ServiceError(.internalError, "There is no result for the item")))
  }
}

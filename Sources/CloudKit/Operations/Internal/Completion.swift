import Foundation
import LocalCloudModel
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

/// Awaits a function that starts an operation by `begin`. Cancelling the task cancels the operation; in a task that is
/// cancelled already the operation does nothing.
func result<Value: Sendable>(
  isolation: isolated (any Actor)? = #isolation, of start: (@escaping Completion<Value>) -> Void
) async throws -> Value {
  let running = RunningOperation()
  return try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { continuation in
      RunningOperation.$current.withValue(running) { start { continuation.resume(with: $0) } }
    }
  } onCancel: {
    running.cancel()
  }
}

/// The operation that a task waits for. A cancellation that arrives before the operation is set is applied once it is
/// set.
final class RunningOperation: Sendable {
  /// The one of the task that is beginning an operation.
  @TaskLocal static var current: RunningOperation?

  private let state = Mutex<(operation: CKOperation?, isCancelled: Bool)>((nil, false))

  /// Call it before the operation is started: afterwards it may be over before it is cancelled.
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

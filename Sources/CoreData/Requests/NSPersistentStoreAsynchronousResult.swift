import Foundation

/// The result of a request that runs after the call returns.
// Sendable: the lock guards the mutable state; the context is Sendable.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult, @unchecked Sendable {
  private final let context: NSManagedObjectContext
  private final let own: Progress
  final let lock = NSLock()
  private final var failure: (any Error)?

  init(_ context: NSManagedObjectContext, expected: Int) {
    self.context = context
    // A child of the thread's current progress, if there is one. Without an estimate the total is indeterminate.
    own = Progress(totalUnitCount: expected > 0 ? Int64(expected) : -1)
    super.init()
    own.isPausable = false
  }

  /// The context that executes the request.
  open var managedObjectContext: NSManagedObjectContext { context }

  /// The error, if there is no result; `NSUserCancelledError` after a cancellation.
  open var operationError: (any Error)? { lock.withLock { failure } }

  /// The progress of the request. Cancelling it is the same as ``cancel()``.
  open var progress: Progress? { own }

  /// Cancels the request. The completion block is called, with an ``operationError``. Has no effect once there is a
  /// result.
  open func cancel() { own.cancel() }

  final func fail(_ error: any Error) { lock.withLock { failure = error } }
}

import Foundation

/// What a request will have found.
// Sendable: what changes is guarded by the lock; the context is Sendable.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult, @unchecked Sendable {
  private final let context: NSManagedObjectContext
  private final let own: Progress
  final let lock = NSLock()
  private final var failure: (any Error)?

  init(_ context: NSManagedObjectContext, expected: Int) {
    self.context = context
    // A part of the thread's current progress, if there is one. Without an estimate it is not known how much there is.
    own = Progress(totalUnitCount: expected > 0 ? Int64(expected) : -1)
    super.init()
    own.isPausable = false
  }

  /// The context that executes the request.
  open var managedObjectContext: NSManagedObjectContext { context }

  /// Why there is no result; `NSUserCancelledError` if it was cancelled.
  open var operationError: (any Error)? { lock.withLock { failure } }

  /// How far it is. Cancelling it is the same as ``cancel()``.
  open var progress: Progress? { own }

  /// Gives the request up. The completion block is called, with an ``operationError``. Without effect once there is a
  /// result.
  open func cancel() { own.cancel() }

  final func fail(_ error: any Error) { lock.withLock { failure = error } }
}

import Dispatch
import Foundation

/// A queue that runs one block at a time, and on which a block may wait for another one of the queue.
final class SerialQueue: Sendable {
  private let queue: DispatchQueue
  private let key = DispatchSpecificKey<ObjectIdentifier>()

  init(label: String) {
    queue = DispatchQueue(label: label)
    queue.setSpecific(key: key, value: ObjectIdentifier(self))
  }

  /// The process's main queue.
  static let main = SerialQueue(DispatchQueue.main)

  private init(_ queue: DispatchQueue) {
    self.queue = queue
    queue.setSpecific(key: key, value: ObjectIdentifier(self))
  }

  /// Whether the caller runs on the queue.
  var isCurrent: Bool {
    // The main thread may run code of its own that no queue called.
    (queue === DispatchQueue.main && Thread.isMainThread)
      || DispatchQueue.getSpecific(key: key) == ObjectIdentifier(self)
  }

  func async(_ block: @escaping @Sendable () -> Void) { queue.async(execute: block) }

  /// Runs a block on the queue, at once if the caller does, and waits for it.
  func sync<Result>(_ block: () throws -> Result) rethrows -> Result {
    try isCurrent ? block() : queue.sync(execute: block)
  }

  func perform<Value, Failure>(
    isolation: isolated (any Actor)?, _ block: @escaping () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let work = UncheckedSendable(block)
    let outcome: UncheckedSendable<Result<Value, Failure>> = await withCheckedContinuation { continuation in
      queue.async {
        do throws(Failure) {
          continuation.resume(returning: UncheckedSendable(.success(try work.value())))
        } catch {
          continuation.resume(returning: UncheckedSendable(.failure(error)))
        }
      }
    }
    return try outcome.value.get()
  }
}

/// A value that its user hands from one queue to another.
///
/// The rule of Core Data, which the compiler can't check: a context's objects are used on the context's queue only.
// Sendable: by that rule.
struct UncheckedSendable<Value>: @unchecked Sendable {
  var value: Value

  init(_ value: Value) { self.value = value }
}

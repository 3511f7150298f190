import Dispatch
import Foundation

/// A queue that runs one block at a time, and on which a block may wait for another one of the queue.
///
/// A block that waits for one of another queue lends it its own queues: what is called there may wait for them in turn. A
/// child context and its parent do so, each on its queue.
final class SerialQueue: Sendable {
  private let queue: DispatchQueue

  init(label: String) { queue = DispatchQueue(label: label) }

  /// The process's main queue.
  static let main = SerialQueue(DispatchQueue.main)

  private init(_ queue: DispatchQueue) { self.queue = queue }

  /// Whether the caller runs on the queue.
  var isCurrent: Bool { (self === Self.main && Self.isMain) || Self.held.contains { $0 === self } }

  /// Whether the caller has the main queue's turn. The main thread may run code of its own that no queue called; a program
  /// without a main run loop, as one with an asynchronous `main` is, has the main queue on any thread.
  private static var isMain: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: mainKey) == true }

  private static let mainKey: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// The queues whose turn the present thread has.
  private static var held: [SerialQueue] {
    Thread.current.threadDictionary[heldKey] as? [SerialQueue] ?? []
  }

  private static let heldKey = "org.localcloudkit.queues"

  /// Runs a block as one of these queues. Not a task-local value: a task that the block starts does not run there.
  private static func holding<Result, Failure>(
    _ queues: [SerialQueue], _ block: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let dictionary = Thread.current.threadDictionary
    let outer = dictionary[heldKey]
    dictionary[heldKey] = queues
    defer { dictionary[heldKey] = outer }
    return try block()
  }

  func async(_ block: @escaping @Sendable () -> Void) {
    queue.async { [self] in Self.holding([self], block) }
  }

  /// Runs a block on the queue, at once if the caller does, and waits for it.
  func sync<Result>(_ block: () throws -> Result) rethrows -> Result {
    if isCurrent { return try block() }
    let queues = Self.held + (Self.isMain ? [Self.main, self] : [self])
    return try queue.sync { try Self.holding(queues, block) }
  }

  func perform<Value, Failure>(
    isolation: isolated (any Actor)?, _ block: @escaping () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let work = UncheckedSendable(block)
    let outcome: UncheckedSendable<Result<Value, Failure>> = await withCheckedContinuation { continuation in
      async {
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

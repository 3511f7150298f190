import Foundation

extension NSManagedObjectContext {
  /// When a block of ``perform(schedule:_:)`` runs.
  public enum ScheduledTaskType: Sendable, Hashable {
    /// At once if the caller runs on the context's queue, otherwise as soon as the queue is free.
    case immediate
    /// After the blocks that already wait on the queue.
    case enqueued
  }

  /// The context that runs a block on this thread.
  static var current: NSManagedObjectContext? {
    Thread.current.threadDictionary[currentKey] as? NSManagedObjectContext
  }

  private static let currentKey = "org.localcloudkit.context"

  /// Implements `perform(_:)`. The module calls this function, so that no override runs.
  func enqueue(_ block: @escaping () -> Void) {
    let block = UncheckedSendable(block)
    queue.async { [self] in inEvent { block.value() } }
  }

  /// Implements `performAndWait(_:)`. The module calls this function, so that no override runs.
  func runAndWait<T>(_ block: () throws -> T) rethrows -> T {
    if queue.isCurrent { return try inBlock(block) }
    return try queue.sync {
      defer { processChanges() }
      return try inBlock(block)
    }
  }

  /// Runs a block on the context's queue, waits for it, and returns its result. The block may call this again. Its
  /// changes are processed when the outermost call returns.
  public func performAndWait<T>(_ block: () throws -> T) rethrows -> T {
    try BlockResult.of(block) { performAndWait($0) }
  }

  /// Runs a block on the context's queue, and resumes on the caller's actor. The block may be isolated to that actor.
  public func perform<T, E>(
    schedule: ScheduledTaskType = .immediate, isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping () throws(E) -> T
  ) async throws(E) -> T {
    try await BlockResult.of(block, isolation: isolation) { perform($0) }
  }

  private func inEvent(_ block: () -> Void) {
    inBlock(block)
    processChanges()
  }

  func inBlock<T, E>(_ block: () throws(E) -> T) throws(E) -> T {
    let dictionary = Thread.current.threadDictionary
    let outer = dictionary[Self.currentKey]
    dictionary[Self.currentKey] = self
    defer { dictionary[Self.currentKey] = outer }
    return try block()
  }

  /// Schedules the processing of changes for the end of the present event of the main queue, unless they are processed
  /// before: code on the main queue needs no block to use the main queue's context. If code uses a context off its
  /// queue, no changes are processed concurrently with it; they wait for the next block or save.
  func scheduleEvent() {
    guard !isEventScheduled, queue === SerialQueue.main, queue.isCurrent else { return }
    isEventScheduled = true
    queue.async { [weak self] in
      guard let self else { return }
      isEventScheduled = false
      processChanges()
    }
  }
}

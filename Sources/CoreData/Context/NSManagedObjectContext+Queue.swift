import Foundation

extension NSManagedObjectContext {
  /// When a block of ``perform(schedule:_:)`` runs.
  public enum ScheduledTaskType: Sendable, Hashable {
    /// At once if the caller runs on the context's queue, else as soon as the queue is free.
    case immediate
    /// After what waits on the queue already.
    case enqueued
  }

  /// The context whose block runs.
  static var current: NSManagedObjectContext? {
    Thread.current.threadDictionary[currentKey] as? NSManagedObjectContext
  }

  private static let currentKey = "org.localcloudkit.context"

  /// The work of `perform(_:)`. The module calls this function, so that it calls no override.
  func enqueue(_ block: @escaping () -> Void) {
    let block = UncheckedSendable(block)
    queue.async { [self] in inEvent { block.value() } }
  }

  /// The work of `performAndWait(_:)`. The module calls this function, so that it calls no override.
  func runAndWait<T>(_ block: () throws -> T) rethrows -> T {
    if queue.isCurrent { return try inBlock(block) }
    return try queue.sync {
      defer { processChanges() }
      return try inBlock(block)
    }
  }

  /// Runs a block on the context's queue, waits for it, and returns its result. A block may call this again. The
  /// changes that it made are processed when the outermost one returns.
  public func performAndWait<T>(_ block: () throws -> T) rethrows -> T {
    try BlockResult.of(block) { performAndWait($0) }
  }

  /// Runs a block on the context's queue, and returns to the caller's actor, which the block may come from.
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

  /// Has the changes processed at the end of the present event, if nothing does so before: code of the main queue needs
  /// no block to use the main queue's context. Of code that uses a context off its queue nothing is processed beside
  /// it; what it changed waits for the next block or save.
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

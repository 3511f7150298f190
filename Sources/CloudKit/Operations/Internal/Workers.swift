import LocalCloudPlatform
import Synchronization

/// Threads for requests. Requests block on the disk and on locks, so these threads are separate from Dispatch's and
/// from the cooperative pool.
///
/// A thread runs waiting jobs one after another, and ends when none is left. A job must not wait for another job or for
/// anything that may take long, except within ``asLongWait(_:)``.
enum Workers {
  private static let limit = 64

  private struct State {
    var running = 0
    let process = ProcessMark()
    var waiting = Line<@Sendable () -> Void>()

    /// The next job for a thread that is free; without one the thread doesn't count any more.
    mutating func next() -> (@Sendable () -> Void)? {
      if let job = waiting.leave() { return job }
      running -= 1
      return nil
    }
  }

  private static let state = Mutex(State())

  static func run(_ job: @escaping @Sendable () -> Void) {
    let needsThread = state.withLock { state in
      // A forked process has none of its parent's threads.
      if !state.process.isCurrent { state = State() }
      guard state.running >= limit else {
        state.running += 1
        return true
      }
      state.waiting.join(job)
      return false
    }
    if needsThread { startThread { work(off: job) } }
  }

  private static func work(off job: @Sendable () -> Void) {
    job()
    while let next = state.withLock({ $0.next() }) { next() }
  }

  /// Waits within a job. During the wait another thread runs other jobs instead.
  static func asLongWait<Result>(_ wait: () -> Result) -> Result {
    if let job = state.withLock({ $0.next() }) { startThread { work(off: job) } }
    defer { state.withLock { $0.running += 1 } }
    return wait()
  }
}

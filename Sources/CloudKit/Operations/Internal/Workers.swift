import Platform
import Synchronization

/// Threads for requests, which block on the disk and on locks. They are separate from Dispatch's threads and from the
/// cooperative pool.
///
/// A thread takes waiting jobs one after another, and ends when none is left. A job must not wait for another job.
enum Workers {
  private static let limit = 64

  private struct State {
    var running = 0
    var waiting = Line<@Sendable () -> Void>()
  }

  private static let state = Mutex(State())

  static func run(_ job: @escaping @Sendable () -> Void) {
    let needsThread = state.withLock { state in
      guard state.running == limit else {
        state.running += 1
        return true
      }
      state.waiting.join(job)
      return false
    }
    guard needsThread else { return }
    startThread {
      var next = job
      while true {
        next()
        let waiting: (@Sendable () -> Void)? = state.withLock { state in
          if let job = state.waiting.leave() { return job }
          state.running -= 1
          return nil
        }
        guard let waiting else { return }
        next = waiting
      }
    }
  }
}

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// State behind a mutex, with waiting for it to change up to a time limit.
///
/// Sendable although unchecked: `state` is touched only with `mutex` held, and the two pthread objects live at fixed
/// addresses until `deinit`.
package final class Condition<State>: @unchecked Sendable {
  private var state: State
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init(_ state: State) {
    self.state = state
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
    condition.deallocate()
  }

  /// Runs `body` with the state and wakes those who wait for a change of it.
  package func change<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
    return try body(&state)
  }

  /// Waits until `body` answers something, at most `seconds`; nil after that.
  package func wait<Result>(seconds: Double, _ body: (inout State) -> Result?) -> Result? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    var limit = timespec()
    clock_gettime(CLOCK_REALTIME, &limit)
    let bounded = min(max(seconds, 0), 1_000_000_000)
    let nanoseconds = Int(limit.tv_nsec) + Int((bounded - bounded.rounded(.down)) * 1_000_000_000)
    limit.tv_sec += Int(bounded) + nanoseconds / 1_000_000_000
    limit.tv_nsec = nanoseconds % 1_000_000_000
    while true {
      if let result = body(&state) {
        pthread_cond_broadcast(condition)
        return result
      }
      if pthread_cond_timedwait(condition, mutex, &limit) == ETIMEDOUT {
        return body(&state)
      }
    }
  }
}

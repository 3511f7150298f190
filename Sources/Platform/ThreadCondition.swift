#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// State that a mutex guards, with a condition to wait for its changes up to a time limit.
///
/// Sendable although unchecked: `state` is accessed only with `mutex` held, and the two pthread objects have fixed
/// addresses until `deinit`.
package final class ThreadCondition<State>: @unchecked Sendable {
  private var state: State
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init(_ state: State) {
    self.state = state
    pthread_mutex_init(mutex, nil)
    #if canImport(Darwin)
      pthread_cond_init(condition, nil)
    #else
      // The time limit must not depend on the system's clock, because the clock may be set during the wait.
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(condition, &attributes)
      pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
    condition.deallocate()
  }

  /// Runs `body` with the state and wakes all waiting threads.
  package func change<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
    return try body(&state)
  }

  /// Waits until `body` returns a value, at most `seconds`; nil after that.
  package func wait<Result>(seconds: Double, _ body: (inout State) -> Result?) -> Result? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    let limit = monotonicNanoseconds(after: seconds)
    while true {
      if let result = body(&state) {
        pthread_cond_broadcast(condition)
        return result
      }
      if !waitForChange(until: limit) { return body(&state) }
    }
  }

  /// Returns false once `limit` is reached, by the monotonic clock.
  private func waitForChange(until limit: UInt64) -> Bool {
    #if canImport(Darwin)
      let left = limit - min(limit, monotonicNanoseconds())
      var time = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
      return pthread_cond_timedwait_relative_np(condition, mutex, &time) != ETIMEDOUT
    #else
      var time = timespec(tv_sec: Int(limit / 1_000_000_000), tv_nsec: Int(limit % 1_000_000_000))
      return pthread_cond_timedwait(condition, mutex, &time) != ETIMEDOUT
    #endif
  }
}

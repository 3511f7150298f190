import Foundation

/// The processor time of the current thread for `body`. Other load on the machine does not change it.
package func processorTime(of body: () -> Void) -> Duration {
  func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
  let start = now()
  body()
  return now() - start
}

import Platform

/// One caller's waiting for one lock: how long it goes on, and what was said about it.
package final class LockWait {
  let patience: LockPatience
  private let start = monotonicNanoseconds()
  private var isNoticed = false

  package init(_ patience: LockPatience) { self.patience = patience }

  private var waited: Double { Double(monotonicNanoseconds() - start) / 1e9 }

  /// Seconds.
  package var remaining: Double { patience.seconds - waited }

  /// Nobody wants to hear of a wait that is over in a moment; everybody before it is given up.
  package var untilNotice: Double {
    if isNoticed || patience.notice == nil { return .infinity }
    return max(0, min(patience.noticeAfter, patience.seconds / 2) - waited)
  }

  /// Says once who is being waited for.
  package func giveNotice(_ holder: String, _ path: String) {
    guard !isNoticed, let notice = patience.notice else { return }
    isNoticed = true
    notice("waiting up to \(patience.seconds.secondsText) s for \(holder), which holds \(path)")
  }
}

import Platform
import Synchronization

/// Ends the process where one case takes for ever: from within, a parser that hangs can't be stopped.
package final class MutationWatch: Sendable {
  private let round = Atomic<Int>(0)
  private let isOver = Atomic(false)

  /// Says which round of which run it was on standard error, and exits with 3.
  package init(seed: UInt64, seconds: Double = 600) {
    startThread { [self] in
      let wait = Condition(())
      var last = -1
      while !isOver.load(ordering: .relaxed) {
        _ = wait.wait(seconds: seconds) { _ -> Bool? in nil }
        let now = round.load(ordering: .relaxed)
        if now == last, !isOver.load(ordering: .relaxed) {
          StandardStream.error.write("round \(now) of seed \(seed) hangs\n")
          HostProcess.exitNow(3)
        }
        last = now
      }
    }
  }

  package func start(_ number: Int) { round.store(number, ordering: .relaxed) }

  package func end() { isOver.store(true, ordering: .relaxed) }
}

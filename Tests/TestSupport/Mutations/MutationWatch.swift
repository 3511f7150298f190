import LocalCloudPlatform
import Synchronization

/// Ends the process if one case does not end, because a thread cannot stop a parser that hangs.
package final class MutationWatch: Sendable {
  private let round = Atomic<Int>(0)
  private let isOver = Atomic(false)

  /// Starts the watch. It checks the round every `seconds`. If the round has not changed, it prints the round and the
  /// seed on standard error and exits with 3.
  package init(seed: UInt64, seconds: Double = 600) {
    startThread { [self] in
      let wait = ThreadCondition(())
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

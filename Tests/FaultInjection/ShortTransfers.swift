import LocalCloudPlatform
import Synchronization

/// Makes a file system's reads and writes transfer few bytes at a time, and sometimes interrupts a call. It never
/// interrupts two calls in a row, so that each call finishes.
package final class ShortTransfers: Sendable {
  private struct State {
    var generator: SeededGenerator
    var wasInterrupted = false
    var interruptions = 0
    var shortened = 0
  }

  private let state: Mutex<State>
  private let longest: Int

  package init(seed: UInt64, longest: Int = 4096) {
    state = Mutex(State(generator: SeededGenerator(seed: seed)))
    self.longest = max(1, longest)
  }

  /// The number of interrupted calls, and the number of calls that transferred less than requested.
  package var counts: (interruptions: Int, shortened: Int) { state.withLock { ($0.interruptions, $0.shortened) } }

  package func fileSystem() -> FileSystem { FileSystem(transfers: ShortIOInjector { self.next($0) }) }

  private func next(_ count: Int) -> Int? {
    state.withLock { state in
      if !state.wasInterrupted, Int.random(in: 0..<4, using: &state.generator) == 0 {
        state.wasInterrupted = true
        state.interruptions += 1
        return nil
      }
      state.wasInterrupted = false
      guard count > 0 else { return 0 }
      let most = Int.random(in: 1...longest, using: &state.generator)
      if most < count { state.shortened += 1 }
      return most
    }
  }
}

import Synchronization

/// Raised once, by whoever wants long work to end at the next good place.
///
/// Threads: use it from any thread.
final class StopFlag: Sendable {
  private let flag = Atomic(false)

  var isRaised: Bool { flag.load(ordering: .relaxed) }

  func raise() { flag.store(true, ordering: .relaxed) }
}

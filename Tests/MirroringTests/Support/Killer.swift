import Synchronization

@testable import LocalCloudCoreDataMirroring

/// Ends a mirroring at one of its steps.
final class Killer: Sendable {
  private let left: Mutex<Int>
  let killed = Mutex<MirroringStep?>(nil)
  private let kind: MirroringStep?

  /// `kind`: the kind of steps that are counted; nil for all.
  init(after steps: Int, of kind: MirroringStep? = nil) {
    left = Mutex(steps)
    self.kind = kind
  }

  struct Kill: Error {}

  /// Throws at the last counted step and at all later ones.
  func pass(_ step: MirroringStep) throws {
    let left = left.withLock { left in
      if left < 0 || kind == nil || kind == step { left -= 1 }
      return left
    }
    guard left < 0 else { return }
    if left == -1 { killed.withLock { $0 = step } }
    throw Kill()
  }
}

import Platform
import Synchronization

/// A lock that is held until ``release()`` or the last reference goes.
package final class HeldLock: Sendable {
  /// The locked file itself.
  package let file: File
  private let giveBack: (@Sendable (File) -> Void)?
  private let isReleased = Atomic(false)

  /// `giveBack`: who takes the file when it is unlocked.
  package init(_ file: File, giveBack: (@Sendable (File) -> Void)? = nil) {
    self.file = file
    self.giveBack = giveBack
  }

  deinit { release() }

  package func release() {
    if isReleased.exchange(true, ordering: .relaxed) { return }
    file.unlock()
    giveBack?(file)
  }
}

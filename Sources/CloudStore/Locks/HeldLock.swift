import Platform
import Synchronization

/// A lock that is held until ``release()`` or the last reference goes.
package final class HeldLock: Sendable {
  /// The locked file itself.
  let file: File
  private let isReleased = Atomic(false)

  init(_ file: File) { self.file = file }

  deinit { release() }

  package func release() {
    if !isReleased.exchange(true, ordering: .relaxed) { file.unlock() }
  }
}

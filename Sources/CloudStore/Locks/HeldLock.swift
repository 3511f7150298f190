import Platform

/// A lock that is held until ``release()`` or the last reference goes.
package final class HeldLock: Sendable {
  /// The locked file itself.
  let file: File

  init(_ file: File) { self.file = file }

  deinit { file.unlock() }

  package func release() { file.unlock() }
}

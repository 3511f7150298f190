import Platform
import Synchronization

extension FairLock {
  private struct Place: Hashable {
    var folder: FileIdentity
    var name: String
    var fileSystem: ObjectIdentifier
  }

  /// Each keeps its folder open, so that its identity is nobody else's.
  private static let leaves = Mutex(RecentlyUsed<Place, FairLock>(limit: 8))

  /// The lock of a file that is locked for one append each, without a gate: one object a file and process, so that callers of
  /// a process queue before it fairly, and its file stays open from one holder to the next.
  package static func leaf(_ directory: Directory, _ name: String) throws(SystemError) -> FairLock {
    let place = Place(
      folder: try directory.identity(), name: name, fileSystem: ObjectIdentifier(directory.fileSystem))
    if let lock = leaves.withLock({ $0[place] }) { return lock }
    guard let room = DescriptorBudget.take() else { return FairLock(directory, name) }
    let lock = FairLock(directory, name, room: room)
    return leaves.withLock { leaves in
      if let first = leaves[place] { return first }
      leaves[place] = lock
      return lock
    }
  }
}

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

import LocalCloudPlatform
import Synchronization

extension FairLock {
  private struct LeafKey: Hashable {
    var folder: FileIdentity
    var name: String
    var fileSystem: ObjectIdentifier
  }

  /// Each lock keeps its folder open, so that no other folder can get its identity.
  private static let leaves = Mutex(RecentlyUsed<LeafKey, FairLock>(limit: 8))

  /// The lock of a file that is locked for one append at a time, without a gate. There is one object per file and
  /// process, so that callers in a process queue fairly before it, and the file stays open from one holder to the next.
  package static func leaf(_ directory: Directory, _ name: String) throws(SystemError) -> FairLock {
    let key = LeafKey(
      folder: try directory.identity(), name: name, fileSystem: ObjectIdentifier(directory.fileSystem))
    if let lock = leaves.withLock({ $0[key] }) { return lock }
    guard let room = DescriptorBudget.reserve() else { return FairLock(directory, name) }
    let lock = FairLock(directory, name, room: room)
    return leaves.withLock { leaves in
      if let first = leaves[key] { return first }
      leaves[key] = lock
      return lock
    }
  }
}

/// A lock that is held until ``release()`` is called or the last reference is released.
package final class HeldLock: Sendable {
  /// The locked file itself.
  package let file: File
  private let giveBack: (@Sendable (File) -> Void)?
  private let isReleased = Atomic(false)

  /// - Parameter giveBack: called with the file when it is unlocked.
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

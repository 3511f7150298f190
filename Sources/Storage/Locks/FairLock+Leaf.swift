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
    guard let room = DescriptorRoom.take() else { return FairLock(directory, name) }
    let lock = FairLock(directory, name, room: room)
    return leaves.withLock { leaves in
      if let first = leaves[place] { return first }
      leaves[place] = lock
      return lock
    }
  }
}

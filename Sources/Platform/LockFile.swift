import Synchronization

/// A file for locks that stays open from one holder to the next. A lock belongs to an open file, so each holder has its
/// own one; concurrent callers open theirs, and so does a process that was forked since then.
///
/// Threads: safe to use from any.
package final class LockFile: Sendable {
  private struct Spare {
    var file: File
    var access: Directory.Access
    var room: DescriptorBudget
  }

  package let directory: Directory
  package let name: String
  private let spare = Mutex<Spare?>(nil)

  package init(in directory: Directory, name: String) {
    self.directory = directory
    self.name = name
  }

  package var path: String { directory.path(of: name) }

  /// Returns an open file without a lock. A caller that locks it checks that the file still ``isCurrent(_:)``.
  package func take(_ access: Directory.Access = .read) throws(SystemError) -> File {
    let reused = spare.withLock { spare in
      let isUsable = spare?.access == access && spare?.file.isInherited == false
      defer { if isUsable || spare?.file.isInherited == true { spare = nil } }
      return isUsable ? spare : nil
    }
    if let reused { return reused.file }
    return try directory.file(name, access)
  }

  /// Whether the file is still the one under its name: a lock on another one excludes no process.
  package func isCurrent(_ file: File) throws(SystemError) -> Bool {
    try directory.identity(of: name) == file.identity()
  }

  /// Stores the open file for the next holder. It must not be locked any more.
  package func giveBack(_ file: File, _ access: Directory.Access = .read) {
    guard !file.isInherited, let room = DescriptorBudget.reserve() else { return }
    spare.withLock { $0 = Spare(file: file, access: access, room: room) }
  }
}

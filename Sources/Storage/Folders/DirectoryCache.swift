import LocalCloudPlatform
import Synchronization

/// A cache of open folders of a store that every request uses.
///
/// A folder keeps its path as long as the store exists; a removed folder is looked up again.
///
/// Threads: safe to use from any.
package final class DirectoryCache: Sendable {
  private struct Kept {
    var folder: Directory
    var room: DescriptorBudget
  }

  /// The maximum number of folders; each takes a file descriptor.
  private static let most = 64

  private let root: Directory
  private let folders = Mutex<[[String]: Kept]>([:])

  package init(below root: Directory) { self.root = root }

  /// Nil if the folder is missing and `making` is false. The components are encoded file names.
  package func folder(at components: [String], making: Bool = false) throws(SystemError) -> Directory? {
    if let known = folders.withLock({ $0[components] }), try !known.folder.isRemoved() { return known.folder }
    let folder = making ? try root.makingDirectory(at: components) : try root.directory(at: components)
    guard let folder else { return nil }
    folders.withLock { folders in
      if folders.count >= Self.most { folders = [:] }
      var room = DescriptorBudget.reserve()
      if room == nil, !folders.isEmpty {
        folders = [:]
        room = DescriptorBudget.reserve()
      }
      folders[components] = room.map { Kept(folder: folder, room: $0) }
    }
    return folder
  }
}

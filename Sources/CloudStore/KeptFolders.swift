import Platform
import Synchronization

/// Folders of the cloud that every request looks into, kept open.
///
/// They stay where they are as long as the cloud is there; one that somebody removed is looked for anew.
///
/// Threads: use it from any.
final class KeptFolders: Sendable {
  /// Each takes a file descriptor.
  private static let most = 64

  private let root: Directory
  private let folders = Mutex<[[String]: Directory]>([:])

  init(below root: Directory) { self.root = root }

  /// Nil where there is none and none is to be made. The components are encoded file names.
  func folder(at components: [String], making: Bool = false) throws(SystemError) -> Directory? {
    if let known = folders.withLock({ $0[components] }), try !known.isRemoved() { return known }
    let folder = making ? try root.makingDirectory(at: components) : try root.directory(at: components)
    folders.withLock {
      if $0.count >= Self.most { $0 = [:] }
      $0[components] = folder
    }
    return folder
  }
}

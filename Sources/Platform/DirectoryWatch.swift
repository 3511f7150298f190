import Synchronization

/// Waits until one of several folders changes: a file is added, removed, renamed or written to.
///
/// It reports only that a folder changed. The caller lists the folders again, so nothing is missed if several changes
/// are reported as one, or if there are more than the system stores. Changes count from `init` on: watch first, then
/// list.
///
/// Threads: ``wait(seconds:)`` blocks its thread, so call it on one made by ``startThreadIfPossible(_:)``, and on one
/// at a time; ``stop()`` may be called from any. The descriptors are closed with the last reference.
package final class DirectoryWatch: Sendable {
  package enum Event: Sendable, Equatable {
    case changed
    /// A folder was removed or moved away. The report is late while another process has the folder open.
    case gone
    /// ``DirectoryWatch/stop()`` was called.
    case stopped
    /// The time is up.
    case nothing
  }

  /// The paths of the watched folders.
  package let paths: [String]
  private let events: FolderEvents
  private let isStopped = Atomic<Bool>(false)
  private let isGone: Atomic<Bool>

  /// Throws an error with ``SystemError/isOutOfWatches`` if the system allows no more watches. The folders need not
  /// stay open.
  package init(_ watched: WatchedFolders) throws(SystemError) {
    paths = (watched.folders + watched.parents).map(\.path)
    events = try FolderEvents(watched)
    // A folder that was removed before it was watched sends no more events.
    var isGone = false
    for directory in watched.folders + watched.parents where try directory.isRemoved() { isGone = true }
    self.isGone = Atomic(isGone)
  }

  package convenience init(_ directories: Directory...) throws(SystemError) {
    try self.init(WatchedFolders(directories))
  }

  /// Waits for the next event, at most `seconds`. After ``Event/gone`` it returns only that or ``Event/stopped``.
  package func wait(seconds: Double = .infinity) -> Event {
    let start = monotonicNanoseconds()
    while true {
      if isStopped.load(ordering: .sequentiallyConsistent) { return .stopped }
      if isGone.load(ordering: .sequentiallyConsistent) { return .gone }
      let left = seconds - Double(monotonicNanoseconds() - start) / 1_000_000_000
      if left <= 0 { return .nothing }
      switch events.next(milliseconds: left > 1_000_000 ? -1 : Int32((left * 1000).rounded(.up))) {
      // A signal, the time, or a call of stop.
      case .none: continue
      case .gone?: isGone.store(true, ordering: .sequentiallyConsistent)
      case .changed?: return .changed
      }
    }
  }

  /// Ends the present wait and all later ones.
  package func stop() {
    isStopped.store(true, ordering: .sequentiallyConsistent)
    events.wake()
  }
}

/// The folders of a ``DirectoryWatch``.
package struct WatchedFolders: Sendable {
  /// Each change in them is reported.
  package var folders: [Directory]
  /// Added, removed and renamed entries are reported, but no writes to files.
  package var parents: [Directory]

  package init(_ folders: [Directory] = [], entriesOf parents: [Directory] = []) {
    (self.folders, self.parents) = (folders, parents)
  }

  /// The folder at a path and its parent; if the folder is missing, the nearest parent that exists.
  package init(path: String, in fileSystem: FileSystem = FileSystem()) throws(SystemError) {
    self.init()
    var path = try UserFile.resolvedFolder(path)
    if let folder = try? Directory.open(path: path, in: fileSystem) { folders = [folder] }
    while path != "/", parents.isEmpty {
      path = UserFile.folderAndName(of: path).folder
      if let parent = try? Directory.open(path: path, in: fileSystem) { parents = [parent] }
    }
  }

  /// The identities of all folders, to compare with those of a later look.
  package func identities() throws(SystemError) -> Set<FileIdentity> {
    var identities: Set<FileIdentity> = []
    for directory in folders + parents { identities.insert(try directory.identity()) }
    return identities
  }

  package static func + (left: WatchedFolders, right: WatchedFolders) -> WatchedFolders {
    WatchedFolders(left.folders + right.folders, entriesOf: left.parents + right.parents)
  }
}

/// The events that the system reports of a watched folder.
enum FolderEvent { case changed, gone }

extension Directory {
  /// Notifies the watchers of this folder that a file in it has grown, if the system does not do so itself.
  package func announceChange() throws(SystemError) {
    #if canImport(Darwin)
      let name = ".news"
      _ = try createFile(name)
      try remove(name)
    #endif
  }
}

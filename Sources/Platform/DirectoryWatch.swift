import Synchronization

/// Waits until something in one of several folders changes: a file comes, goes, or was written to.
///
/// It says that there is something to look at, never what. Whoever waits lists the folders again, so nothing is missed
/// where several changes come as one, or more than the system keeps. Changes count from `init` on: watch first, then look.
///
/// Threads: ``wait(seconds:)`` holds its thread, so call it on one made by ``startThreadIfPossible(_:)``, and on one at a time;
/// ``stop()`` may come from any. The descriptors go with the last reference.
package final class DirectoryWatch: Sendable {
  package enum News: Sendable, Equatable {
    case changed
    /// A folder was removed, or moved away. It is told late where somebody still has it open.
    case gone
    /// ``DirectoryWatch/stop()`` was called.
    case stopped
    /// The time is up.
    case nothing
  }

  private let events: FolderEvents
  private let isStopped = Atomic<Bool>(false)
  private let isGone: Atomic<Bool>

  /// Throws ``SystemError/isOutOfWatches`` where the system allows no more of them.
  package init(_ directories: Directory...) throws(SystemError) {
    events = try FolderEvents(directories)
    // What was removed before it was watched sends no more news.
    var isGone = false
    for directory in directories where try directory.isRemoved() { isGone = true }
    self.isGone = Atomic(isGone)
  }

  /// The next news. After ``News/gone`` there are no others but ``News/stopped``.
  package func wait(seconds: Double = .infinity) -> News {
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

  /// Ends the wait under way and all later ones.
  package func stop() {
    isStopped.store(true, ordering: .sequentiallyConsistent)
    events.wake()
  }
}

/// What a system tells of a watched folder.
enum FolderEvent { case changed, gone }

extension Directory {
  /// Tells whoever watches this folder that a file in it has grown, where the system does not by itself.
  package func announceChange() throws(SystemError) {
    #if canImport(Darwin)
      let name = ".news"
      _ = try createFile(name)
      try remove(name)
    #endif
  }
}

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Device and inode of a file or directory.
package struct FileIdentity: Hashable, Sendable {
  package var device: UInt64
  package var inode: UInt64

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
  }
}

/// Identifies a state of a file: a file that is replaced or written to has another version.
package struct FileVersion: Hashable, Sendable {
  private var identity: FileIdentity
  private var size: Int64
  private var changed: Moment

  init(_ status: stat) {
    identity = FileIdentity(status)
    size = Int64(status.st_size)
    changed = Moment(status.changed)
  }

  /// Whether every write to the file from now on gives it another version. Files have the time of the kernel's last
  /// tick: within one tick, a file that is replaced twice may get its first inode and time again. So only data read
  /// from a stable version may be cached for it.
  package var isStable: Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let age = (now.tv_sec - changed.seconds) * 1_000_000_000 + now.tv_nsec - changed.nanoseconds
    return age > Self.longestTick
  }

  /// In nanoseconds: twice the longest of the usual ticks.
  private static let longestTick = 20_000_000
}

/// Identifies a state of a file's contents: another file, or one that was written to, has another stamp. Renaming
/// changes nothing.
package struct ContentStamp: Hashable, Sendable {
  private var identity: FileIdentity
  package var size: Int
  private var modified: Moment

  init(_ status: stat) {
    identity = FileIdentity(status)
    size = Int(status.st_size)
    modified = Moment(status.modified)
  }
}

private struct Moment: Hashable {
  var seconds: Int
  var nanoseconds: Int

  init(_ time: timespec) { (seconds, nanoseconds) = (time.tv_sec, time.tv_nsec) }
}

extension stat {
  #if canImport(Darwin)
    fileprivate var changed: timespec { st_ctimespec }
    var modified: timespec { st_mtimespec }
  #else
    fileprivate var changed: timespec { st_ctim }
    var modified: timespec { st_mtim }
  #endif
}

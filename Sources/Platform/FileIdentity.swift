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

/// A file in one of its states: replaced or written to, it has another version.
package struct FileVersion: Hashable, Sendable {
  private var identity: FileIdentity
  private var size: Int64
  private var changed: Moment

  init(_ status: stat) {
    identity = FileIdentity(status)
    size = Int64(status.st_size)
    changed = Moment(status.changed)
  }
}

/// A file's contents in one of their states: another file, or one that was written to, has another stamp. A new name
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
    fileprivate var modified: timespec { st_mtimespec }
  #else
    fileprivate var changed: timespec { st_ctim }
    fileprivate var modified: timespec { st_mtim }
  #endif
}

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Directory {
  /// The permission bits of an entry; nil if there is none of that name.
  package func permissions(of name: String) throws(SystemError) -> UInt32? {
    try allPermissions(of: name).map { $0 & 0o777 }
  }

  /// Like ``permissions(of:)``, with the set-user-ID, set-group-ID and sticky bits.
  private func allPermissions(of name: String) throws(SystemError) -> UInt32? {
    try status(of: name).map { UInt32($0.st_mode) & 0o7777 }
  }

  /// The owner, the permissions and the age of an entry.
  package struct Ownership: Sendable {
    package var owner: UInt32
    package var permissions: UInt32
    /// The time of the last write by the machine's clock, in milliseconds since 1970.
    package var modified: Int64
  }

  /// The owner of an entry, `.` for the directory itself; nil if there is none of that name.
  package func ownership(of name: String) throws(SystemError) -> Ownership? {
    try status(of: name).map { status in
      let time = status.modified
      return Ownership(
        owner: status.st_uid, permissions: UInt32(status.st_mode) & 0o777,
        modified: min(max(Int64(time.tv_sec), -Self.secondLimit), Self.secondLimit) * 1000 + Int64(time.tv_nsec)
          / 1_000_000)
    }
  }

  /// The latest time of an entry, in seconds since 1970: the year 9999. Some file systems store later ones.
  private static let secondLimit: Int64 = 253_402_300_799

  /// The bit that marks a directory while the permissions below it are changed.
  private static let unfinished: UInt32 = 0o1000
  /// The bits of users other than the owner.
  private static let others: UInt32 = 0o077

  /// Removes all permissions of other users from the directory `name` and from all its contents. Permissions that the
  /// owner lacks stay missing.
  ///
  /// The cost is that of one status call if the directory gives other users no permission: they can't reach its
  /// contents. Otherwise the directory is closed first, and gets the sticky bit until the permissions below it are
  /// changed, too: after a kill, the next call continues.
  package func makePrivate(_ name: String) throws(SystemError) {
    guard let mode = try allPermissions(of: name), mode & (Self.others | Self.unfinished) != 0 else { return }
    try setPermissions(of: name, to: mode & 0o700 | Self.unfinished)
    try directoryIfPresent(name)?.makeContentsPrivate()
    try setPermissions(of: name, to: mode & 0o700)
  }

  private func makeContentsPrivate() throws(SystemError) {
    for entry in try entries() where entry.kind != .other {
      let isFolder = entry.kind == .directory
      do {
        guard let mode = try allPermissions(of: entry.name) else { continue }
        let wanted = mode & (isFolder ? 0o700 : 0o600)
        if mode != wanted { try setPermissions(of: entry.name, to: wanted) }
        if isFolder { try directoryIfPresent(entry.name)?.makeContentsPrivate() }
      } catch  where error.isDenied || error.isMissing || error.isForeign {
        // The entry belongs to another user, or another process removed or replaced it.
      }
    }
  }

  private func setPermissions(of name: String, to mode: UInt32) throws(SystemError) {
    let path = path(of: name)
    try fileSystem.perform(.setPermissions(path, mode: mode), path: path, skipped: ()) { () throws(SystemError) in
      try changePermissions(of: name, to: mode)
    }
  }

  /// Does not follow a symbolic link.
  func changePermissions(of name: String, to mode: UInt32) throws(SystemError) {
    if fchmodat(descriptor, name, mode_t(mode), AT_SYMLINK_NOFOLLOW) == 0 { return }
    guard errno == EOPNOTSUPP else { throw .last("chmod", path(of: name)) }
    // The system can't do that without /proc.
    let opened = try open(name, O_RDONLY | O_NONBLOCK)
    defer { close(opened) }
    guard fchmod(opened, mode_t(mode)) == 0 else { throw .last("chmod", path(of: name)) }
  }
}

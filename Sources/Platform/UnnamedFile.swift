#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file that is written before it has a name: half the work of writing it under another name and renaming it. If the
/// process dies, the system removes the file.
///
/// Threads: immutable; safe to use from any.
package final class UnnamedFile: Sendable {
  let file: File
  private let room: DescriptorBudget

  private init(_ file: File, _ room: DescriptorBudget) {
    self.file = file
    self.room = room
  }

  /// Nil if the file system does not support this, or if the process has too many files open.
  static func open(in directory: Directory) throws(SystemError) -> UnnamedFile? {
    #if canImport(Darwin)
      return nil
    #else
      guard let room = DescriptorBudget.reserve() else { return nil }
      let path = directory.path(of: "#\(room.number)")
      let mode = mode_t(directory.isPrivate ? 0o600 : 0o666)
      let opened: Int32? = try directory.fileSystem.perform(.createFile(path), path: path, skipped: nil) {
        () throws(SystemError) in
        let result = retryingInterrupts {
          directory.fileSystem.interruptible {
            openat(directory.descriptor, ".", unnamed | O_RDWR | O_CLOEXEC, mode)
          }
        }
        if result >= 0 { return result }
        guard [EOPNOTSUPP, EISDIR, EINVAL, ENOENT, EMFILE, ENFILE].contains(errno) else { throw .last("open", path) }
        return nil
      }
      guard let opened else { return nil }
      return UnnamedFile(File(descriptor: opened, path: path, fileSystem: directory.fileSystem), room)
    #endif
  }
}

extension Directory {
  /// A file with these bytes and without a name yet; nil if there can't be one.
  package func unnamedFile(_ bytes: [UInt8]) throws(SystemError) -> UnnamedFile? {
    guard let result = try UnnamedFile.open(in: self) else { return nil }
    try result.file.write(bytes, at: 0)
    return result
  }

  /// Gives the file this name; fails if the name is taken.
  package func link(_ unnamed: UnnamedFile, as name: String) throws(SystemError) {
    let path = path(of: name)
    try fileSystem.perform(.rename(from: unnamed.file.path, to: path), path: path, skipped: ()) {
      () throws(SystemError) in
      // This is the short way, but not every kernel allows it to every user.
      if linkat(unnamed.file.descriptor, "", descriptor, name, byDescriptor) == 0 { return }
      let source = "/proc/self/fd/\(unnamed.file.descriptor)"
      guard linkat(AT_FDCWD, source, descriptor, name, AT_SYMLINK_FOLLOW) == 0 else { throw .last("link to", path) }
    }
  }
}

#if !canImport(Darwin)
  /// `O_TMPFILE`. The headers hide it; Linux has the same bits on all machines that Swift runs on.
  private let unnamed = 0o20_000_000 | O_DIRECTORY
#endif

/// `AT_EMPTY_PATH`, hidden as well.
private let byDescriptor: Int32 = 0x1000

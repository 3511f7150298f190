#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Second names and copies of files, for a whole tree.
extension Directory {
  /// Makes a file in another directory with the contents and the permissions of a file in this one. Not durable before
  /// the file system is synced.
  ///
  /// - Parameter byLink: give the file a second name where the file system can. Only for files that are replaced and
  ///   never written to: a write would change both.
  /// - Throws: `EEXIST` if the other directory has an entry of the new name.
  package func duplicate(
    _ name: String, to other: Directory, as newName: String, byLink: Bool
  ) throws(SystemError) {
    let (from, to) = (path(of: name), other.path(of: newName))
    try fileSystem.perform(.duplicate(from: from, to: to), path: to, skipped: ()) { () throws(SystemError) in
      // A file system without links, one with a limit for them, and a file of another user get a copy.
      if byLink, linkat(descriptor, name, other.descriptor, newName, 0) == 0 { return }
      try copy(name, to: other, as: newName)
    }
  }

  private func copy(_ name: String, to other: Directory, as newName: String) throws(SystemError) {
    let source = try open(name, O_RDONLY | O_NONBLOCK)
    defer { close(source) }
    var status = stat()
    guard fstat(source, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw SystemError(code: SystemError.notAFileCode, call: "copy", path: path(of: name))
    }
    let mode = UInt32(status.st_mode) & (other.isPrivate ? 0o600 : 0o666)
    let target = try other.open(newName, O_RDWR | O_CREAT | O_EXCL, mode: mode)
    defer { close(target) }
    #if !canImport(Darwin)
      // The kernel copies the bytes, or shares them where the file system can.
      while true {
        let count = copyRange(source, nil, target, nil, 1 << 30, 0)
        if count == 0 { return }
        if count < 0 {
          if errno == EINTR { continue }
          guard [EXDEV, EINVAL, ENOSYS, EOPNOTSUPP].contains(errno) else {
            throw .last("copy", other.path(of: newName))
          }
          break
        }
      }
    #endif
    // Continues after the bytes that were copied.
    var offset = Int(lseek(target, 0, SEEK_CUR))
    let (old, new) = (
      File(descriptor: dup(source), path: path(of: name), fileSystem: FileSystem()),
      File(descriptor: dup(target), path: other.path(of: newName), fileSystem: FileSystem())
    )
    while true {
      let bytes = try old.read(at: offset, count: 1 << 20)
      if bytes.isEmpty { return }
      try new.write(bytes, at: offset)
      offset += bytes.count
    }
  }
}

#if !canImport(Darwin)
  /// `copy_file_range`. The headers hide it.
  @_silgen_name("copy_file_range") private func copyRange(
    _ source: Int32, _ sourceOffset: UnsafeMutablePointer<Int64>?, _ target: Int32,
    _ targetOffset: UnsafeMutablePointer<Int64>?, _ count: Int, _ flags: UInt32
  ) -> Int
#endif

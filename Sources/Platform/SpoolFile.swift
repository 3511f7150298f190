#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file on disk, outside of any tree and without a name, for data that is too large for memory. The system removes it
/// with its last reference.
package enum SpoolFile {
  /// Makes an empty file in the folder for temporary files.
  package static func make() throws(SystemError) -> File {
    var path = Array("\(HostProcess.temporaryFolder)/localcloud.XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    let name = path.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    guard descriptor >= 0 else { throw .last("create", name) }
    unlink(name)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return File(descriptor: descriptor, path: name, fileSystem: FileSystem())
  }

  /// Makes a file with all parts that `next` returns, up to an empty one. `path`: the name of the source in errors.
  package static func holding(
    _ path: String, limit: ReadLimit, _ next: () throws(SystemError) -> [UInt8]
  ) throws(SystemError) -> File {
    let file = try make()
    var offset = 0
    try limit.forEachPart(path, next) { (part) throws(SystemError) in
      try file.write(part, at: offset)
      offset += part.count
    }
    return file
  }
}

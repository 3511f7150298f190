#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file that the user named on the command line: links are followed and pipes work, unlike a ``File`` of the tree.
package enum UserFile {
  /// Reads a whole file.
  ///
  /// - Parameter acceptsStreams: also read a pipe, such as a shell's `<(…)`, a terminal or a device to its end; opening
  ///   a named pipe then waits for its writer. Otherwise they are rejected before anything is read.
  /// - Throws: `EISDIR` for a folder, ``SystemError/notAFileCode`` for any other rejected kind, and
  ///   ``SystemError/tooLargeCode`` for more bytes than `limit` allows.
  package static func read(
    _ path: String, limit: ReadLimit, acceptsStreams: Bool = false
  ) throws(SystemError) -> [UInt8] {
    let (file, isStream) = try openToRead(path, acceptsStreams: acceptsStreams)
    // A file may also grow while it is read.
    if !isStream, try file.size() > limit.bytes { throw .tooLarge(path, limit: limit.bytes) }
    return try limit.collect(path) { () throws(SystemError) in try readPart(file.descriptor, path) }
  }

  /// Opens a file to be read piece by piece; rejects any other kind, such as a pipe or a folder.
  package static func open(_ path: String) throws(SystemError) -> File {
    try openToRead(path, acceptsStreams: false).file
  }

  /// Like ``open(_:)``, but copies a stream to a temporary file first: a pipe, such as a shell's `<(…)`. A file has no
  /// limit, because it is not copied.
  package static func openSpooled(_ path: String, limit: ReadLimit) throws(SystemError) -> File {
    let (file, isStream) = try openToRead(path, acceptsStreams: true)
    guard isStream else { return file }
    return try SpoolFile.holding(path, limit: limit) { () throws(SystemError) in try readPart(file.descriptor, path) }
  }

  private static func openToRead(
    _ path: String, acceptsStreams: Bool
  ) throws(SystemError) -> (file: File, isStream: Bool) {
    // Opening a named pipe without `O_NONBLOCK` waits for its writer.
    let flags = O_RDONLY | O_NOCTTY | O_CLOEXEC | (acceptsStreams ? 0 : O_NONBLOCK)
    let descriptor = retryingInterrupts { openPath(path, flags) }
    guard descriptor >= 0 else {
      // A socket can't be opened.
      guard errno != ENXIO else { throw SystemError(code: SystemError.notAFileCode, call: "open", path: path) }
      throw .last("open", path)
    }
    let file = File(descriptor: descriptor, path: path, fileSystem: FileSystem())
    switch try file.kind() {
    case .file: return (file, false)
    case .directory: throw SystemError(code: EISDIR, call: "open", path: path)
    case .other:
      guard acceptsStreams else { throw SystemError(code: SystemError.notAFileCode, call: "open", path: path) }
      return (file, true)
    }
  }

  /// Whether the path is that of a folder.
  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The content stamp of the file that the path leads to now.
  package static func contentStamp(_ path: String) throws(SystemError) -> ContentStamp {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .last("stat", path) }
    return ContentStamp(status)
  }

  /// Reads the available bytes, waiting for the first; returns none at the end.
  static func readPart(_ descriptor: Int32, _ path: String) throws(SystemError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let got = retryingInterrupts { readBytes(descriptor, &buffer, buffer.count) }
      if got >= 0 { return Array(buffer.prefix(got)) }
      guard errno == EAGAIN else { throw .last("read", path) }
      waitToUse(descriptor, Int16(POLLIN))
    }
  }
}

func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
  #if canImport(Glibc)
    Glibc.read(descriptor, buffer, count)
  #elseif canImport(Musl)
    Musl.read(descriptor, buffer, count)
  #else
    Darwin.read(descriptor, buffer, count)
  #endif
}

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file that the user named on the command line: links are followed and pipes work, unlike a ``File`` of the tree.
package enum UserFile {
  package static func read(_ path: String) throws(SystemError) -> [UInt8] {
    let descriptor = retryingInterrupts { openPath(path, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .last("open", path) }
    defer { close(descriptor) }
    return try readToEnd(descriptor, path)
  }

  /// Opens a file to be read piece by piece; rejects anything else, such as a pipe or a folder.
  package static func open(_ path: String) throws(SystemError) -> File {
    // Does not wait for a pipe's other end.
    let descriptor = retryingInterrupts { openPath(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .last("open", path) }
    let file = File(descriptor: descriptor, path: path, fileSystem: FileSystem())
    guard try file.isRegular() else {
      throw SystemError(code: SystemError.notAFileCode, call: "open", path: path)
    }
    return file
  }

  /// Like ``open(_:)``, but reads what is no file to its end first: a pipe, such as a shell's `<(…)`.
  package static func openSpooled(_ path: String) throws(SystemError) -> File {
    do throws(SystemError) { return try open(path) } catch {
      guard error.code == SystemError.notAFileCode else { throw error }
    }
    let descriptor = retryingInterrupts { openPath(path, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .last("open", path) }
    defer { close(descriptor) }
    return try SpoolFile.holding { () throws(SystemError) in try readPart(descriptor, path) }
  }

  /// Whether the path is that of a folder.
  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The content stamp of what has the path now.
  package static func contentStamp(_ path: String) throws(SystemError) -> ContentStamp {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .last("stat", path) }
    return ContentStamp(status)
  }

  /// Reads what there is now; returns nothing at the end.
  static func readPart(_ descriptor: Int32, _ path: String) throws(SystemError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let got = retryingInterrupts { readBytes(descriptor, &buffer, buffer.count) }
    if got < 0 { throw .last("read", path) }
    return Array(buffer.prefix(got))
  }

  static func readToEnd(_ descriptor: Int32, _ path: String) throws(SystemError) -> [UInt8] {
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let got = retryingInterrupts { readBytes(descriptor, &buffer, buffer.count) }
      if got < 0 { throw .last("read", path) }
      if got == 0 { return result }
      result += buffer.prefix(got)
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

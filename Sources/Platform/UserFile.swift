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
    let descriptor = retryingInterrupts { open(path, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .last("open", path) }
    defer { close(descriptor) }
    return try readToEnd(descriptor, path)
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

private func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
  #if canImport(Glibc)
    Glibc.read(descriptor, buffer, count)
  #elseif canImport(Musl)
    Musl.read(descriptor, buffer, count)
  #else
    Darwin.read(descriptor, buffer, count)
  #endif
}

extension StandardStream {
  /// Everything up to the end; unlike ``readAll()`` it tells a failure from the end.
  package func readToEnd() throws(SystemError) -> [UInt8] {
    try UserFile.readToEnd(rawValue, "standard input")
  }

  /// Writes everything, or says why not.
  package func send(_ bytes: [UInt8]) throws(SystemError) {
    errno = 0
    guard !write(bytes) else { return }
    throw .last("write", self == .error ? "standard error" : "standard output")
  }
}

extension SystemError {
  /// The reader of a pipe is gone.
  package var isBrokenPipe: Bool { code == EPIPE }
  package static let brokenPipe: Int32 = EPIPE
}

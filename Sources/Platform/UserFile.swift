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

func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
  #if canImport(Glibc)
    Glibc.read(descriptor, buffer, count)
  #elseif canImport(Musl)
    Musl.read(descriptor, buffer, count)
  #else
    Darwin.read(descriptor, buffer, count)
  #endif
}

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The standard streams.
package enum StandardStream: Int32, Sendable {
  case input = 0
  case output = 1
  case error = 2

  package var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Reads the available bytes; returns none at the end.
  package func readPart() throws(SystemError) -> [UInt8] { try UserFile.readPart(rawValue, name) }

  /// Writes everything, or throws.
  package func send(_ bytes: [UInt8]) throws(SystemError) { try writeAll(bytes, to: rawValue, name) }

  /// Writes a tool's progress message; an error is ignored.
  package func write(_ text: String) { try? send(Array(text.utf8)) }

  /// Takes the descriptors of standard streams that were closed when the process began. Otherwise a file of the tree
  /// would be opened as standard output, and results would be written into it. Using such a stream fails as before;
  /// programs that this process starts find it closed.
  package static func reserveClosed() {
    // `open` returns the smallest free descriptor.
    for stream in [input, output, error] where fcntl(stream.rawValue, F_GETFD) < 0 {
      _ = openPath("/dev/null", (stream == input ? O_WRONLY : O_RDONLY) | O_CLOEXEC)
    }
  }

  private var name: String {
    switch self {
    case .input: "standard input"
    case .output: "standard output"
    case .error: "standard error"
    }
  }
}

func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  #if canImport(Glibc)
    Glibc.write(descriptor, bytes, count)
  #elseif canImport(Musl)
    Musl.write(descriptor, bytes, count)
  #else
    Darwin.write(descriptor, bytes, count)
  #endif
}

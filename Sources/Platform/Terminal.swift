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

  /// Writes everything; answers false if the reader is gone or the disk is full.
  @discardableResult
  package func write(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let put = retryingInterrupts { writeBytes(rawValue, buffer.baseAddress! + done, buffer.count - done) }
        if put <= 0 { return false }
        done += put
      }
      return true
    }
  }

  @discardableResult
  package func write(_ text: String) -> Bool { write(Array(text.utf8)) }

  package func readAll() -> [UInt8] {
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let got = retryingInterrupts { read(rawValue, &buffer, buffer.count) }
      if got <= 0 { return result }
      result += buffer.prefix(got)
    }
  }
}

package enum Terminal {
  /// Columns of the terminal behind a stream: `COLUMNS`, else the terminal's own, else 80.
  package static func width(of stream: StandardStream) -> Int {
    if let text = HostProcess.environment("COLUMNS"), let columns = Int(text), columns > 0 { return columns }
    var size = winsize()
    if ioctl(stream.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    return 80
  }

  /// A write to a pipe whose reader is gone fails instead of ending the process.
  package static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }
}

private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  #if canImport(Glibc)
    Glibc.write(descriptor, bytes, count)
  #elseif canImport(Musl)
    Musl.write(descriptor, bytes, count)
  #else
    Darwin.write(descriptor, bytes, count)
  #endif
}

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

package enum Terminal {
  /// The columns of the terminal behind a stream: `COLUMNS`, otherwise the terminal's own, otherwise 80.
  package static func width(of stream: StandardStream) -> Int {
    if let text = HostProcess.environment("COLUMNS"), let columns = Int(text), columns > 0 { return columns }
    var size = winsize()
    if ioctl(stream.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    return 80
  }

  /// Makes a write to a pipe without a reader fail, instead of ending the process.
  package static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }
}

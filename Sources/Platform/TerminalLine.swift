import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A user's input at a terminal.
package enum TerminalLine: Sendable, Equatable {
  /// A line without its end.
  case text(String)
  /// Ctrl-D: the end of the input.
  case end
  /// Ctrl-C.
  case interrupted
}

/// The descriptor for reporting a caught interrupt; -1 for none. A signal handler can't capture values.
private let interruptEnd = Atomic<Int32>(-1)

extension StandardStream {
  /// Reads the next line from a terminal. An interrupt ends the wait and not the process; outside of this call it has
  /// its usual effect. One caller at a time.
  package func readTerminalLine() -> TerminalLine {
    // Without a pipe, an interrupt ends the process, as outside of this call.
    guard let pipe = try? WakePipe() else { return readLine(orUntil: nil) }
    interruptEnd.store(pipe.writing, ordering: .sequentiallyConsistent)
    let before = signal(SIGINT) { _ in WakePipe.wake(interruptEnd.load(ordering: .sequentiallyConsistent)) }
    defer {
      _ = signal(SIGINT, before)
      interruptEnd.store(-1, ordering: .sequentiallyConsistent)
    }
    return readLine(orUntil: pipe.reading)
  }

  private func readLine(orUntil interrupt: Int32?) -> TerminalLine {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let isReadable = waitToRead([rawValue] + (interrupt.map { [$0] } ?? []))
      if isReadable.count > 1, isReadable[1] { return .interrupted }
      guard isReadable[0] else { continue }
      let got = retryingInterrupts { readBytes(rawValue, &byte, 1) }
      if got <= 0 { return bytes.isEmpty ? .end : .text(String(decoding: bytes, as: UTF8.self)) }
      if byte == UInt8(ascii: "\n") { return .text(String(decoding: bytes, as: UTF8.self)) }
      bytes.append(byte)
    }
  }
}

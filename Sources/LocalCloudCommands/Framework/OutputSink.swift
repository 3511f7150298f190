import Platform

/// Where text goes: a standard stream, or a buffer in tests.
package struct OutputSink: Sendable {
  package var isTerminal: Bool
  /// Columns a text for people may take; read only when something is printed.
  package var width: @Sendable () -> Int
  let send: @Sendable ([UInt8]) throws(SystemError) -> Void

  package init(
    isTerminal: Bool = false, width: @escaping @Sendable @autoclosure () -> Int = 80,
    send: @escaping @Sendable ([UInt8]) throws(SystemError) -> Void
  ) {
    self.isTerminal = isTerminal
    self.width = width
    self.send = send
  }

  package init(_ stream: StandardStream) {
    self.init(isTerminal: stream.isTerminal, width: Terminal.width(of: stream)) { bytes throws(SystemError) in
      try stream.send(bytes)
    }
  }
}

/// The reader of standard output is gone, as with `| head`: the command ends quietly.
package struct BrokenPipe: Error {
  package init() {}
}

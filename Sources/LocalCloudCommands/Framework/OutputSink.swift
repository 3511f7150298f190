import LocalCloudPlatform

/// A destination of text: a standard stream, or a buffer in tests.
package struct OutputSink: Sendable {
  package var isTerminal: Bool
  /// The number of columns that a text for people may take. It is read only when something is printed.
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

/// Thrown when the reader of standard output has closed the pipe, as with `| head`. The command then ends quietly.
package struct BrokenPipe: Error {
  package init() {}
}

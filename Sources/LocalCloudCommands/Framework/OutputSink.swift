import Platform

/// Where text goes: a standard stream, or a buffer in tests.
package struct OutputSink {
  package var isTerminal: Bool
  /// Columns a text for people may take; read only when something is printed.
  package var width: () -> Int
  let send: ([UInt8]) throws(SystemError) -> Void

  package init(
    isTerminal: Bool = false, width: @escaping @autoclosure () -> Int = 80,
    send: @escaping ([UInt8]) throws(SystemError) -> Void
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

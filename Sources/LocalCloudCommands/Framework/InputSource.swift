import Platform

/// Where `-` reads from and questions are answered.
package struct InputSource {
  package var isTerminal: Bool
  let readAll: () throws(SystemError) -> [UInt8]
  let readLine: () -> TerminalLine

  package init(
    isTerminal: Bool = false, readAll: @escaping () throws(SystemError) -> [UInt8],
    readLine: @escaping () -> TerminalLine = { .end }
  ) {
    self.isTerminal = isTerminal
    self.readAll = readAll
    self.readLine = readLine
  }

  package init(_ stream: StandardStream) {
    self.init(
      isTerminal: stream.isTerminal, readAll: { () throws(SystemError) in try stream.readToEnd() },
      readLine: { stream.readTerminalLine() })
  }

  package static func bytes(_ bytes: [UInt8]) -> InputSource {
    InputSource(readAll: { () throws(SystemError) in bytes })
  }
}

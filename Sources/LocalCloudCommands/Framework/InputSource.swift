import Platform

/// Where `-` reads from and questions are answered.
package struct InputSource {
  package var isTerminal: Bool
  let readAll: () throws(SystemError) -> [UInt8]
  /// What there is, piece by piece; nothing at the end. Nil: all of it is one piece.
  private let readPart: (() throws(SystemError) -> [UInt8])?
  let readLine: () -> TerminalLine

  package init(
    isTerminal: Bool = false, readAll: @escaping () throws(SystemError) -> [UInt8],
    readPart: (() throws(SystemError) -> [UInt8])? = nil, readLine: @escaping () -> TerminalLine = { .end }
  ) {
    self.isTerminal = isTerminal
    self.readAll = readAll
    self.readPart = readPart
    self.readLine = readLine
  }

  /// All of it in a file, which may be more than fits into memory.
  func spooled() throws(SystemError) -> File {
    if let readPart { return try SpoolFile.holding(readPart) }
    var rest = try readAll()
    return try SpoolFile.holding {
      defer { rest = [] }
      return rest
    }
  }

  package init(_ stream: StandardStream) {
    self.init(
      isTerminal: stream.isTerminal, readAll: { () throws(SystemError) in try stream.readToEnd() },
      readPart: { () throws(SystemError) in try stream.readPart() },
      readLine: { stream.readTerminalLine() })
  }
}

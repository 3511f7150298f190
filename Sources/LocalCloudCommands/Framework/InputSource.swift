import Platform

/// The source that `-` reads from and that answers to questions come from.
package struct InputSource {
  package var isTerminal: Bool
  let readAll: () throws(SystemError) -> [UInt8]
  /// Reads the available bytes; returns an empty array at the end. If nil, ``readAll`` returns all of them as one part.
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

  /// Copies the whole input to a file, because it may not fit into memory.
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

import LocalCloudPlatform

/// The source that `-` reads from and that answers to questions come from.
package struct InputSource {
  package var isTerminal: Bool
  /// Reads the available bytes; returns an empty array at the end.
  private let readPart: () throws(SystemError) -> [UInt8]
  let readLine: () -> TerminalLine

  package init(
    isTerminal: Bool = false, readPart: @escaping () throws(SystemError) -> [UInt8],
    readLine: @escaping () -> TerminalLine = { .end }
  ) {
    self.isTerminal = isTerminal
    self.readPart = readPart
    self.readLine = readLine
  }

  package init(_ stream: StandardStream) {
    self.init(
      isTerminal: stream.isTerminal, readPart: { () throws(SystemError) in try stream.readPart() },
      readLine: { stream.readTerminalLine() })
  }

  static let name = "standard input"

  /// Reads the whole input into memory.
  func readAll(limit: ReadLimit) throws(SystemError) -> [UInt8] { try limit.collect(Self.name, readPart) }

  /// Copies the whole input to a temporary file, because it may not fit into memory.
  func spooled(limit: ReadLimit) throws(SystemError) -> File {
    try SpoolFile.holding(Self.name, limit: limit, readPart)
  }
}

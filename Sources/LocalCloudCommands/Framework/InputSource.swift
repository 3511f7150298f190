import Platform

/// Where `-` reads from and questions are answered.
package struct InputSource {
  package var isTerminal: Bool
  let readAll: () throws(SystemError) -> [UInt8]
  let readAnswer: () -> String?

  package init(
    isTerminal: Bool = false, readAll: @escaping () throws(SystemError) -> [UInt8],
    readAnswer: @escaping () -> String? = { nil }
  ) {
    self.isTerminal = isTerminal
    self.readAll = readAll
    self.readAnswer = readAnswer
  }

  package init(_ stream: StandardStream) {
    self.init(
      isTerminal: stream.isTerminal, readAll: { () throws(SystemError) in try stream.readToEnd() },
      readAnswer: { readLine() })
  }

  package static func bytes(_ bytes: [UInt8]) -> InputSource {
    InputSource(readAll: { () throws(SystemError) in bytes })
  }
}

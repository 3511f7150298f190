extension SwiftLexer {
  // MARK: Strings

  /// Reads a string literal with all that is interpolated in it. The current byte is its first number sign or quote.
  mutating func string(pounds: Int) {
    var start = offset
    offset += pounds
    let quotes = has("\"\"\"") && !(pounds > 0 && isClosedOnLine(pounds)) ? 3 : 1
    offset += quotes
    while let byte = byte() {
      if byte == UInt8(ascii: "\\"), isPounds(pounds, at: 1) {
        offset += 1 + pounds
        if self.byte() == UInt8(ascii: "(") {
          offset += 1
          append(.string, from: start)
          code(inInterpolation: true)
          start = offset
        }
        // The escaped character, or the parenthesis that closes the interpolation. A newline that is escaped in a string
        // of one line is none of the string.
        if self.byte().map(Self.isNewline) != true || quotes == 3 { offset = min(offset + 1, bytes.count) }
      } else if byte == UInt8(ascii: "\""), isEnd(quotes: quotes, pounds: pounds) {
        offset += quotes + pounds
        return append(.string, from: start)
      } else if Self.isNewline(byte), quotes == 1 {
        break
      } else {
        offset += 1
      }
    }
    // A string without an end: the compiler says so.
    if offset > start { append(.string, from: start) }
  }

  private func isPounds(_ pounds: Int, at distance: Int) -> Bool {
    (0..<pounds).allSatisfy { byte(distance + $0) == UInt8(ascii: "#") }
  }

  private func isEnd(quotes: Int, pounds: Int) -> Bool {
    (0..<quotes).allSatisfy { byte($0) == UInt8(ascii: "\"") } && isPounds(pounds, at: quotes)
  }

  /// Whether a raw string that begins with three quotes ends on its line: `#"""#` is one quote.
  private func isClosedOnLine(_ pounds: Int) -> Bool {
    var distance = 1
    while let byte = byte(distance), !Self.isNewline(byte) {
      if byte == UInt8(ascii: "\""), isPounds(pounds, at: distance + 1) { return true }
      distance += 1
    }
    return false
  }

  // MARK: Regular expressions

  /// Where the regular expression ends that the current slash opens; nil if it is an operator.
  ///
  /// As in the compiler, it stands where an operand is expected, does not begin with a space, and ends on its line.
  func endOfRegularExpression() -> Int? {
    guard isOperandExpected, let first = byte(1), ![0x20, 0x09, 0x0A, 0x0D].contains(first) else { return nil }
    var (place, depth) = (offset + 1, 0)
    while place < bytes.count, !Self.isNewline(bytes[place]) {
      switch bytes[place] {
      case UInt8(ascii: "\\"): place += 1
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        depth -= 1
        if depth < 0 { return nil }
      case UInt8(ascii: "/"): return [0x20, 0x09].contains(bytes[place - 1]) ? nil : place + 1
      default: break
      }
      place += 1
    }
    return nil
  }

  /// Where the expression between `#/` and `/#` ends; over several lines only if the first one is empty.
  func endOfExtendedRegularExpression(pounds: Int) -> Int? {
    var place = offset + pounds + 1
    let isOfSeveralLines = place < bytes.count && Self.isNewline(bytes[place])
    while place < bytes.count {
      if Self.isNewline(bytes[place]), !isOfSeveralLines { return nil }
      if bytes[place] == UInt8(ascii: "\\") {
        place += 2
        continue
      }
      if bytes[place] == UInt8(ascii: "/"), isPounds(pounds, at: place + 1 - offset) { return place + 1 + pounds }
      place += 1
    }
    return nil
  }

  private static let wordsBeforeOperands: Set<String> = [
    "return", "in", "case", "where", "if", "guard", "while", "else", "try", "await", "throw", "switch", "is", "as",
  ]

  /// Whether what comes next can't be an operator between two operands.
  private var isOperandExpected: Bool {
    guard let last else { return true }
    let text = String(decoding: bytes[last.range], as: UTF8.self)
    switch last.kind {
    case .word: return Self.wordsBeforeOperands.contains(text)
    case .punctuation: return ![")", "]", "}", "?", "!", ">", "."].contains(text)
    default: return false
    }
  }
}

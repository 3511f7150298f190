extension SwiftLexer {
  // MARK: Strings

  /// Reads a string literal up to its end or its first interpolation. The current byte is its first number sign or
  /// quote.
  mutating func string(pounds: Int) {
    let start = offset
    offset += pounds
    let quotes = has("\"\"\"") && !(pounds > 0 && isClosedOnLine(pounds)) ? 3 : 1
    offset += quotes
    rest(of: OpenString(quotes: quotes, pounds: pounds), from: start)
  }

  /// Reads a string literal on, up to its end or its next interpolation. `start`: the offset of the token's beginning.
  mutating func rest(of string: OpenString, from start: Int) {
    let (quotes, pounds) = (string.quotes, string.pounds)
    while let byte = byte() {
      if byte == UInt8(ascii: "\\"), isPounds(pounds, at: 1) {
        offset += 1 + pounds
        if self.byte() == UInt8(ascii: "(") {
          offset += 1
          strings.append(OpenString(quotes: quotes, pounds: pounds))
          return append(.string, from: start)
        }
        // The escaped character. An escaped newline in a one-line string is not part of the string.
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
    // The string has no end; the compiler reports it.
    append(.string, from: start)
  }

  private func isPounds(_ pounds: Int, at distance: Int) -> Bool {
    (0..<pounds).allSatisfy { byte(at: offset + distance + $0) == UInt8(ascii: "#") }
  }

  private func isEnd(quotes: Int, pounds: Int) -> Bool {
    (0..<quotes).allSatisfy { byte($0) == UInt8(ascii: "\"") } && isPounds(pounds, at: quotes)
  }

  /// Whether a raw string that begins with three quotes ends on its line: `#"""#` is one quote.
  private mutating func isClosedOnLine(_ pounds: Int) -> Bool {
    var position = offset + 1
    if let known = closingQuotes[pounds], known >= position {
      position = known
    } else {
      while let byte = byte(at: position), !Self.isNewline(byte),
        byte != UInt8(ascii: "\"") || !isPounds(pounds, at: position + 1 - offset)
      {
        position += 1
      }
      closingQuotes[pounds] = position
    }
    return byte(at: position) == UInt8(ascii: "\"")
  }

  // MARK: Regular expressions

  /// The end of the regular expression that the current slash opens; nil if the slash is an operator.
  ///
  /// As in the compiler, a regular expression must be at the position of an operand, not begin with a space, and end on
  /// its line.
  mutating func endOfRegularExpression() -> Int? {
    guard offset >= searchedForSlash, isOperandExpected, let first = byte(1),
      ![0x20, 0x09, 0x0A, 0x0D].contains(first)
    else { return nil }
    var (position, depth) = (offset + 1, 0)
    search: while let byte = byte(at: position), !Self.isNewline(byte) {
      switch byte {
      case UInt8(ascii: "\\"): position += 1
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        depth -= 1
        if depth < 0 { break search }
      case UInt8(ascii: "/"):
        if [0x20, 0x09].contains(bytes[position - 1]) { break search }
        return position + 1
      default: break
      }
      position += 1
    }
    // The slashes up to here are escaped. A search from one of them would end here, too.
    searchedForSlash = min(position, bytes.count)
    return nil
  }

  /// The end of the expression between `#/` and `/#`; it has several lines only if the first one is blank. An
  /// expression without an end goes up to the last possible position; the compiler reports it.
  func endOfExtendedRegularExpression(pounds: Int) -> Int {
    var position = offset + pounds + 1
    while byte(at: position) == 0x20 || byte(at: position) == 0x09 { position += 1 }
    let isOfSeveralLines = byte(at: position).map(Self.isNewline) == true
    while let byte = byte(at: position) {
      if Self.isNewline(byte), !isOfSeveralLines { return position }
      if byte == UInt8(ascii: "/"), isPounds(pounds, at: position + 1 - offset) { return position + 1 + pounds }
      position += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    return bytes.count
  }

  private static let wordsBeforeOperands: Set<String> = [
    "return", "in", "case", "where", "if", "guard", "while", "else", "try", "await", "throw", "switch", "is", "as",
  ]

  /// Whether the next token can't be an operator between two operands.
  private var isOperandExpected: Bool {
    guard let last, last.kind == .word || last.kind == .punctuation else { return last == nil }
    let text = String(decoding: bytes[last.range], as: UTF8.self)
    switch last.kind {
    case .word: return Self.wordsBeforeOperands.contains(text)
    case .punctuation: return ![")", "]", "}", "?", "!", ">", "."].contains(text)
    default: return false
    }
  }
}

/// Splits Swift source into tokens. It supports nested comments, and strings that are raw, multi-line or interpolated.
/// It does not support regular expressions between slashes: they become operators and words.
package struct SwiftLexer {
  private let bytes: [UInt8]
  private var place = 0
  private var line = 1

  private init(_ source: [UInt8]) { bytes = source }

  package static func tokens(of source: [UInt8]) -> [SwiftToken] {
    var lexer = SwiftLexer(source)
    var result: [SwiftToken] = []
    while let token = lexer.next() { result.append(token) }
    return result
  }

  private mutating func next() -> SwiftToken? {
    let gap = place
    skipSpace()
    guard place < bytes.count else { return nil }
    let (start, startLine) = (place, line)
    let kind = take()
    let range = start..<place
    return SwiftToken(
      kind: kind, text: String(decoding: bytes[range], as: UTF8.self), range: range, line: startLine,
      hasSpaceBefore: start > gap || start == 0, hasSpaceAfter: place == bytes.count || isSpace(at: place))
  }

  // MARK: What is no token

  private mutating func skipSpace() {
    while place < bytes.count {
      if starts(with: "//") {
        while place < bytes.count, bytes[place] != UInt8(ascii: "\n") { place += 1 }
      } else if starts(with: "/*") {
        skipComment()
      } else if Self.spaces.contains(bytes[place]) {
        advance()
      } else {
        return
      }
    }
  }

  private mutating func skipComment() {
    var depth = 0
    repeat {
      if starts(with: "/*") {
        depth += 1
        place += 2
      } else if starts(with: "*/") {
        depth -= 1
        place += 2
      } else {
        advance()
      }
    } while depth > 0 && place < bytes.count
  }

  private func isSpace(at place: Int) -> Bool {
    Self.spaces.contains(bytes[place]) || starts(with: "//", at: place) || starts(with: "/*", at: place)
  }

  // MARK: Tokens

  private mutating func take() -> SwiftToken.Kind {
    let byte = bytes[place]
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "#"), takeString() { return .string }
    if byte == UInt8(ascii: "#") {
      place += 1
      takeWord()
      return .directive
    }
    if Self.digits.contains(byte) {
      takeNumber()
      return .number
    }
    if byte == UInt8(ascii: "`") {
      place += 1
      while place < bytes.count, bytes[place] != UInt8(ascii: "`"), bytes[place] != UInt8(ascii: "\n") { place += 1 }
      place = min(place + 1, bytes.count)
      return .word
    }
    if isWord(byte) {
      takeWord()
      return .word
    }
    guard Self.operators.contains(byte) else {
      advance()
      return .punctuation
    }
    while place < bytes.count, Self.operators.contains(bytes[place]), !starts(with: "//"), !starts(with: "/*") {
      place += 1
    }
    return .operator
  }

  private mutating func takeWord() {
    while place < bytes.count, isWord(bytes[place]) || Self.digits.contains(bytes[place]) { place += 1 }
  }

  private mutating func takeNumber() {
    while place < bytes.count {
      let isFraction =
        bytes[place] == UInt8(ascii: ".") && place + 1 < bytes.count && Self.digits.contains(bytes[place + 1])
      guard isFraction || isWord(bytes[place]) || Self.digits.contains(bytes[place]) else { return }
      place += 1
    }
  }

  /// Takes a string. Returns false and takes nothing if no string begins here.
  private mutating func takeString() -> Bool {
    var open = place
    while open < bytes.count, bytes[open] == UInt8(ascii: "#") { open += 1 }
    let hashes = String(repeating: "#", count: open - place)
    guard starts(with: "\"", at: open) else { return false }
    let quote = starts(with: "\"\"\"", at: open) ? "\"\"\"" : "\""
    place = open + quote.utf8.count
    while place < bytes.count {
      if starts(with: quote + hashes) {
        place += quote.utf8.count + hashes.utf8.count
        return true
      }
      guard starts(with: "\\" + hashes) else {
        advance()
        continue
      }
      place += 1 + hashes.utf8.count
      if starts(with: "(") { takeInterpolation() } else if place < bytes.count { advance() }
    }
    return true
  }

  private mutating func takeInterpolation() {
    var depth = 0
    repeat {
      skipSpace()
      guard place < bytes.count else { return }
      let start = place
      if take() == .punctuation {
        if bytes[start] == UInt8(ascii: "(") { depth += 1 }
        if bytes[start] == UInt8(ascii: ")") { depth -= 1 }
      }
    } while depth > 0
  }

  // MARK: Bytes

  private mutating func advance() {
    if bytes[place] == UInt8(ascii: "\n") { line += 1 }
    place += 1
  }

  private func starts(with text: String, at start: Int? = nil) -> Bool {
    bytes[min(start ?? place, bytes.count)...].starts(with: text.utf8)
  }

  private func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...: true
    default: false
    }
  }

  private static let spaces: Set<UInt8> = Set(" \t\r\n".utf8)
  private static let digits: Set<UInt8> = Set("0123456789".utf8)
  private static let operators: Set<UInt8> = Set("/=-+!*%<>&|^~?.".utf8)
}

/// A token of Swift source. White space and comments are not tokens.
package struct SwiftToken: Sendable, Equatable {
  package enum Kind: Sendable {
    /// A word or keyword, with its backticks.
    case word
    /// A string with its interpolations.
    case string
    case number
    /// `#if`, `#expect`: the sign and the word.
    case directive
    /// The longest run of operator characters.
    case `operator`
    /// One bracket, comma, colon, semicolon, at sign or backslash.
    case punctuation
  }

  package var kind: Kind
  package var text: String
  /// The byte range in the source.
  package var range: Range<Int>
  /// The line number, from 1.
  package var line: Int
  /// Whether white space, a comment, or the beginning or end of the source is on that side.
  package var hasSpaceBefore: Bool
  package var hasSpaceAfter: Bool
}

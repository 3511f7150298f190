/// Splits a Swift source into tokens.
///
/// It never fails: invalid code becomes tokens of some kind, and the compiler reports the error. Nested interpolations
/// are handled with a list instead of recursion, so any depth is possible. The time grows linearly with the length of
/// the source.
package struct SwiftLexer {
  let bytes: [UInt8]
  var offset = 0
  var tokens: [SwiftToken] = []
  /// The last token that is code. It determines whether a slash divides or opens a regular expression.
  var last: SwiftToken?
  /// The strings around the current interpolation, outermost first.
  var strings: [OpenString] = []
  /// No slash before this offset begins a regular expression.
  var searchedForSlash = 0
  /// For a number of number signs, the offset of the next quote with that many signs after it, or of the newline before
  /// it.
  var closingQuotes: [Int: Int] = [:]
  /// The offset after the number signs that were counted last.
  private var poundsEnd = 0
  let counter: StepCounter

  /// A string literal that was read up to an interpolation.
  struct OpenString {
    var quotes: Int
    var pounds: Int
    /// The number of parentheses that are open in the interpolation.
    var parentheses = 0
  }

  private init(_ bytes: [UInt8], _ counter: StepCounter) {
    self.bytes = bytes
    self.counter = counter
  }

  package static func tokens(of bytes: [UInt8], counter: StepCounter = StepCounter()) -> [SwiftToken] {
    var lexer = SwiftLexer(bytes, counter)
    lexer.shebang()
    while let byte = lexer.byte() { lexer.read(byte) }
    return lexer.tokens
  }

  // MARK: Bytes

  func byte(_ distance: Int = 0) -> UInt8? { offset + distance < bytes.count ? bytes[offset + distance] : nil }

  /// A byte that a search reads before the offset moves there. These reads are counted.
  func byte(at position: Int) -> UInt8? {
    counter.steps += 1
    return position < bytes.count ? bytes[position] : nil
  }

  func has(_ text: StaticString, at distance: Int = 0) -> Bool {
    let start = offset + distance
    guard start >= 0, start + text.utf8CodeUnitCount <= bytes.count else { return false }
    return text.withUTF8Buffer { buffer in buffer.elementsEqual(bytes[start..<start + buffer.count]) }
  }

  mutating func append(_ kind: SwiftToken.Kind, from start: Int) {
    let token = SwiftToken(kind, start..<offset)
    tokens.append(token)
    if token.isCode { last = token }
  }

  mutating func skip(while condition: (UInt8) -> Bool) {
    while let byte = byte(), condition(byte) { offset += 1 }
  }

  static func isNewline(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0B || byte == 0x0C || byte == 0x00
  }

  /// Letters, digits, `_`, `$`, and all that is not ASCII.
  static func isWordPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: "$"), 0x80...:
      true
    default: isDigit(byte)
    }
  }

  static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  // MARK: Tokens

  private mutating func shebang() {
    guard has("#!") else { return }
    skip { !Self.isNewline($0) }
    append(.comment, from: 0)
  }

  /// Reads one token, or the rest of a string if the current byte closes the interpolation in it.
  private mutating func read(_ byte: UInt8) {
    if let last = strings.indices.last {
      if byte == UInt8(ascii: ")"), strings[last].parentheses == 0 {
        let start = offset
        offset += 1
        return rest(of: strings.removeLast(), from: start)
      }
      strings[last].parentheses += byte == UInt8(ascii: "(") ? 1 : byte == UInt8(ascii: ")") ? -1 : 0
    }
    token(byte)
  }

  private mutating func token(_ byte: UInt8) {
    let start = offset
    switch byte {
    case 0x0A, 0x0D:
      offset += has("\r\n") ? 2 : 1
      append(.newline, from: start)
    case _ where Self.isSpace(byte):
      skip(while: Self.isSpace)
      append(.whitespace, from: start)
    case UInt8(ascii: "/"): slash()
    case UInt8(ascii: "\""): string(pounds: 0)
    case UInt8(ascii: "#"): pound()
    case UInt8(ascii: "`"): escapedWord()
    case UInt8(ascii: "-") where has("->"):
      offset += 2
      append(.punctuation, from: start)
    case _ where has("\u{FEFF}"):
      offset += 3
      append(.whitespace, from: start)
    case _ where Self.isDigit(byte): number()
    case _ where Self.isWordPart(byte):
      skip(while: Self.isWordPart)
      append(.word, from: start)
    default:
      offset += 1
      append(.punctuation, from: start)
    }
  }

  private mutating func slash() {
    let start = offset
    if has("//") {
      skip { !Self.isNewline($0) }
      append(.comment, from: start)
    } else if has("/*") {
      var depth = 0
      repeat {
        if has("/*") {
          depth += 1
          offset += 2
        } else if has("*/") {
          depth -= 1
          offset += 2
        } else {
          offset += 1
        }
      } while depth > 0 && offset < bytes.count
      append(.comment, from: start)
    } else if let end = endOfRegularExpression() {
      offset = end
      append(.regularExpression, from: start)
    } else {
      offset += 1
      append(.punctuation, from: start)
    }
  }

  private mutating func pound() {
    let start = offset
    while poundsEnd <= offset || byte(at: poundsEnd) == UInt8(ascii: "#") { poundsEnd = max(poundsEnd, offset) + 1 }
    let pounds = poundsEnd - offset
    if byte(pounds) == UInt8(ascii: "\"") { return string(pounds: pounds) }
    if byte(pounds) == UInt8(ascii: "/") {
      offset = endOfExtendedRegularExpression(pounds: pounds)
      return append(.regularExpression, from: start)
    }
    offset += 1
    guard let byte = byte(), Self.isWordPart(byte), !Self.isDigit(byte) else {
      return append(.punctuation, from: start)
    }
    skip(while: Self.isWordPart)
    append(.pound, from: start)
  }

  /// A name in backticks may hold spaces; it ends on its line.
  private mutating func escapedWord() {
    let start = offset
    offset += 1
    skip { $0 != UInt8(ascii: "`") && !Self.isNewline($0) }
    guard byte() == UInt8(ascii: "`") else {
      offset = start + 1
      return append(.punctuation, from: start)
    }
    offset += 1
    append(.escapedWord, from: start)
  }

  private mutating func number() {
    let start = offset
    let isHexadecimal = has("0x")
    while let byte = byte() {
      let next = self.byte(1)
      if Self.isWordPart(byte), byte < 0x80 {
        offset += 1
        let isExponent = (byte | 0x20) == (isHexadecimal ? UInt8(ascii: "p") : UInt8(ascii: "e"))
        if isExponent, next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
      } else if byte == UInt8(ascii: "."), let next, Self.isDigit(next), last.map(isDot) != true {
        offset += 1
      } else {
        break
      }
    }
    append(.number, from: start)
  }

  /// After a dot a number is a tuple's element: `pair.0.1`.
  private func isDot(_ token: SwiftToken) -> Bool { bytes[token.range] == [UInt8(ascii: ".")] }
}

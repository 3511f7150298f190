import LocalCloudModel

/// Splits a schema text into tokens, without white space and comments ([schema-text-1]). Linear in the text.
struct SchemaLexer {
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var column = 1

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func next() throws(SchemaTextError) -> SchemaToken {
    try skipSpace()
    let (line, column) = (line, column)
    guard let byte = peek() else { return SchemaToken(kind: .end, text: "", line: line, column: column) }
    func token(_ kind: SchemaToken.Kind, _ text: [UInt8]) -> SchemaToken {
      SchemaToken(kind: kind, text: String(decoding: text, as: UTF8.self), line: line, column: column)
    }
    if byte == UInt8(ascii: "\"") {
      advance()
      let start = position
      while let byte = peek(), byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\n") { advance() }
      guard peek() == UInt8(ascii: "\"") else {
        throw SchemaTextError(line: line, column: column, "The quoted name that begins here has no end.")
      }
      defer { advance() }
      return token(.quoted, Array(bytes[start..<position]))
    }
    if "(),;<>".utf8.contains(byte) {
      advance()
      return token(.sign, [byte])
    }
    let start = position
    while let byte = peek(), Self.isWordByte(byte) { advance() }
    if position > start { return token(.word, Array(bytes[start..<position])) }
    // A character of several bytes becomes one token.
    advance()
    while let byte = peek(), byte & 0xC0 == 0x80 { advance() }
    return token(.stray, Array(bytes[start..<position]))
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    NameRules.isLetterOrDigit(byte) || byte == UInt8(ascii: "_")
  }

  private func peek(_ offset: Int = 0) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  private mutating func advance() {
    if bytes[position] == UInt8(ascii: "\n") {
      (line, column) = (line + 1, 1)
    } else if bytes[position] & 0xC0 != 0x80 {
      column += 1
    }
    position += 1
  }

  private mutating func skipSpace() throws(SchemaTextError) {
    while let byte = peek() {
      if [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n")].contains(byte) {
        advance()
      } else if startsComment("//") || startsComment("--") {
        while let byte = peek(), byte != UInt8(ascii: "\n") { advance() }
      } else if startsComment("/*") {
        let (line, column) = (line, column)
        advance()
        advance()
        while peek() != nil, !startsComment("*/") { advance() }
        guard peek() != nil else {
          throw SchemaTextError(line: line, column: column, "The comment that begins here has no end.")
        }
        advance()
        advance()
      } else {
        return
      }
    }
  }

  private func startsComment(_ sign: StaticString) -> Bool {
    peek() == sign.utf8Start[0] && peek(1) == sign.utf8Start[1]
  }
}

/// A token of a schema text, with its position.
struct SchemaToken: Equatable {
  enum Kind: Equatable {
    /// Bare; may be a keyword.
    case word
    case quoted
    /// `(`, `)`, `,`, `;`, `<` or `>`.
    case sign
    case end
    /// A character that no token begins with.
    case stray
  }

  var kind: Kind
  /// Without quotes.
  var text: String
  /// From 1, as the service counts.
  var line: Int
  var column: Int

  func isKeyword(_ keyword: String) -> Bool { kind == .word && text.uppercased() == keyword }
}

/// Splits a format into tokens. It reads each byte a constant number of times.
struct FormatLexer {
  let bytes: [UInt8]
  var offset = 0

  init(_ format: String) { bytes = Array(format.utf8) }

  mutating func next() throws(PredicateFormatError) -> FormatToken {
    skipSpace()
    let start = offset
    let kind = try kind()
    return FormatToken(kind: kind, range: start..<offset)
  }

  func failure(_ message: String, at offset: Int) -> PredicateFormatError {
    PredicateFormatError(message, at: offset, in: bytes)
  }

  // MARK: Bytes

  func byte(_ distance: Int = 0) -> UInt8? { offset + distance < bytes.count ? bytes[offset + distance] : nil }

  func byte(_ distance: Int = 0, is character: Unicode.Scalar) -> Bool {
    byte(distance) == UInt8(ascii: character)
  }

  /// The scalar at the current offset. The bytes are the UTF-8 of a `String`, so they are valid.
  func scalar() -> Unicode.Scalar? {
    guard let first = byte() else { return nil }
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    return String(decoding: bytes[offset..<min(offset + length, bytes.count)], as: UTF8.self).unicodeScalars.first
  }

  private mutating func skipSpace() {
    while let scalar = scalar(), scalar.properties.isWhitespace { offset += UTF8.width(scalar) }
  }

  // MARK: Tokens

  private mutating func kind() throws(PredicateFormatError) -> FormatToken.Kind {
    guard let byte = byte() else { return .end }
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "%"): return .argument(try specifier())
    case UInt8(ascii: "$"):
      offset += 1
      return .variable(try name("a variable's name after $"))
    case UInt8(ascii: "@"):
      offset += 1
      return .collectionOperator("@" + (try name("the name of a collection operator after @")))
    case UInt8(ascii: "#"):
      offset += 1
      return .word(try name("a key after #"), isEscaped: true)
    default:
      if let sign = sign() { return .sign(sign) }
      return try word()
    }
  }

  /// Reads the longest sign at the current offset.
  private mutating func sign() -> FormatToken.Sign? {
    guard let first = byte() else { return nil }
    if let second = byte(1), let sign = Self.signs[UInt16(first) << 8 | UInt16(second)] {
      offset += 2
      return sign
    }
    guard let sign = Self.signs[UInt16(first)] else { return nil }
    offset += 1
    return sign
  }

  private static let signs = Dictionary(
    uniqueKeysWithValues: FormatToken.Sign.allCases.map { ($0.rawValue.utf8.reduce(0) { $0 << 8 | UInt16($1) }, $0) })

  private mutating func word() throws(PredicateFormatError) -> FormatToken.Kind {
    let start = offset
    var text = try name(nil)
    if byte(is: "-"), ASCIIWord.uppercased(text) == "UTI" {
      for rest in ["-CONFORMS-TO", "-EQUALS"] where offset + rest.utf8.count <= bytes.count {
        let end = offset + rest.utf8.count
        let found = String(decoding: bytes[offset..<end], as: UTF8.self)
        guard ASCIIWord.uppercased(found) == rest else { continue }
        offset = end
        return .word(text + found, isEscaped: false)
      }
    }
    guard byte(is: ":"), !byte(1, is: "=") else {
      // A word with an escape is always a key, never a keyword.
      let isEscaped = bytes[start..<offset].contains(UInt8(ascii: "\\"))
      return .word(text, isEscaped: isEscaped)
    }
    while byte(is: ":") {
      offset += 1
      text += ":"
      if !byte(is: "("), let scalar = scalar(), ASCIIWord.isNameStart(scalar) {
        text += try name(nil)
        guard byte(is: ":") else { throw failure("expected ':' after this part of a function's name", at: offset) }
      }
    }
    return .selector(text)
  }

  /// Reads a name and resolves its escapes.
  private mutating func name(_ expected: String?) throws(PredicateFormatError) -> String {
    var scalars = String.UnicodeScalarView()
    while let scalar = scalar() {
      if scalar == "\\" {
        let escapeStart = offset
        guard let escape = byte(1), [UInt8(ascii: "u"), UInt8(ascii: "x")].contains(escape) || (0x30...0x37) ~= escape
        else { throw failure("expected \\ooo, \\xHH or \\uHHHH", at: escapeStart) }
        scalars.append(try self.escape())
      } else if scalars.isEmpty ? ASCIIWord.isNameStart(scalar) : ASCIIWord.isNamePart(scalar) {
        scalars.append(scalar)
        offset += UTF8.width(scalar)
      } else {
        break
      }
    }
    guard scalars.isEmpty else { return String(scalars) }
    if let expected { throw failure("expected \(expected)", at: offset) }
    throw failure("\(Self.quoted(scalar())) means nothing here", at: offset)
  }

  private static func quoted(_ scalar: Unicode.Scalar?) -> String {
    PredicatePrinter.quoted(scalar.map { String($0) } ?? "")
  }

  private mutating func specifier() throws(PredicateFormatError) -> FormatToken.Specifier {
    let start = offset
    offset += 1
    if byte(is: "@") {
      offset += 1
      return .object
    }
    if byte(is: "K") {
      offset += 1
      return .keyPath
    }
    let lengths = Array("hlqLztj".utf8)
    var count = 0
    while let next = byte(), lengths.contains(next), count < 2 {
      offset += 1
      count += 1
    }
    if let conversion = byte() {
      offset += 1
      switch Unicode.Scalar(conversion) {
      case "u", "U":
        // `%lud`, as found in programs: Apple's parser accepts both letters.
        if byte(is: "d") || byte(is: "i") { offset += 1 }
        return .integer
      case "d", "i", "D", "o", "O", "x", "X": return .integer
      case "f", "F", "e", "E", "g", "G", "a", "A": return .number
      case "c", "C", "s", "S": return .text
      case "%": throw failure("%% stands for a percent sign only inside quotes", at: start)
      default: break
      }
    }
    throw failure("expected %@, %K, %d, %f or another conversion", at: start)
  }
}

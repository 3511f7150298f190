extension FormatLexer {
  // MARK: Strings

  mutating func string() throws(PredicateFormatError) -> String {
    let start = offset
    let quote = bytes[offset]
    offset += 1
    var text: [UInt8] = []
    while let byte = byte() {
      if byte == quote {
        offset += 1
        return String(decoding: text, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\") {
        text += Array(String(Character(try escape())).utf8)
      } else {
        text.append(byte)
        offset += 1
      }
    }
    throw failure("this string has no end", at: start)
  }

  /// Reads an escape sequence. The current byte is the backslash.
  mutating func escape() throws(PredicateFormatError) -> Unicode.Scalar {
    let start = offset
    offset += 1
    guard let scalar = scalar() else { throw failure("expected a character after the backslash", at: offset) }
    switch scalar {
    case "0"..."7":
      var value: UInt32 = 0
      var digits = 0
      while let digit = byte(), (0x30...0x37).contains(digit), digits < 3 {
        value = value * 8 + UInt32(digit - 0x30)
        offset += 1
        digits += 1
      }
      return Unicode.Scalar(value) ?? "\0"
    case "x":
      offset += 1
      return Unicode.Scalar(try hexadecimal(2, start)) ?? "\0"
    case "u":
      offset += 1
      let value = try hexadecimal(4, start)
      if let scalar = Unicode.Scalar(value) { return scalar }
      guard value < 0xDC00, byte(is: "\\"), byte(1, is: "u") else { throw failure("half a surrogate pair", at: start) }
      offset += 2
      let low = try hexadecimal(4, start)
      guard (0xDC00..<0xE000).contains(low),
        let pair = Unicode.Scalar(0x10000 + (value - 0xD800) << 10 + (low - 0xDC00))
      else { throw failure("half a surrogate pair", at: start) }
      return pair
    default:
      offset += UTF8.width(scalar)
      return Self.escapes[scalar] ?? scalar
    }
  }

  private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
    "n": "\n", "t": "\t", "r": "\r", "a": "\u{7}", "b": "\u{8}", "f": "\u{C}", "v": "\u{B}",
  ]

  private mutating func hexadecimal(_ digits: Int, _ start: Int) throws(PredicateFormatError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let digit = byte().flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
        throw failure("expected \(digits) hexadecimal digits", at: start)
      }
      value = value * 16 + UInt32(digit)
      offset += 1
    }
    return value
  }

  // MARK: Numbers

  /// Reads a decimal, hexadecimal, octal or binary number. A number with a fraction or an exponent is a double.
  mutating func number() throws(PredicateFormatError) -> FormatToken.Kind {
    let start = offset
    let radixes: [UInt8: Int] = [UInt8(ascii: "x"): 16, UInt8(ascii: "o"): 8, UInt8(ascii: "b"): 2]
    if byte(is: "0"), let letter = byte(1), let radix = radixes[letter | 0x20] {
      offset += 2
      let digits = skipDigits { Character(Unicode.Scalar($0)).hexDigitValue != nil }
      guard let value = UInt64(String(decoding: bytes[digits], as: UTF8.self), radix: radix) else {
        throw failure("expected the digits of a number of at most 64 bits after 0\(Unicode.Scalar(letter))", at: start)
      }
      try noNameFollows()
      return .integer(value)
    }
    _ = skipDigits(Self.isDigit)
    if isFraction || isExponent { return .double(try fraction(from: start)) }
    try noNameFollows()
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    if let value = UInt64(text) { return .integer(value) }
    return .double(try double(from: start))
  }

  /// Reads from the point or the exponent to the end of the number that begins at `start`.
  mutating func fraction(from start: Int) throws(PredicateFormatError) -> Double {
    if isFraction {
      offset += 1
      _ = skipDigits(Self.isDigit)
    }
    if isExponent {
      offset += byte(1).map(Self.isDigit) == true ? 1 : 2
      _ = skipDigits(Self.isDigit)
    }
    try noNameFollows()
    return try double(from: start)
  }

  private func double(from start: Int) throws(PredicateFormatError) -> Double {
    guard let value = Double(String(decoding: bytes[start..<offset], as: UTF8.self)), value.isFinite else {
      throw failure("this number is too large", at: start)
    }
    return value
  }

  /// Whether a point follows, with a digit after it.
  var isFraction: Bool { byte(is: ".") && byte(1).map(Self.isDigit) == true }

  private var isExponent: Bool {
    guard byte(is: "e") || byte(is: "E") else { return false }
    if byte(1).map(Self.isDigit) == true { return true }
    return (byte(1, is: "+") || byte(1, is: "-")) && byte(2).map(Self.isDigit) == true
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private mutating func skipDigits(_ isDigit: (UInt8) -> Bool) -> Range<Int> {
    let start = offset
    while let byte = byte(), isDigit(byte) { offset += 1 }
    return start..<offset
  }

  private func noNameFollows() throws(PredicateFormatError) {
    guard let scalar = scalar(), scalar == "." || ASCIIWord.isNamePart(scalar) else { return }
    throw failure("this is no digit of a number", at: offset)
  }
}

/// A strict parser for RFC 8259. Its input may be hostile.
struct JSONParser {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let maximumDepth: Int
  private var position = 0
  /// The buffer for assembling a string with escapes.
  private var unescaped: [UInt8] = []

  /// The limit of nesting, even if the caller allows more: no input may exhaust the stack.
  private static let deepest = 512

  private init(_ bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int) {
    self.bytes = bytes
    self.maximumDepth = min(maximumDepth, Self.deepest)
  }

  static func parse(_ bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int) throws(JSONError) -> JSONValue {
    var parser = JSONParser(bytes, maximumDepth: maximumDepth)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw parser.error("a byte order mark does not belong here") }
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.position == bytes.count else { throw parser.error("expected nothing after the value") }
    return value
  }

  /// The byte to read next. At the end it is 0, and no token begins with 0.
  private var current: UInt8 {
    @inline(__always) get { position < bytes.count ? bytes[position] : 0 }
  }

  private func error(_ message: String, at offset: Int? = nil) -> JSONError {
    let message = offset == nil && position >= bytes.count ? message + ", found the end" : message
    return JSONError(message, at: offset ?? position, in: bytes)
  }

  @inline(__always)
  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position &+= 1
      default: return
      }
    }
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    skipSpace()
    switch current {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
    case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: throw error("expected a value")
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
    let end = position + word.utf8CodeUnitCount
    guard end <= bytes.count,
      bytes[position..<end].elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    else { throw error("expected a value", at: position) }
    position = end
    return value
  }

  private mutating func array(depth: Int) throws(JSONError) -> [JSONValue] {
    guard depth <= maximumDepth else { throw error("nested more than \(maximumDepth) deep") }
    position += 1
    skipSpace()
    var result: [JSONValue] = []
    if current == UInt8(ascii: "]") {
      position += 1
      return result
    }
    while true {
      result.append(try value(depth: depth))
      skipSpace()
      switch current {
      case UInt8(ascii: ","): position += 1
      case UInt8(ascii: "]"):
        position += 1
        return result
      default: throw error("expected ‘,’ or ‘]’")
      }
    }
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONObject {
    guard depth <= maximumDepth else { throw error("nested more than \(maximumDepth) deep") }
    let start = position
    position += 1
    skipSpace()
    if current == UInt8(ascii: "}") {
      position += 1
      return JSONObject()
    }
    var members: [JSONObject.Member] = []
    var isOrdered = true
    while true {
      let keyStart = position
      guard current == UInt8(ascii: "\"") else { throw error("expected a key in quotation marks") }
      let key = try string()
      if isOrdered, let last = members.last {
        let order = last.key.exactOrder(to: key)
        if order == 0 { throw duplicate(key, at: keyStart) }
        isOrdered = order < 0
      }
      skipSpace()
      guard current == UInt8(ascii: ":") else { throw error("expected ‘:’") }
      position += 1
      members.append(JSONObject.Member(key: key, value: try value(depth: depth)))
      skipSpace()
      if current == UInt8(ascii: "}") { break }
      guard current == UInt8(ascii: ",") else { throw error("expected ‘,’ or ‘}’") }
      position += 1
      skipSpace()
    }
    position += 1
    if isOrdered { return JSONObject(ordered: members) }
    // The members are sorted once at the end: inserting each at its index would take quadratic time for a hostile
    // order.
    let (object, twice) = JSONObject.sorting(members)
    if let twice { throw duplicate(twice, at: start) }
    return object
  }

  private func duplicate(_ key: String, at offset: Int) -> JSONError {
    let isPrintable = key.utf8.count <= 64 && key.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    return error(isPrintable ? "the key ‘\(key)’ occurs twice" : "a key occurs twice", at: offset)
  }
}

// MARK: - Strings

extension JSONParser {
  /// Reads a string from the opening quotation mark past the closing one.
  private mutating func string() throws(JSONError) -> String {
    let start = position + 1
    var end = start
    var seen: UInt8 = 0
    while end < bytes.count {
      let byte = bytes[end]
      if byte == UInt8(ascii: "\"") {
        let text = UnsafeBufferPointer(rebasing: bytes[start..<end])
        position = end + 1
        // Decoding is faster than validating, and ASCII needs no validation.
        if seen < 0x80 { return String(decoding: text, as: UTF8.self) }
        guard let result = String(validating: text, as: UTF8.self) else {
          throw error("a string is not UTF-8", at: start - 1)
        }
        return result
      }
      if byte == UInt8(ascii: "\\") { return try escapedString(from: start, firstEscape: end) }
      if byte < 0x20 { throw error("a control character in a string must be escaped", at: end) }
      seen |= byte
      end &+= 1
    }
    throw error("a string is not closed", at: start - 1)
  }

  private mutating func escapedString(from start: Int, firstEscape: Int) throws(JSONError) -> String {
    unescaped.removeAll(keepingCapacity: true)
    var runStart = start
    position = firstEscape
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        unescaped.append(contentsOf: bytes[runStart..<position])
        guard let result = String(validating: unescaped, as: UTF8.self) else {
          throw error("a string is not UTF-8", at: start - 1)
        }
        position += 1
        return result
      }
      if byte == UInt8(ascii: "\\") {
        unescaped.append(contentsOf: bytes[runStart..<position])
        try escape()
        runStart = position
      } else if byte < 0x20 {
        throw error("a control character in a string must be escaped")
      } else {
        position += 1
      }
    }
    throw error("a string is not closed", at: start - 1)
  }

  private mutating func escape() throws(JSONError) {
    let start = position
    position += 2
    switch start + 1 < bytes.count ? bytes[start + 1] : 0 {
    case UInt8(ascii: "\""): unescaped.append(UInt8(ascii: "\""))
    case UInt8(ascii: "\\"): unescaped.append(UInt8(ascii: "\\"))
    case UInt8(ascii: "/"): unescaped.append(UInt8(ascii: "/"))
    case UInt8(ascii: "b"): unescaped.append(0x08)
    case UInt8(ascii: "f"): unescaped.append(0x0C)
    case UInt8(ascii: "n"): unescaped.append(0x0A)
    case UInt8(ascii: "r"): unescaped.append(0x0D)
    case UInt8(ascii: "t"): unescaped.append(0x09)
    case UInt8(ascii: "u"):
      var code = try hexadecimal(start)
      if code >> 10 == 0xD800 >> 10, current == UInt8(ascii: "\\"), position + 1 < bytes.count,
        bytes[position + 1] == UInt8(ascii: "u")
      {
        position += 2
        let low = try hexadecimal(position - 2)
        guard low >> 10 == 0xDC00 >> 10 else { throw error("half a surrogate pair", at: start) }
        code = 0x10000 + (code & 0x3FF) << 10 + (low & 0x3FF)
      }
      guard let scalar = Unicode.Scalar(code) else { throw error("half a surrogate pair", at: start) }
      unescaped.append(contentsOf: UTF8.encode(scalar)!)
    default: throw error("no such escape", at: start)
    }
  }

  /// Reads the four hexadecimal digits at the position.
  private mutating func hexadecimal(_ start: Int) throws(JSONError) -> UInt32 {
    var result: UInt32 = 0
    for _ in 0..<4 {
      let digit: UInt8
      switch current {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = current - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = current - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = current - UInt8(ascii: "A") + 10
      default: throw error("expected four hexadecimal digits after ‘\\u’", at: start)
      }
      result = result << 4 | UInt32(digit)
      position += 1
    }
    return result
  }
}

// MARK: - Numbers

extension JSONParser {
  private mutating func number() throws(JSONError) -> JSONValue {
    let start = position
    let isNegative = current == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let firstDigit = position
    // The number is stored as a negative one, since Int64's range reaches further that way.
    var integer: Int64 = 0
    var fits = true
    while isDigit(current) {
      let (product, tooLarge) = integer.multipliedReportingOverflow(by: 10)
      let (sum, tooLargeNow) = product.subtractingReportingOverflow(Int64(current - UInt8(ascii: "0")))
      if tooLarge || tooLargeNow { fits = false }
      integer = sum
      position += 1
    }
    guard position > firstDigit else { throw error("expected a digit") }
    guard bytes[firstDigit] != UInt8(ascii: "0") || position == firstDigit + 1 else {
      throw error("a number begins with a needless 0", at: firstDigit)
    }
    var isWhole = true
    if current == UInt8(ascii: ".") {
      isWhole = false
      position += 1
      try digits()
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      isWhole = false
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    if isWhole, fits, isNegative || integer != .min { return .integer(isNegative ? integer : -integer) }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let double = Double(text), double.isFinite else { throw error("a number is too large", at: start) }
    return isWhole || !holds(double, text) ? .decimal(text) : .double(double)
  }

  /// Whether writing the double gives the same number. With up to fifteen digits it always does. A number too small for
  /// any double counts as zero.
  private func holds(_ double: Double, _ text: String) -> Bool {
    if text.utf8.count(where: isDigit) <= 15 { return true }
    let written = double.description
    return written == text || ExactDecimal(text).map { $0 == ExactDecimal(written) } ?? true
  }

  private mutating func digits() throws(JSONError) {
    guard isDigit(current) else { throw error("expected a digit") }
    while isDigit(current) { position += 1 }
  }

  @inline(__always)
  private func isDigit(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10
  }
}

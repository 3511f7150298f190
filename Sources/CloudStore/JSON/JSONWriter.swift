/// Writes a value the way `jq` prints it: keys sorted, two spaces a level, only control characters escaped.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private let isPretty: Bool

  init(isPretty: Bool) {
    self.isPretty = isPretty
    bytes.reserveCapacity(1024)
  }

  mutating func write(_ value: JSONValue, depth: Int = 0) {
    switch value {
    case .null: literal("null")
    case .bool(let value): literal(value ? "true" : "false")
    case .integer(let value): integer(value)
    case .double(let value): double(value)
    case .string(let value): string(value)
    case .array(let values): array(values, depth: depth)
    case .object(let value): object(value.members, depth: depth)
    }
  }

  mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
  }

  private mutating func array(_ values: [JSONValue], depth: Int) {
    bytes.append(UInt8(ascii: "["))
    var isFirst = true
    for value in values {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      indent(depth + 1)
      write(value, depth: depth + 1)
    }
    if !isFirst { indent(depth) }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func object(_ members: [JSONObject.Member], depth: Int) {
    bytes.append(UInt8(ascii: "{"))
    var isFirst = true
    for member in members {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      indent(depth + 1)
      string(member.key)
      bytes.append(UInt8(ascii: ":"))
      if isPretty { bytes.append(UInt8(ascii: " ")) }
      write(member.value, depth: depth + 1)
    }
    if !isFirst { indent(depth) }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func indent(_ depth: Int) {
    guard isPretty else { return }
    bytes.append(UInt8(ascii: "\n"))
    for _ in 0..<depth {
      bytes.append(UInt8(ascii: " "))
      bytes.append(UInt8(ascii: " "))
    }
  }

  private mutating func literal(_ word: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  private mutating func integer(_ value: Int64) {
    let start = bytes.count
    var rest = value.magnitude
    repeat {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
      rest = quotient
    } while rest > 0
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    bytes[start...].reverse()
  }

  /// Swift's shortest form, which reads back as the same number and always has a fraction or an exponent. JSON has
  /// no infinity and no NaN; they become `null`.
  private mutating func double(_ value: Double) {
    guard value.isFinite else { return literal("null") }
    value.description.withExactBytes { bytes.append(contentsOf: $0) }
  }

  private mutating func string(_ string: String) {
    bytes.append(UInt8(ascii: "\""))
    string.withExactBytes { text in
      var runStart = 0
      for index in 0..<text.count where Self.mustEscape(text[index]) {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[runStart..<index]))
        escape(text[index])
        runStart = index + 1
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[runStart...]))
    }
    bytes.append(UInt8(ascii: "\""))
  }

  @inline(__always)
  private static func mustEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
  }

  private mutating func escape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    default:
      literal("u00")
      for digit in [byte >> 4, byte & 15] {
        bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
  }
}

extension JSONValue {
  /// Two-space indent, sorted keys, a final newline.
  package func pretty() -> [UInt8] {
    var writer = JSONWriter(isPretty: true)
    writer.write(self)
    writer.endLine()
    return writer.bytes
  }

  /// One line with sorted keys, without the newline.
  package func compact() -> [UInt8] {
    var writer = JSONWriter(isPretty: false)
    writer.write(self)
    return writer.bytes
  }
}

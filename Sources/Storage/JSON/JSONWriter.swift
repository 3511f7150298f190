/// Writes a value the way `jq` prints it: keys sorted, two spaces a level, only control characters escaped.
///
/// It writes to its own memory, because an array's checks at each byte would cost more than all other work.
package struct JSONWriter: ~Copyable {
  private var memory: UnsafeMutablePointer<UInt8>
  private var capacity = 1024
  /// The number of bytes so far.
  package private(set) var count = 0
  private let isPretty: Bool
  /// Whether the next piece needs no comma: it is the first in its list or object, or follows its key.
  private var isFirst = true

  package init(isPretty: Bool) {
    self.isPretty = isPretty
    memory = .allocate(capacity: capacity)
  }

  deinit { memory.deallocate() }

  package var isEmpty: Bool { count == 0 }
  package var bytes: [UInt8] { Array(UnsafeBufferPointer(start: memory, count: count)) }

  package mutating func write(_ value: JSONValue, depth: Int = 0) {
    switch value {
    case .null: literal("null")
    case .bool(let value): literal(value ? "true" : "false")
    case .integer(let value): integer(value)
    case .double(let value): double(value)
    case .decimal(let text): text.withExactBytes { copy($0) }
    case .string(let value): string(value)
    case .array(let values): array(values, depth: depth)
    case .object(let value): object(value.members, depth: depth)
    }
  }

  package mutating func endLine() {
    byte("\n")
    isFirst = true
  }

  // MARK: Piece by piece, on one line: values that are only made to be written cost more than writing them

  package enum Bracket: Unicode.Scalar {
    case object = "{"
    case array = "["
  }

  package mutating func begin(_ bracket: Bracket) {
    separate()
    byte(bracket.rawValue)
    isFirst = true
  }

  package mutating func end(_ bracket: Bracket) {
    byte(bracket == .object ? "}" : "]")
    isFirst = false
  }

  /// Writes the key of the next value. The caller passes the keys of an object in their order.
  package mutating func key(_ key: StaticString) {
    separate()
    byte("\"")
    literal(key)
    byte("\"")
    byte(":")
    isFirst = true
  }

  package mutating func key(_ key: String) {
    separate()
    string(key)
    byte(":")
    isFirst = true
  }

  package mutating func add(_ value: Int64) {
    separate()
    integer(value)
  }

  package mutating func add(_ value: String) {
    separate()
    string(value)
  }

  package mutating func add(_ value: JSONValue) {
    separate()
    write(value)
  }

  /// Writes a member, unless its value is nil.
  package mutating func member(_ key: StaticString, _ value: String?) {
    guard let value else { return }
    self.key(key)
    add(value)
  }

  package mutating func member(_ key: StaticString, _ value: Int64?) {
    guard let value else { return }
    self.key(key)
    add(value)
  }

  private mutating func separate() {
    if !isFirst { byte(",") }
    isFirst = false
  }

  // MARK: Memory

  /// Reserves memory for the next bytes and counts them as written.
  private mutating func reserve(_ size: Int) -> UnsafeMutablePointer<UInt8> {
    if count + size > capacity { grow(by: size) }
    defer { count += size }
    return memory + count
  }

  private mutating func grow(by size: Int) {
    capacity = max(2 * capacity, count + size)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.moveInitialize(from: memory, count: count)
    memory.deallocate()
    memory = larger
  }

  private mutating func byte(_ character: Unicode.Scalar) { reserve(1).initialize(to: UInt8(ascii: character)) }

  private mutating func copy(_ text: UnsafeBufferPointer<UInt8>) {
    guard let start = text.baseAddress else { return }
    reserve(text.count).initialize(from: start, count: text.count)
  }

  private mutating func literal(_ word: StaticString) {
    copy(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  // MARK: Values

  private mutating func array(_ values: [JSONValue], depth: Int) {
    byte("[")
    var isFirst = true
    for value in values {
      if !isFirst { byte(",") }
      isFirst = false
      indent(depth + 1)
      write(value, depth: depth + 1)
    }
    if !isFirst { indent(depth) }
    byte("]")
  }

  private mutating func object(_ members: [JSONObject.Member], depth: Int) {
    byte("{")
    var isFirst = true
    for member in members {
      if !isFirst { byte(",") }
      isFirst = false
      indent(depth + 1)
      string(member.key)
      byte(":")
      if isPretty { byte(" ") }
      write(member.value, depth: depth + 1)
    }
    if !isFirst { indent(depth) }
    byte("}")
  }

  private mutating func indent(_ depth: Int) {
    guard isPretty else { return }
    byte("\n")
    reserve(2 * depth).initialize(repeating: UInt8(ascii: " "), count: 2 * depth)
  }

  private mutating func integer(_ value: Int64) {
    if value < 0 { byte("-") }
    var rest = value.magnitude
    var size = 1
    while rest >= 10 {
      rest /= 10
      size += 1
    }
    let target = reserve(size)
    rest = value.magnitude
    for digit in (0..<size).reversed() {
      (target + digit).initialize(to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    }
  }

  /// Writes Swift's shortest form. It reads back as the same number and always has a fraction or an exponent. JSON has
  /// no infinity and no NaN; they become `null`.
  private mutating func double(_ value: Double) {
    guard value.isFinite else { return literal("null") }
    value.description.withExactBytes { copy($0) }
  }

  private mutating func string(_ string: String) {
    byte("\"")
    string.withExactBytes { text in
      if text.contains(where: Self.mustEscape) { escape(text) } else { copy(text) }
    }
    byte("\"")
  }

  @inline(__always)
  private static func mustEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
  }

  private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
    var start = 0
    for index in text.indices where Self.mustEscape(text[index]) {
      copy(UnsafeBufferPointer(rebasing: text[start..<index]))
      escape(text[index])
      start = index + 1
    }
    copy(UnsafeBufferPointer(rebasing: text[start...]))
  }

  private mutating func escape(_ character: UInt8) {
    byte("\\")
    switch character {
    case 0x08: byte("b")
    case 0x09: byte("t")
    case 0x0A: byte("n")
    case 0x0C: byte("f")
    case 0x0D: byte("r")
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): reserve(1).initialize(to: character)
    default:
      literal("u00")
      for digit in [character >> 4, character & 15] {
        reserve(1).initialize(to: digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
  }
}

extension JSONValue {
  /// The text with two-space indent, sorted keys and a final newline.
  package func pretty() -> [UInt8] {
    var writer = JSONWriter(isPretty: true)
    writer.write(self)
    writer.endLine()
    return writer.bytes
  }

  /// Like ``pretty()``, for a value at this depth of a longer text: without the final newline.
  package func pretty(depth: Int) -> [UInt8] {
    var writer = JSONWriter(isPretty: true)
    writer.write(self, depth: depth)
    return writer.bytes
  }

  /// The text in one line with sorted keys, without a newline.
  package func compact() -> [UInt8] {
    var writer = JSONWriter(isPretty: false)
    writer.write(self)
    return writer.bytes
  }
}

/// The parts of index keys that have no order: numbers in as few bytes as possible.
extension [UInt8] {
  /// Seven bits a byte, the lowest first; the last byte has no eighth bit.
  mutating func append(short number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// For numbers that may be negative.
  mutating func append(short number: Int64) {
    append(short: UInt64(bitPattern: (number << 1) ^ (number >> 63)))
  }

  /// The number at the end of a key.
  var lastNumber: Int64 {
    var reader = KeyReader(self, from: Swift.max(0, count - 8))
    return reader.number()
  }
}

/// Reads a key's parts one after another. A missing part makes the key invalid.
struct KeyReader {
  private let bytes: [UInt8]
  private var position: Int
  private(set) var isValid = true

  init(_ bytes: [UInt8], from position: Int) {
    self.bytes = bytes
    self.position = position
  }

  /// Whether the whole key was read without a missing part.
  var isDone: Bool { isValid && position == bytes.count }

  private mutating func byte() -> UInt8 {
    guard position < bytes.count else {
      isValid = false
      return 0
    }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func uint16() -> UInt16 { UInt16(byte()) << 8 | UInt16(byte()) }

  mutating func number() -> Int64 {
    var result: UInt64 = 0
    for _ in 0..<8 { result = result << 8 | UInt64(byte()) }
    return Int64(bitPattern: result)
  }

  mutating func short() -> UInt64 {
    var result: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      let byte = byte()
      result |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return result }
    }
    isValid = false
    return 0
  }

  mutating func signedShort() -> Int64 {
    let number = short()
    return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }

  mutating func int() -> Int { Int(clamping: short()) }
}

/// The first byte of an index key: the kind of the entry.
///
/// - `row`, `deletion`: the latest line of a row, or the line that says that it is deleted; see ``RowEntry``.
/// - `segment`, `candidate`: the size of a segment, and whether it is worth rewriting; see ``SegmentEntry``.
/// - `count`: how many objects an entity's table has; see ``StoreTable/countKey(_:)``.
/// - `source`: an object whose to-one relationship leads to another one: relationship, target, source.
/// - `forward`, `backward`: a link of a pair of objects, from either side.
/// - `value`, `unordered`: an object in a fetch index, by its values, or without them if they are not in the order of
///   bytes.
/// - `binary`: a row that uses a file of bytes.
/// - `name`: a row of a mirroring table, by its key.
enum IndexKind: UInt8 {
  case row = 0x52
  case deletion = 0x54
  case segment = 0x53
  case candidate = 0x43
  case count = 0x4E
  case source = 0x49
  case forward = 0x46
  case backward = 0x42
  case value = 0x58
  case unordered = 0x59
  case binary = 0x55
  case name = 0x4B
  case damage = 0x44
}

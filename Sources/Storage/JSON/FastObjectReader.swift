/// A fast reader for objects in the form of most log lines: compact, keys in order, values that are whole numbers or
/// texts, all ASCII without escapes.
///
/// It rejects all other inputs, JSON or not, and the caller then has to parse them. For accepted inputs the parser
/// gives the same result.
package struct FastObjectReader {
  package typealias Bytes = UnsafeBufferPointer<UInt8>

  private let bytes: Bytes
  private var position = 0

  private init(_ bytes: Bytes) { self.bytes = bytes }

  /// The digits of a whole number, or the bytes between a text's quotation marks.
  package enum Value {
    case number(Bytes)
    case text(Bytes)
  }

  /// Calls `body` with each member. Returns false if the object is not of that form; the members passed so far are then
  /// invalid.
  package static func forEachMember(of bytes: Bytes, _ body: (_ key: Bytes, _ value: Value) -> Void) -> Bool {
    var object = FastObjectReader(bytes)
    return object.read(body)
  }

  private mutating func read(_ body: (Bytes, Value) -> Void) -> Bool {
    guard consume("{") else { return false }
    var last = Bytes(rebasing: bytes[0..<0])
    repeat {
      guard let key = text(), byteOrder(last, key) < 0, consume(":") else { return false }
      if let value = text() {
        body(key, .text(value))
      } else if let value = number() {
        body(key, .number(value))
      } else {
        return false
      }
      last = key
    } while consume(",")
    return consume("}") && position == bytes.count
  }

  private mutating func consume(_ byte: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  private mutating func text() -> Bytes? {
    guard consume("\"") else { return nil }
    let start = position
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return Bytes(rebasing: bytes[start..<(position - 1)])
      case UInt8(ascii: "\\"), ..<0x20, 0x80...: return nil
      default: position += 1
      }
    }
    return nil
  }

  /// Reads a whole number with so few digits that it fits into `Int64`.
  private mutating func number() -> Bytes? {
    let start = position
    while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) { position += 1 }
    guard (1...18).contains(position - start), bytes[start] != UInt8(ascii: "0") || position == start + 1 else {
      return nil
    }
    return Bytes(rebasing: bytes[start..<position])
  }
}

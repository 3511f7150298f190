/// A quick look at an object that is as lines of logs mostly are: compact, its keys in order, its values whole numbers and
/// texts, all of it ASCII without escapes.
///
/// Anything else, and whatever is not JSON, is nothing to it and has to be parsed; what it reads, a parse would read.
package struct FastObjectReader {
  package typealias Bytes = UnsafeBufferPointer<UInt8>

  private let bytes: Bytes
  private var position = 0

  private init(_ bytes: Bytes) { self.bytes = bytes }

  /// A whole number's digits, or what is between a text's quotation marks.
  package enum Value {
    case number(Bytes)
    case text(Bytes)
  }

  /// Calls `body` with each member. False for what is not as plain: then the members so far count for nothing.
  package static func forEachMember(of bytes: Bytes, _ body: (_ key: Bytes, _ value: Value) -> Void) -> Bool {
    var object = FastObjectReader(bytes)
    return object.read(body)
  }

  private mutating func read(_ body: (Bytes, Value) -> Void) -> Bool {
    guard take("{") else { return false }
    var last = Bytes(rebasing: bytes[0..<0])
    repeat {
      guard let key = text(), byteOrder(last, key) < 0, take(":") else { return false }
      if let value = text() {
        body(key, .text(value))
      } else if let value = number() {
        body(key, .number(value))
      } else {
        return false
      }
      last = key
    } while take(",")
    return take("}") && position == bytes.count
  }

  private mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  private mutating func text() -> Bytes? {
    guard take("\"") else { return nil }
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

  /// Of so few digits that it fits.
  private mutating func number() -> Bytes? {
    let start = position
    while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) { position += 1 }
    guard (1...18).contains(position - start), bytes[start] != UInt8(ascii: "0") || position == start + 1 else {
      return nil
    }
    return Bytes(rebasing: bytes[start..<position])
  }
}

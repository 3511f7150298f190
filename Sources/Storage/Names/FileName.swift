/// Encoding of CloudKit names as file names: one path component per name, reversible, readable where possible.
///
/// Characters that a file system, a shell or a terminal could misread are written as `%XX`, one per UTF-8 byte. A
/// component never exceeds `maximumLength`. A longer name becomes a prefix of its escaped form, `~` and a digest; the
/// full name is then only inside the file. Two names never share a component, except for a digest collision.
package enum FileName {
  /// The maximum number of bytes of a component; the caller appends an extension to it.
  package static let maximumLength = 200

  /// The component for `name`.
  package static func encode(_ name: String) -> String {
    if name.withExactBytes(isPlain) { return name }
    return name.withExactBytes { bytes in
      shortened(escaped(bytes)) { Digest.hex128(UnsafeRawBufferPointer(bytes)) }
    }
  }

  /// The name of the JSON file for `name`.
  package static func document(_ name: String) -> String { encode(name) + ".json" }

  /// The name that `component` encodes; nil if it holds a digest, or if `encode` does not produce it.
  package static func decode(_ component: String) -> String? {
    if component.withExactBytes(isPlain) { return component }
    guard component.utf8.count <= maximumLength, let name = unescaped(component.utf8[...]) else { return nil }
    return encode(name).hasSameBytes(as: component) ? name : nil
  }

  /// Whether `component` has the form of a shortened name. It is one if the name inside the file encodes to
  /// `component`.
  package static func isDigested(_ component: String) -> Bool {
    let bytes = Array(component.utf8)
    let prefixLength = bytes.count - digestLength - 1
    guard (maximumPrefix - longestEscape + 1...maximumPrefix).contains(prefixLength),
      bytes.firstIndex(of: tilde) == prefixLength
    else { return false }
    return bytes[(prefixLength + 1)...].allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
    }
  }

  /// The component for two names: both escaped with a comma between, shortened like a single name if it is too long.
  package static func encodePair(_ first: String, _ second: String) -> String {
    let joined = first.withExactBytes(escaped) + [comma] + second.withExactBytes(escaped)
    return shortened(joined) { Digest.hex128(joined) }
  }

  /// The names in `component`; nil if it holds a digest, or if `encodePair` does not produce it.
  package static func decodePair(_ component: String) -> (first: String, second: String)? {
    let bytes = component.utf8
    guard bytes.count <= maximumLength, let middle = bytes.firstIndex(of: comma),
      let first = unescaped(bytes[..<middle]), let second = unescaped(bytes[bytes.index(after: middle)...]),
      encodePair(first, second).hasSameBytes(as: component)
    else { return nil }
    return (first, second)
  }

  private static let percent = UInt8(ascii: "%")
  private static let comma = UInt8(ascii: ",")
  private static let tilde = UInt8(ascii: "~")
  private static let digestLength = 32
  private static let maximumPrefix = maximumLength - digestLength - 1
  /// Four bytes of UTF-8, three characters each.
  private static let longestEscape = 12

  /// Whether a name is its own component, determined without decoding: short, ASCII and nothing to escape.
  private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = bytes.first, let last = bytes.last, bytes.count <= maximumLength,
      first != UInt8(ascii: "."), last != UInt8(ascii: "."), last != UInt8(ascii: " ")
    else { return false }
    return bytes.allSatisfy { $0 < 0x80 && !FileNameEscapes.contains(Unicode.Scalar($0)) }
  }

  /// The escaped form of a name, however long.
  private static func escaped(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    guard !bytes.isEmpty else { return [percent] }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 16)
    let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
    var start = 0
    for scalar in scalars {
      let end = start + UTF8.width(scalar)
      let isFirstDot = start == 0 && scalar == "."
      let isLastBlank = end == bytes.count && (scalar == "." || scalar == " ")
      if isFirstDot || isLastBlank || FileNameEscapes.contains(scalar) {
        for byte in bytes[start..<end] {
          result.append(percent)
          result.append(digit(byte >> 4))
          result.append(digit(byte & 15))
        }
      } else {
        result.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<end]))
      }
      start = end
    }
    return result
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  /// The name of an escaped form; nil if a `%` is not followed by two digits, or the bytes are not UTF-8.
  private static func unescaped(_ escaped: Substring.UTF8View) -> String? {
    if escaped.elementsEqual([percent]) { return "" }
    var result: [UInt8] = []
    var rest = escaped.makeIterator()
    while let byte = rest.next() {
      guard byte == percent else {
        result.append(byte)
        continue
      }
      guard let high = rest.next().flatMap(value), let low = rest.next().flatMap(value) else { return nil }
      result.append(high << 4 | low)
    }
    return String(validating: result, as: UTF8.self)
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// An escaped form within `maximumLength`: unchanged, or a prefix that ends between characters, `~` and the digest.
  private static func shortened(_ escaped: [UInt8], digest: () -> String) -> String {
    guard escaped.count > maximumLength else { return String(decoding: escaped, as: UTF8.self) }
    var end = maximumPrefix
    while !isBoundary(escaped, end) { end -= 1 }
    return String(decoding: escaped[..<end], as: UTF8.self) + "~" + digest()
  }

  /// Whether a character begins at `index`; the escapes of one character count as a unit.
  private static func isBoundary(_ escaped: [UInt8], _ index: Int) -> Bool {
    if isContinuation(escaped[index]) || escaped[index - 1] == percent || escaped[index - 2] == percent { return false }
    guard escaped[index] == percent, index + 2 < escaped.count,
      let high = value(escaped[index + 1]), let low = value(escaped[index + 2])
    else { return true }
    return !isContinuation(high << 4 | low)
  }

  private static func isContinuation(_ byte: UInt8) -> Bool {
    byte & 0xC0 == 0x80
  }
}

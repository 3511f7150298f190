/// Escapes untrusted data before it is written to a terminal. A hostile record name must not be able to move the
/// cursor, change colours, answer for the user or reorder a line.
package enum VisibleText {
  /// Replaces control characters, line breaks and direction overrides with Swift's escape sequences.
  package static func escape(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHarmful) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isHarmful(scalar) { result += name(of: scalar) } else { result.unicodeScalars.append(scalar) }
    }
    return result
  }

  /// Escapes for tab-separated values. The backslash is escaped too, so that a reader can undo the escaping.
  package static func escapeReversibly(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar == "\\" {
        result += "\\\\"
      } else if isHarmful(scalar) {
        result += name(of: scalar)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Escapes finished JSON. It only replaces characters outside ASCII: these can only occur inside a string.
  package static func escapeJSON(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(where: { $0 >= 0x7F }) else { return bytes }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.unicodeScalars.contains(where: { $0.value >= 0x7F && isHarmful($0) }) else { return bytes }
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar.value >= 0x7F && isHarmful(scalar) {
        result += "\\u" + hexadecimal(scalar.value, digits: 4).lowercased()
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return Array(result.utf8)
  }

  static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: true  // C0, DEL, C1
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true  // direction
    case 0x2028, 0x2029, 0xFEFF: true  // line and paragraph separator, byte order mark
    default: false
    }
  }

  private static func name(of scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\t": "\\t"
    case "\n": "\\n"
    case "\r": "\\r"
    case "\0": "\\0"
    default: "\\u{" + hexadecimal(scalar.value, digits: 2) + "}"
    }
  }

  private static func hexadecimal(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

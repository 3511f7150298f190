/// Reads texts in base 64, with white space between the digits.
enum Base64 {
  /// Nil for a text that is none.
  static func bytes(_ text: String) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count / 4 * 3)
    var (bits, digits, padding): (UInt32, Int, Int) = (0, 0, 0)
    for byte in text.utf8 where !XMLReader.isSpace(byte) {
      if byte == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let digit = digit(byte) else { return nil }
      bits = bits << 6 | digit
      digits += 1
      if digits == 4 {
        result += [UInt8(bits >> 16 & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)]
        (bits, digits) = (0, 0)
      }
    }
    switch (digits, padding) {
    case (0, 0): break
    case (2, 2): result.append(UInt8(bits >> 4 & 0xFF))
    case (3, 1): result += [UInt8(bits >> 10 & 0xFF), UInt8(bits >> 2 & 0xFF)]
    default: return nil
    }
    return result
  }

  private static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}

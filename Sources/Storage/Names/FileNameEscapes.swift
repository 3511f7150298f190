/// The characters that a file's name never contains unescaped: separators of the encoding, controls, and characters
/// that are invisible or change the direction of the text around them.
///
/// The table is fixed, like the names on disk: that of the Swift library would change with its version of Unicode. It
/// holds the format characters (category Cf) of Unicode 17.
enum FileNameEscapes {
  static func contains(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    if value < 0x80 {
      return value < 0x20 || value == 0x7F || scalar == "/" || scalar == "%" || scalar == "~" || scalar == ","
    }
    var (low, high) = (0, invisible.count)
    while low < high {
      let middle = (low + high) / 2
      if invisible[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < invisible.count && invisible[low].contains(value)
  }

  /// Ranges above ASCII, in order.
  private static let invisible: [ClosedRange<UInt32>] = [
    0x80...0x9F,  // C1 controls
    0xAD...0xAD,  // soft hyphen
    0x600...0x605, 0x61C...0x61C, 0x6DD...0x6DD, 0x70F...0x70F, 0x890...0x891, 0x8E2...0x8E2,  // Arabic, Syriac
    0x180E...0x180E,  // Mongolian vowel separator
    0x200B...0x200F,  // zero width, direction marks
    0x2028...0x202E,  // line and paragraph separators, embeddings and overrides
    0x2060...0x206F,  // word joiner, invisible operators, isolates
    0xFEFF...0xFEFF,  // byte order mark
    0xFFF9...0xFFFB,  // interlinear annotation
    0x110BD...0x110BD, 0x110CD...0x110CD,  // Kaithi number signs
    0x13430...0x1343F,  // Egyptian joiners
    0x1BCA0...0x1BCA3, 0x1D173...0x1D17A,  // shorthand and musical controls
    0xE0001...0xE0001, 0xE0020...0xE007F,  // tags
  ]
}

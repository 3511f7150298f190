/// Computes how many terminal columns a text takes. Terminals differ on rare characters; this type follows Unicode's
/// East Asian Width (wide and full width count 2) and emoji presentation.
package enum TextWidth {
  package static func columns(_ text: String) -> Int {
    if text.utf8.allSatisfy(UTF8.isASCII) { return text.utf8.count }
    return text.reduce(0) { $0 + columns($1) }
  }

  package static func columns(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    if scalars.count == 1 && first.value < 0x300 { return 1 }
    if scalars.contains("\u{FE0F}") || first.properties.isEmojiPresentation || isWide(first) { return 2 }
    return scalars.allSatisfy(hasNoWidth) ? 0 : 1
  }

  /// The longest prefix that fits, with “…” at its end if something was cut.
  package static func truncate(_ text: String, to limit: Int) -> String {
    if columns(text) <= limit { return text }
    var result = ""
    var used = 1
    for character in text {
      used += columns(character)
      if used > limit { break }
      result.append(character)
    }
    return limit < 1 ? "" : result + "…"
  }

  package static func pad(_ text: String, to width: Int, right: Bool = false) -> String {
    let filling = String(repeating: " ", count: max(0, width - columns(text)))
    return right ? filling + text : text + filling
  }

  private static func hasNoWidth(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: scalar.value != 0xAD
    default: false
    }
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF,
      0x20000...0x3FFFD:
      true
    default: false
    }
  }
}

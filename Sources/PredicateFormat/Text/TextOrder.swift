/// A method of `NSString` that sorts texts. The raw value is the method's name.
package enum TextOrder: String, Sendable, Hashable {
  case plain = "compare:"
  case caseInsensitive = "caseInsensitiveCompare:"
  case localized = "localizedCompare:"
  case localizedCaseInsensitive = "localizedCaseInsensitiveCompare:"
  case localizedStandard = "localizedStandardCompare:"

  /// A sort key: the plain order of the keys is the order of the texts. Texts that the method treats as equal have
  /// equal keys.
  ///
  /// A localized method compares letters first, then their diacritics, then their case: small letters come first.
  package func key(of text: String) -> String {
    switch self {
    case .plain: return text
    case .caseInsensitive: return StringFolding.folded(text, .caseInsensitive)
    case .localized, .localizedCaseInsensitive, .localizedStandard:
      let lowercase = StringFolding.folded(text, .caseInsensitive)
      let letters = StringFolding.folded(text, [.caseInsensitive, .diacriticInsensitive])
      var parts = [self == .localizedStandard ? Self.withLongNumbers(letters) : letters, lowercase]
      if self != .localizedCaseInsensitive { parts.append(String(text.map { $0.isUppercase ? "1" : "0" })) }
      // Every other character is greater than the separator.
      return parts.joined(separator: "\u{0}")
    }
  }

  /// The text with zeros before each number, so that numbers have the order of their values.
  private static func withLongNumbers(_ text: String) -> String {
    var (result, digits) = ("", "")
    func number() -> String {
      digits.isEmpty ? "" : String(repeating: "0", count: max(0, 20 - digits.count)) + digits
    }
    for character in text {
      if character.isASCII, character.isNumber {
        if digits != "0" { digits.append(character) } else { digits = String(character) }
      } else {
        result += number()
        digits = ""
        result.append(character)
      }
    }
    return result + number()
  }
}

/// Folds strings before a comparison, according to its options.
package enum StringFolding {
  static func folded(_ string: String, _ options: PredicateComparison.Options) -> String {
    var string = string
    if options.contains(.diacriticInsensitive) { string = Diacritics.stripped(string) }
    // Upper case is applied first, because it maps "ß" to "SS" and "ς" to "Σ".
    if options.contains(.caseInsensitive) { string = string.uppercased().lowercased() }
    return string
  }

  static func areEqual(_ one: String, _ other: String, _ options: PredicateComparison.Options) -> Bool {
    if options.contains(.normalized) { return one.utf8.elementsEqual(other.utf8) }
    return folded(one, options) == folded(other, options)
  }

  /// The result of a function for a text; the text itself if the function is not defined for texts.
  package static func changed(_ text: String, by function: PredicateFunction) -> String {
    switch function {
    case .uppercase: text.uppercased()
    case .lowercase: text.lowercased()
    case .canonical: folded(text, [.caseInsensitive, .diacriticInsensitive])
    default: text
    }
  }

  /// The words of a text for token searches.
  package static func tokens(_ string: String, _ options: PredicateComparison.Options) -> [String] {
    folded(string, options).split(whereSeparator: \.isWhitespace).map(String.init)
  }
}

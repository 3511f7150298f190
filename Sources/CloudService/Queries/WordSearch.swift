import LocalCloudPredicateFormat

/// The words of a search in texts ([query-word-1]): whole words, compared without case and diacritics.
struct WordSearch {
  let words: Set<String>

  /// Takes the words of `text` without stop words.
  init(_ text: String) { words = Set(Self.words(of: text)).subtracting(Self.stopWords) }

  /// - Assumption: a search for only stop words finds nothing.
  func isAnswered(by texts: [String], wantsAll: Bool) -> Bool {
    if words.isEmpty { return false }
    let found = Set(texts.flatMap(Self.words))
    return wantsAll ? words.isSubset(of: found) : !words.isDisjoint(with: found)
  }

  private static func words(of text: String) -> [String] {
    StringFolding.tokens(text, [.caseInsensitive, .diacriticInsensitive])
  }

  private static let stopWords: Set<String> = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not", "of",
    "on",
    "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will", "with",
  ]
}

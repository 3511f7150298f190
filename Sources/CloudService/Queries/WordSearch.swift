import PredicateFormat

/// Words that are searched for in texts ([query-word-1]): whole words, whatever their case and marks.
struct WordSearch {
  let words: Set<String>

  /// A text of stop words alone searches for nothing, and finds nothing.
  init(_ text: String) { words = Set(Self.words(of: text)).subtracting(Self.stopWords) }

  /// - Assumption: searching for stop words alone finds nothing.
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

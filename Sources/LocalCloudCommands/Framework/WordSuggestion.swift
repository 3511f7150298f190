/// Finds the word that the user probably meant.
package enum WordSuggestion {
  /// The closest candidate, or nil if none is close. A candidate is close if it differs in few characters for its
  /// length, or if `word` is a prefix of it. Otherwise it can be the last or the first part of `word`, such as `type` for
  /// `record-type`.
  package static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
    let lowered = word.lowercased()
    var best: (word: String, distance: Int)?
    for candidate in candidates {
      let distance = distance(lowered, candidate.lowercased())
      let isClose = distance <= max(1, min(lowered.count, candidate.count) / 3)
      let isStart = lowered.count >= 2 && candidate.lowercased().hasPrefix(lowered)
      if isClose || isStart, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    if let best { return best.word }
    let parts = lowered.split(separator: "-").map(String.init)
    return [parts.last, parts.first].lazy.compactMap { part in candidates.first { $0.lowercased() == part } }.first
  }

  /// Verbs that other tools have for the same action.
  private static let synonyms: [Set<String>] = [
    ["add", "create", "make", "new", "save"], ["edit", "modify", "save", "set", "update"], ["delete", "remove", "rm"],
    ["list", "ls"], ["fetch", "get", "read", "show"],
  ]

  /// The candidate that stands for the same action as the verb; nil if there is none.
  static func synonym(of verb: String, among candidates: [String]) -> String? {
    synonyms.lazy.filter { $0.contains(verb) }.compactMap { words in candidates.first(where: words.contains) }.first
  }

  /// The edit distance. A swap of two adjacent characters counts as one edit. Considers the first 64 scalars.
  package static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left.unicodeScalars.prefix(64))
    let right = Array(right.unicodeScalars.prefix(64))
    var beforePrevious: [Int] = []
    var previous = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let replaced = previous[column] + (left[row] == right[column] ? 0 : 1)
        var least = min(replaced, previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          least = min(least, beforePrevious[column - 1] + 1)
        }
        current.append(least)
      }
      (beforePrevious, previous) = (previous, current)
    }
    return previous[right.count]
  }
}

/// Finds the word that somebody meant.
package enum WordSuggestion {
  /// The closest candidate, or nil if none is close: few mistakes for the length, or the start of a longer word.
  package static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
    let lowered = word.lowercased()
    var best: (word: String, distance: Int)?
    for candidate in candidates {
      let distance = distance(lowered, candidate.lowercased())
      let isClose = distance <= max(1, min(lowered.count, candidate.count) / 3)
      let isStart = lowered.count >= 2 && candidate.lowercased().hasPrefix(lowered)
      if isClose || isStart, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.word
  }

  /// Edit distance in which two swapped neighbours count as one mistake.
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

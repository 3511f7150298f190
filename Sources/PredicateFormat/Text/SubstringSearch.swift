/// Searches a text for another one, in time linear in the sum of the lengths.
enum SubstringSearch {
  /// Compares by characters: canonically equivalent characters are equal, and part of a character does not match.
  static func contains(_ text: String, _ part: String) -> Bool {
    let isSimple = { (string: String) in string.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "\r") } }
    if isSimple(text), isSimple(part) { return contains(Array(text.utf8), Array(part.utf8)) }
    return contains(Array(text), Array(part))
  }

  /// The Knuth–Morris–Pratt algorithm.
  private static func contains<Element: Equatable>(_ text: [Element], _ part: [Element]) -> Bool {
    guard !part.isEmpty else { return true }
    guard part.count <= text.count else { return false }
    // For each position, the length of the longest proper prefix of the part that ends there.
    var borders = [0]
    borders.reserveCapacity(part.count)
    var length = 0
    for index in part.indices.dropFirst() {
      while length > 0, part[index] != part[length] { length = borders[length - 1] }
      if part[index] == part[length] { length += 1 }
      borders.append(length)
    }
    var matched = 0
    for element in text {
      while matched > 0, element != part[matched] { matched = borders[matched - 1] }
      if element == part[matched] { matched += 1 }
      if matched == part.count { return true }
    }
    return false
  }
}

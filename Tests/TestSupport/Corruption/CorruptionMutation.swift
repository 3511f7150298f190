import FaultInjection

/// A kind of change to a file.
package enum CorruptionMutation: String, Sendable, CaseIterable {
  // Changes of bytes.
  case flip, truncate, empty, deleteRange, duplicateRange, swapRanges, random, insert, append, invalidText, nesting
  case sibling
  // Changes of lines.
  case deleteLine, duplicateLine, swapLines
  // Changes of JSON that leave it valid JSON.
  case number, string, removeKey, changeType, borrow, addKey
  // Changes of journal frames, with valid checksums.
  case signed
  // Replacements of the file by things of another kind.
  case remove, folder, link, pipe, sparse
  // No permission to open the file.
  case denied

  static let things: [CorruptionMutation] = [.remove, .folder, .link, .pipe, .sparse, .denied]
  static let byBytes: [CorruptionMutation] = [
    .flip, .truncate, .empty, .deleteRange, .duplicateRange, .swapRanges, .random, .insert, .append, .invalidText,
    .nesting, .sibling,
  ]
  static let byLines: [CorruptionMutation] = [.deleteLine, .duplicateLine, .swapLines]
  static let byJSON: [CorruptionMutation] = [.number, .string, .removeKey, .changeType, .borrow, .addKey]

  /// Chooses a mutation. Replacements by other things are chosen less often, because they hardly vary; contents vary
  /// much.
  static func choose(for kind: CorruptionKind, _ random: inout SeededGenerator) -> CorruptionMutation {
    let die = Int.random(in: 0..<10, using: &random)
    var choices = byBytes
    if die < 2 {
      choices = things
    } else if kind.isJSON, die < 6 {
      choices = byJSON
    } else if kind.isLines, die < 8 {
      choices = byLines
    } else if kind == .journal, die < 6 {
      choices = [.signed]
    }
    return choices.randomElement(using: &random) ?? .flip
  }
}

import FaultInjection

/// What becomes of a file.
package enum CorruptionMutation: String, Sendable, CaseIterable {
  // Bytes.
  case flip, truncate, empty, deleteRange, duplicateRange, swapRanges, random, insert, append, invalidText, nesting
  case sibling
  // Lines.
  case deleteLine, duplicateLine, swapLines
  // JSON, which stays JSON.
  case number, string, removeKey, changeType, borrow, addKey
  // Frames of a journal, with checksums that are right.
  case signed
  // Other things in the file's place.
  case remove, folder, link, pipe, sparse, denied

  static let things: [CorruptionMutation] = [.remove, .folder, .link, .pipe, .sparse, .denied]
  static let byBytes: [CorruptionMutation] = [
    .flip, .truncate, .empty, .deleteRange, .duplicateRange, .swapRanges, .random, .insert, .append, .invalidText,
    .nesting, .sibling,
  ]
  static let byLines: [CorruptionMutation] = [.deleteLine, .duplicateLine, .swapLines]
  static let byJSON: [CorruptionMutation] = [.number, .string, .removeKey, .changeType, .borrow, .addKey]

  /// Things are few, each much the same every time; contents are many.
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

import FaultInjection

/// Mutates the bytes and the words of texts, so that large parts of them remain valid.
package struct TextMutator {
  package var random: SeededGenerator
  private let samples: [String]

  package init(random: SeededGenerator, samples: [String]) {
    self.random = random
    self.samples = samples
  }

  package mutating func sample() -> String { samples.randomElement(using: &random) ?? "" }

  package mutating func mutated(_ text: String) -> String {
    var bytes = Array(text.utf8)
    let sibling = Array(sample().utf8)
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      if Bool.random(using: &random) {
        bytes = words(bytes, sibling)
      } else {
        let mutation = CorruptionMutation.byBytes.filter { $0 != .nesting }.randomElement(using: &random) ?? .flip
        var mutator = ByteMutator(random: random)
        bytes = mutator.mutate(bytes, mutation, sibling: sibling)
        random = mutator.random
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Replaces, inserts or removes a word of `one`, with words of `other`.
  private mutating func words(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
    var words = one.split(separator: 0x20, omittingEmptySubsequences: false)
    let others = other.split(separator: 0x20)
    guard let word = others.randomElement(using: &random), !words.isEmpty else { return one }
    let index = Int.random(in: words.indices, using: &random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: words[index] = word
    case 1: words.insert(word, at: index)
    default: words.remove(at: index)
    }
    return Array(words.joined(separator: [0x20]))
  }

  /// Repeats one piece up to a number of bytes, and may add an end.
  package mutating func large(_ pieces: [String], _ ends: [String], bytes: Int) -> String {
    let piece = pieces.randomElement(using: &random) ?? "("
    let end = ends.randomElement(using: &random) ?? ""
    return String(repeating: piece, count: bytes / piece.utf8.count) + end
  }
}

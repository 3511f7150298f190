import FaultInjection

/// Mutates bytes regardless of their meaning.
struct ByteMutator {
  var random: SeededGenerator

  mutating func mutate(_ bytes: [UInt8], _ mutation: CorruptionMutation, sibling: [UInt8]) -> [UInt8] {
    var result = bytes
    switch mutation {
    case .flip:
      guard !bytes.isEmpty else { return noise() }
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        result[index(in: bytes)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
    case .truncate:
      result = Array(bytes.prefix(bytes.isEmpty ? 0 : index(in: bytes)))
    case .empty:
      result = []
    case .deleteRange:
      result.removeSubrange(range(in: bytes))
    case .duplicateRange:
      let range = range(in: bytes)
      result.insert(contentsOf: bytes[range], at: range.upperBound)
    case .swapRanges:
      let (one, other) = (range(in: bytes), range(in: bytes))
      let (first, second) = one.lowerBound <= other.lowerBound ? (one, other) : (other, one)
      guard first.upperBound <= second.lowerBound else { return noise() }
      result =
        Array(bytes[..<first.lowerBound]) + bytes[second] + bytes[first.upperBound..<second.lowerBound]
        + bytes[first] + bytes[second.upperBound...]
    case .random:
      result = noise()
    case .insert:
      result.insert(contentsOf: noise(most: 64), at: bytes.isEmpty ? 0 : index(in: bytes))
    case .append:
      result += noise(most: 300)
    case .invalidText:
      let piece: [[UInt8]] = [
        [0], [0xFF, 0xFE], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x1B],
      ]
      result.insert(contentsOf: piece.randomElement(using: &random) ?? [], at: bytes.isEmpty ? 0 : index(in: bytes))
    case .nesting:
      let depth = [10, 600, 20_000, 300_000].randomElement(using: &random) ?? 10
      let open = Array((Bool.random(using: &random) ? "[" : "{\"a\":").utf8)
      result = (0..<depth).flatMap { _ in open }
      if Bool.random(using: &random) { result += [UInt8](repeating: UInt8(ascii: "]"), count: depth) }
    case .sibling:
      result = sibling
    case .deleteLine, .duplicateLine, .swapLines:
      result = mutateLines(bytes, mutation)
    default: break
    }
    return result
  }

  private mutating func mutateLines(_ bytes: [UInt8], _ mutation: CorruptionMutation) -> [UInt8] {
    var lines = bytes.split(separator: 0x0A).map { Array($0) + [0x0A] }
    guard let index = lines.indices.randomElement(using: &random),
      let other = lines.indices.randomElement(using: &random)
    else { return noise() }
    switch mutation {
    case .deleteLine: lines.remove(at: index)
    case .duplicateLine: lines.insert(lines[index], at: other)
    default: lines.swapAt(index, other)
    }
    return lines.flatMap { $0 }
  }

  private mutating func index(in bytes: [UInt8]) -> Int { Int.random(in: 0..<bytes.count, using: &random) }

  private mutating func range(in bytes: [UInt8]) -> Range<Int> {
    let start = Int.random(in: 0...bytes.count, using: &random)
    let most = min(bytes.count - start, Bool.random(using: &random) ? 16 : 4096)
    return start..<(start + Int.random(in: 0...most, using: &random))
  }

  private mutating func noise(most: Int = 6000) -> [UInt8] {
    (0..<Int.random(in: 0...most, using: &random)).map { _ in UInt8.random(in: .min ... .max, using: &random) }
  }
}

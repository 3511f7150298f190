import LocalCloudStorage
import LocalCloudStore

/// Mutates the contents of a journal's frames and corrects their checksums, so that the reader accepts the frames.
struct JournalMutator {
  var bytes: ByteMutator
  static let header = 48
  static let frameHeader = 32

  mutating func mutate(_ journal: [UInt8], sibling: [UInt8]) -> [UInt8] {
    var result = Array(journal.prefix(Self.header))
    // Invalidates the header in half of the cases, so that every frame is applied again.
    if result.count > 24, Bool.random(using: &bytes.random) { result[24] ^= 0xFF }
    let frames = Self.frames(journal)
    guard let chosen = frames.indices.randomElement(using: &bytes.random) else {
      return bytes.mutate(journal, .flip, sibling: sibling)
    }
    for (place, frame) in frames.enumerated() {
      guard place == chosen else {
        result += journal[frame]
        continue
      }
      let payload = Array(journal[(frame.lowerBound + Self.frameHeader)..<frame.upperBound])
      let kinds: [CorruptionMutation] = [.flip, .truncate, .deleteRange, .duplicateRange, .swapRanges, .insert, .empty]
      let spoilt = bytes.mutate(payload, kinds.randomElement(using: &bytes.random) ?? .flip, sibling: sibling)
      result += Self.frame(Array(journal[frame.lowerBound..<(frame.lowerBound + Self.frameHeader)]), spoilt)
    }
    return result
  }

  static func frames(_ journal: [UInt8]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var position = header
    while position + frameHeader <= journal.count {
      let length = (0..<4).reduce(0) { $0 | Int(journal[position + 4 + $1]) << (8 * $1) }
      let end = position + frameHeader + length
      guard journal[position..<(position + 4)] == [0x45, 0x4B, 0x43, 0x4C], end <= journal.count else { break }
      result.append(position..<end)
      position = end
    }
    return result
  }

  private static func frame(_ header: [UInt8], _ payload: [UInt8]) -> [UInt8] {
    var header = header
    let sequence = (0..<8).reduce(UInt64(0)) { $0 | UInt64(header[16 + $1]) << UInt64(8 * $1) }
    let checksum = Digest.hash64(payload, seed: Digest.hash64(Array(header[24..<32]), seed: sequence))
    for place in 0..<4 { header[4 + place] = UInt8(truncatingIfNeeded: payload.count >> (8 * place)) }
    for place in 0..<8 { header[8 + place] = UInt8(truncatingIfNeeded: checksum >> UInt64(8 * place)) }
    return header + payload
  }
}

/// An entry as it is stored in a journal: magic (u32), payload length (u32), checksum (u64) of the payload with
/// sequence and generation, sequence (i64), generation (u64), payload.
package struct JournalFrame {
  package static let headerSize = 32
  private static let magic: UInt32 = 0x4C43_4B45

  package let sequence: Int64
  package let generation: UInt64
  package let payload: Range<Int>
  package var end: Int { payload.upperBound }

  package static func bytes(_ payload: [UInt8], sequence: Int64, generation: UInt64) -> [UInt8] {
    var frame: [UInt8] = []
    frame.reserveCapacity(headerSize + payload.count)
    frame.append(littleEndian: magic)
    frame.append(littleEndian: UInt32(payload.count))
    frame.append(littleEndian: checksum(payload[...], sequence, generation))
    frame.append(littleEndian: sequence)
    frame.append(littleEndian: generation)
    return frame + payload
  }

  private static func checksum(_ payload: ArraySlice<UInt8>, _ sequence: Int64, _ generation: UInt64) -> UInt64 {
    let seed = withUnsafeBytes(of: generation.littleEndian) {
      Digest.hash64($0, seed: UInt64(bitPattern: sequence))
    }
    return payload.withUnsafeBytes { Digest.hash64($0, seed: seed) }
  }

  /// Whether a frame of this generation begins at `position`, whole or not.
  package static func begins(_ bytes: [UInt8], at position: Int = 0, generation: UInt64) -> Bool {
    position + headerSize <= bytes.count && bytes.littleEndian(UInt32.self, at: position) == magic
      && bytes.littleEndian(UInt64.self, at: position + 24) == generation
  }

  /// The position, at `start` or later, of bytes that look like a frame's beginning, and the payload length that they
  /// claim.
  package static func candidate(in bytes: [UInt8], from start: Int) -> (position: Int, claimed: Int)? {
    guard start + headerSize <= bytes.count else { return nil }
    let position = bytes.withUnsafeBytes { buffer in
      (start...(bytes.count - headerSize)).first {
        UInt32(littleEndian: buffer.loadUnaligned(fromByteOffset: $0, as: UInt32.self)) == magic
      }
    }
    return position.map { ($0, Int(bytes.littleEndian(UInt32.self, at: $0 + 4))) }
  }

  /// The whole frame that begins at `position`; nil if there is none, or if it is of another generation than
  /// `expected`.
  package init?(in bytes: [UInt8], at position: Int, generation expected: UInt64? = nil) {
    guard position + Self.headerSize <= bytes.count, bytes.littleEndian(UInt32.self, at: position) == Self.magic
    else { return nil }
    sequence = bytes.littleEndian(Int64.self, at: position + 16)
    generation = bytes.littleEndian(UInt64.self, at: position + 24)
    let start = position + Self.headerSize
    let length = Int(bytes.littleEndian(UInt32.self, at: position + 4))
    guard expected == nil || generation == expected, length <= bytes.count - start else { return nil }
    payload = start..<(start + length)
    guard
      bytes.littleEndian(UInt64.self, at: position + 8)
        == Self.checksum(bytes[payload], sequence, generation)
    else { return nil }
  }
}

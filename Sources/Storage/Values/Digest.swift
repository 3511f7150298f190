/// Digests of bytes: XXH64, and two of them combined where 64 bits are too few.
///
/// They are not cryptographic. They guard against accidents, such as a file edited by hand or a torn write; two inputs
/// with the same digest can be constructed. Two names that share a digest are still distinguished, because the true
/// name is inside the file.
package enum Digest {
  /// XXH64 of `bytes`.
  package static func hash64(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
    bytes.withUnsafeBytes { hash64($0, seed: seed) }
  }

  /// XXH64 of `bytes`.
  package static func hash64(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
    let count = UInt64(bytes.count)
    if count < 32 { return finished(seed &+ prime5 &+ count, bytes, from: 0) }
    var lanes = Lanes(seed: seed)
    let offset = lanes.add(bytes)
    return finished(lanes.hash &+ count, bytes, from: offset)
  }

  /// Completes a hash with the last bytes, fewer than 32.
  static func finished(_ hash: UInt64, _ bytes: UnsafeRawBufferPointer, from start: Int) -> UInt64 {
    var (hash, offset) = (hash, start)
    let count = bytes.count
    while offset &+ 8 <= count {
      hash = rotated(hash ^ round(0, word64(bytes, offset)), 27) &* prime1 &+ prime4
      offset &+= 8
    }
    if offset &+ 4 <= count {
      hash = rotated(hash ^ (word32(bytes, offset) &* prime1), 23) &* prime2 &+ prime3
      offset &+= 4
    }
    while offset < count {
      hash = rotated(hash ^ (UInt64(bytes[offset]) &* prime5), 11) &* prime1
      offset &+= 1
    }
    hash = (hash ^ (hash >> 33)) &* prime2
    hash = (hash ^ (hash >> 29)) &* prime3
    return hash ^ (hash >> 32)
  }

  /// `hash64` with seed 0 as 16 lowercase hexadecimal digits.
  package static func hex64(_ bytes: [UInt8]) -> String {
    bytes.withUnsafeBytes { hex64($0) }
  }

  /// `hash64` with seed 0 as 16 lowercase hexadecimal digits.
  package static func hex64(_ bytes: UnsafeRawBufferPointer) -> String {
    hex(hash64(bytes))
  }

  /// 32 lowercase hexadecimal digits: `hex64`, then the same of `hash64` with the second seed.
  package static func hex128(_ bytes: [UInt8]) -> String {
    bytes.withUnsafeBytes { hex128($0) }
  }

  /// 32 lowercase hexadecimal digits: `hex64`, then the same of `hash64` with the second seed.
  package static func hex128(_ bytes: UnsafeRawBufferPointer) -> String {
    hex(hash64(bytes)) + hex(hash64(bytes, seed: secondSeed))
  }

  /// The seed of the second half. It is part of the format on disk, like the order of the halves.
  static let secondSeed: UInt64 = 0x6C6F_6361_6C63_6C64

  static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  /// The four lanes of XXH64. They consume blocks of 32 bytes.
  struct Lanes {
    private var lane1: UInt64
    private var lane2: UInt64
    private var lane3: UInt64
    private var lane4: UInt64

    init(seed: UInt64) {
      lane1 = seed &+ prime1 &+ prime2
      lane2 = seed &+ prime2
      lane3 = seed
      lane4 = seed &- prime1
    }

    /// Consumes every whole block of 32 bytes; returns the number of bytes consumed.
    mutating func add(_ bytes: UnsafeRawBufferPointer) -> Int {
      var offset = 0
      var (one, two, three, four) = (lane1, lane2, lane3, lane4)
      while offset &+ 32 <= bytes.count {
        one = round(one, word64(bytes, offset))
        two = round(two, word64(bytes, offset &+ 8))
        three = round(three, word64(bytes, offset &+ 16))
        four = round(four, word64(bytes, offset &+ 24))
        offset &+= 32
      }
      (lane1, lane2, lane3, lane4) = (one, two, three, four)
      return offset
    }

    var hash: UInt64 {
      var hash = rotated(lane1, 1) &+ rotated(lane2, 7) &+ rotated(lane3, 12) &+ rotated(lane4, 18)
      for lane in [lane1, lane2, lane3, lane4] {
        hash = (hash ^ round(0, lane)) &* prime1 &+ prime4
      }
      return hash
    }
  }

  static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
    rotated(lane &+ input &* prime2, 31) &* prime1
  }

  static func rotated(_ value: UInt64, _ bits: UInt64) -> UInt64 {
    (value &<< bits) | (value &>> (64 &- bits))
  }

  static func word64(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  private static func word32(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }

  static func hex(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}

/// A 64-bit checksum of a page: four independent lanes of eight bytes each, so that the processor overlaps the
/// multiplications. It finds damage; it is no defence against a forger, which a derived file does not need.
func pageChecksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
  let multiplier: UInt64 = 0x9E37_79B1_85EB_CA87
  let spreader: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  var first = multiplier &+ spreader
  var second = spreader
  var third: UInt64 = 0
  var fourth = 0 &- multiplier

  func mixed(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    let sum = lane &+ UInt64(littleEndian: word) &* spreader
    return (sum << 31 | sum >> 33) &* multiplier
  }

  var offset = 0
  while offset &+ 32 <= bytes.count {
    first = mixed(first, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    second = mixed(second, bytes.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self))
    third = mixed(third, bytes.loadUnaligned(fromByteOffset: offset &+ 16, as: UInt64.self))
    fourth = mixed(fourth, bytes.loadUnaligned(fromByteOffset: offset &+ 24, as: UInt64.self))
    offset &+= 32
  }
  var result = UInt64(truncatingIfNeeded: bytes.count)
  for lane in [first, second, third, fourth] { result = mixed(result, lane.littleEndian) ^ (lane >> 29) }
  while offset < bytes.count {
    result = mixed(result, UInt64(bytes[offset]).littleEndian)
    offset &+= 1
  }
  result = (result ^ result >> 33) &* spreader
  result = (result ^ result >> 29) &* multiplier
  return result ^ result >> 32
}

/// The order of keys: by unsigned bytes, a prefix before the keys that it begins.
package enum ByteOrder {
  /// Negative, zero or positive if `left[range]` is before, equal to or after `right`.
  static func compare(_ left: [UInt8], _ range: Range<Int>, _ right: [UInt8]) -> Int {
    precondition(range.upperBound <= left.count)
    let common = min(range.count, right.count)
    return left.withUnsafeBytes { left in
      right.withUnsafeBytes { right in
        var offset = 0
        while offset &+ 8 <= common {
          let one = left.loadUnaligned(fromByteOffset: range.lowerBound &+ offset, as: UInt64.self)
          let other = right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          if one != other { return one.bigEndian < other.bigEndian ? -1 : 1 }
          offset &+= 8
        }
        while offset < common {
          let (one, other) = (left[range.lowerBound &+ offset], right[offset])
          if one != other { return one < other ? -1 : 1 }
          offset &+= 1
        }
        return range.count - right.count
      }
    }
  }

  package static func compare(_ left: [UInt8], _ right: [UInt8]) -> Int { compare(left, left.indices, right) }

  /// The shortest prefix of `key` that is still greater than `earlier`. `earlier` must precede `key`. Short separators
  /// keep branches wide.
  static func separator(between earlier: ArraySlice<UInt8>, and key: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var shared = 0
    for (one, other) in zip(earlier, key) {
      guard one == other else { break }
      shared += 1
    }
    return key.prefix(shared + 1)
  }
}

/// Parts of keys: bytes in the order of the values.
extension [UInt8] {
  package mutating func append(bigEndian number: UInt16) {
    append(UInt8(truncatingIfNeeded: number >> 8))
    append(UInt8(truncatingIfNeeded: number))
  }

  package mutating func append(bigEndian number: UInt64) {
    for shift in stride(from: 56, through: 0, by: -8) { append(UInt8(truncatingIfNeeded: number >> UInt64(shift))) }
  }

  /// For numbers that are not negative.
  package mutating func append(number: Int64) { append(bigEndian: UInt64(bitPattern: number)) }

  /// For numbers with a fraction. Negative zero becomes zero.
  package mutating func append(ordered number: Double) {
    let bits = (number == 0 ? 0 : number).bitPattern
    append(bigEndian: bits >> 63 == 1 ? ~bits : bits | 1 << 63)
  }

  /// Appends a text without zero bytes, so that a zero byte after it sorts before every longer text.
  ///
  /// - Parameter limit: the greatest length of the key; the text is cut there.
  package mutating func append(zeroFree text: String, limit: Int = .max) { appendZeroFree(text.utf8, limit) }

  package mutating func append(zeroFree bytes: [UInt8], limit: Int = .max) { appendZeroFree(bytes, limit) }

  private mutating func appendZeroFree(_ bytes: some Sequence<UInt8>, _ limit: Int) {
    for byte in bytes {
      guard count < limit else { return }
      if byte > 1 {
        append(byte)
      } else {
        append(1)
        if count < limit { append(byte + 1) }
      }
    }
  }
}

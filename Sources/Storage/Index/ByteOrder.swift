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

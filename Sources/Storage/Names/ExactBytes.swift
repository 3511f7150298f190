/// Comparison of strings by their UTF-8 bytes. Swift's `==` and `<` use canonical equivalence: a composed and a
/// decomposed "é" are equal. Names in a store are not.
extension String {
  /// Calls `body` with the string's UTF-8, without copying unless the string is a bridged one.
  @inline(__always)
  func withExactBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    var copy = self
    return copy.withUTF8(body)
  }

  package func hasSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count && exactOrder(to: other) == 0
  }

  /// Negative when this string's bytes sort first, positive when `other`'s do, zero when they are the same.
  package func exactOrder(to other: String) -> Int {
    withExactBytes { left in other.withExactBytes { right in byteOrder(left, right) } }
  }

  func hashExactly(into hasher: inout Hasher) {
    withExactBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }
}

/// The lexicographic order of two runs of bytes: negative, zero or positive.
package func byteOrder(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
  let (leftBytes, rightBytes) = (UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
  let shared = min(left.count, right.count)
  var offset = 0
  while offset &+ 8 <= shared {
    let leftWord = UInt64(bigEndian: leftBytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    let rightWord = UInt64(bigEndian: rightBytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    if leftWord != rightWord { return leftWord < rightWord ? -1 : 1 }
    offset &+= 8
  }
  while offset < shared {
    if left[offset] != right[offset] { return left[offset] < right[offset] ? -1 : 1 }
    offset &+= 1
  }
  return left.count - right.count
}

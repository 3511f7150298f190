/// `Digest.hex128` of bytes that arrive in pieces.
package struct StreamingDigest {
  private var first = Digest.Lanes(seed: 0)
  private var second = Digest.Lanes(seed: Digest.secondSeed)
  /// The bytes since the last whole block of 32.
  private var rest: [UInt8] = []
  package private(set) var count = 0

  package init() {}

  package mutating func add(_ bytes: [UInt8]) {
    count += bytes.count
    var start = 0
    if !rest.isEmpty {
      start = min(32 - rest.count, bytes.count)
      rest += bytes[..<start]
      guard rest.count == 32 else { return }
      rest.withUnsafeBytes { takeIn($0) }
      rest = []
    }
    let end = start + (bytes.count - start) / 32 * 32
    bytes.withUnsafeBytes { takeIn(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
    rest += bytes[end...]
  }

  private mutating func takeIn(_ bytes: UnsafeRawBufferPointer) {
    _ = first.add(bytes)
    _ = second.add(bytes)
  }

  package var hex128: String {
    rest.withUnsafeBytes { rest in
      [(first, UInt64(0)), (second, Digest.secondSeed)].map { lanes, seed in
        let hash = count >= 32 ? lanes.hash : seed &+ Digest.prime5
        return Digest.hex(Digest.finished(hash &+ UInt64(count), rest, from: 0))
      }.joined()
    }
  }
}

import LocalCloudStorage

/// The keys that an index should have, as digests of eight bytes: the keys themselves would fill the memory.
struct KeyDigests {
  private var needed: [UInt64] = []
  /// Keys that the index may have or lack.
  private var optional: [UInt64] = []

  static func digest(_ key: [UInt8]) -> UInt64 {
    var hasher = Hasher()
    key.withUnsafeBytes { hasher.combine(bytes: $0) }
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  mutating func add(_ keys: [[UInt8]], areNeeded: Bool = true) {
    for key in keys {
      if areNeeded { needed.append(Self.digest(key)) } else { optional.append(Self.digest(key)) }
    }
  }

  /// The keys that are missing among those of an index, and those that the index has without reason.
  func differences(from found: [UInt64]) -> (lacking: Set<UInt64>, needless: Set<UInt64>) {
    let (needed, found) = (needed.sorted(), found.sorted())
    return (Self.elements(of: needed, notIn: found), Self.elements(of: found, notIn: needed).subtracting(optional))
  }

  /// Both are sorted.
  private static func elements(of digests: [UInt64], notIn others: [UInt64]) -> Set<UInt64> {
    var result: Set<UInt64> = []
    var index = 0
    for digest in digests {
      while index < others.count, others[index] < digest { index += 1 }
      if index == others.count || others[index] != digest { result.insert(digest) }
    }
    return result
  }
}

import LocalCloudModel

/// A range of a field's index: keys from `lower` up to, but not including, `upper`.
struct IndexedRange: Hashable {
  var lower: [UInt8]
  var upper: [UInt8]

  /// Whether it contains only the encodings of one value.
  var isOneValue: Bool { FieldIndexKey.isWhole(lower) && upper == Self.behind(lower) }

  var isEmpty: Bool { !lower.lexicographicallyPrecedes(upper) }

  func intersection(_ other: IndexedRange) -> IndexedRange {
    IndexedRange(
      lower: lower.lexicographicallyPrecedes(other.lower) ? other.lower : lower,
      upper: upper.lexicographicallyPrecedes(other.upper) ? upper : other.upper)
  }

  /// The records that every search must read.
  static let always = IndexedRange(equalTo: FieldIndexKey.always)

  /// All keys that begin with these bytes.
  init(prefix: [UInt8]) {
    self.init(lower: prefix, upper: Self.after(prefix))
  }

  /// All keys that equal a value's key, including those of values that truncation makes the same.
  init(equalTo bytes: [UInt8]) {
    self.init(lower: bytes, upper: Self.behind(bytes))
  }

  init(lower: [UInt8], upper: [UInt8]) {
    (self.lower, self.upper) = (lower, upper)
  }

  /// The range of a comparison with a value's key; nil for a comparator that is no range.
  init?(_ comparator: QueryComparator, _ bytes: [UInt8]) {
    let kind = IndexedRange(prefix: [bytes[0]])
    let isWhole = FieldIndexKey.isWhole(bytes)
    switch comparator {
    case .lessThan: self.init(lower: kind.lower, upper: isWhole ? bytes : Self.behind(bytes))
    case .lessThanOrEquals: self.init(lower: kind.lower, upper: Self.behind(bytes))
    case .greaterThan: self.init(lower: isWhole ? Self.behind(bytes) : bytes, upper: kind.upper)
    case .greaterThanOrEquals: self.init(lower: bytes, upper: kind.upper)
    default: return nil
    }
  }

  /// The end of a value's entries: in an entry, a zero byte follows the value; in a longer text, a greater byte
  /// follows.
  static func behind(_ bytes: [UInt8]) -> [UInt8] { bytes + [1] }

  /// The first key after all those that begin with these bytes.
  private static func after(_ prefix: [UInt8]) -> [UInt8] {
    var bytes = prefix
    while let last = bytes.popLast() {
      if last < .max { return bytes + [last + 1] }
    }
    return [.max]
  }
}

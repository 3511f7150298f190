import CloudModel

/// A part of a field's index: values from `lower` on and before `upper`.
struct IndexedRange: Hashable {
  var lower: [UInt8]
  var upper: [UInt8]

  /// Whether it has nothing but what equals one value.
  var isOneValue: Bool { IndexedValue.isWhole(lower) && upper == Self.behind(lower) }

  var isEmpty: Bool { !lower.lexicographicallyPrecedes(upper) }

  func intersection(_ other: IndexedRange) -> IndexedRange {
    IndexedRange(
      lower: lower.lexicographicallyPrecedes(other.lower) ? other.lower : lower,
      upper: upper.lexicographicallyPrecedes(other.upper) ? upper : other.upper)
  }

  /// Records that are to be looked at whatever is asked.
  static let always = IndexedRange(equalTo: IndexedValue.always)

  /// Everything that begins with these bytes.
  init(prefix: [UInt8]) {
    self.init(lower: prefix, upper: Self.after(prefix))
  }

  /// What equals a value, and what can't be told from it.
  init(equalTo bytes: [UInt8]) {
    self.init(lower: bytes, upper: Self.behind(bytes))
  }

  init(lower: [UInt8], upper: [UInt8]) {
    (self.lower, self.upper) = (lower, upper)
  }

  /// Nil for comparators that are no range.
  init?(_ comparator: QueryComparator, _ bytes: [UInt8]) {
    let kind = IndexedRange(prefix: [bytes[0]])
    let isWhole = IndexedValue.isWhole(bytes)
    switch comparator {
    case .lessThan: self.init(lower: kind.lower, upper: isWhole ? bytes : Self.behind(bytes))
    case .lessThanOrEquals: self.init(lower: kind.lower, upper: Self.behind(bytes))
    case .greaterThan: self.init(lower: isWhole ? Self.behind(bytes) : bytes, upper: kind.upper)
    case .greaterThanOrEquals: self.init(lower: bytes, upper: kind.upper)
    default: return nil
    }
  }

  /// Where what is above a value begins: a value is followed by a zero byte, and a longer text by more than that.
  static func behind(_ bytes: [UInt8]) -> [UInt8] { bytes + [1] }

  /// Where what does not begin with these bytes goes on.
  private static func after(_ prefix: [UInt8]) -> [UInt8] {
    var bytes = prefix
    while let last = bytes.popLast() {
      if last < .max { return bytes + [last + 1] }
    }
    return [.max]
  }
}

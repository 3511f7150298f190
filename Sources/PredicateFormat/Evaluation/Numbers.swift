/// Compares integers and doubles exactly.
enum Numbers {
  enum Order {
    case less, same, greater
    /// One of the numbers is NaN.
    case none
  }

  /// Compares two numbers exactly, even if a double cannot represent the integer.
  static func order(_ one: PredicateValue, _ other: PredicateValue) -> Order {
    switch (one, other) {
    case (.integer(let one), .integer(let other)): return order(one, other)
    case (.double(let one), .double(let other)): return order(one, other)
    case (.integer(let one), .double(let other)): return order(one, other)
    case (.double(let one), .integer(let other)):
      switch order(other, one) {
      case .less: return .greater
      case .greater: return .less
      case let same: return same
      }
    default: return .none
    }
  }

  private static func order<Number: Comparable>(_ one: Number, _ other: Number) -> Order {
    one < other ? .less : one > other ? .greater : one == other ? .same : .none
  }

  private static func order(_ one: Int64, _ other: Double) -> Order {
    if other.isNaN { return .none }
    if other >= 0x1p63 { return .less }
    if other < -0x1p63 { return .greater }
    let whole = Int64(other.rounded(.down))
    return one == whole ? (other > other.rounded(.down) ? .less : .same) : order(one, whole)
  }

  static func double(_ value: PredicateValue) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  /// Converts a whole double to an integer, so that equal numbers have one form.
  static func canonical(_ value: PredicateValue) -> PredicateValue {
    guard case .double(let number) = value, let integer = Int64(exactly: number) else { return value }
    return .integer(integer)
  }
}

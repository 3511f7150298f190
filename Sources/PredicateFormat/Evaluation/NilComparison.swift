/// The result of a comparison with nil ([predicate-7]).
package enum NilComparison: Sendable {
  /// Nil is a value like any other one, as in Foundation: unequal to all others, and without an order relative to them.
  case asValue
  /// A comparison with a value that is nil is unknown, as in SQL: neither the comparison nor its negation is true. A
  /// comparison with a literal nil is true or false.
  case asUnknown
}

extension PredicateEvaluator {
  /// The truth of a comparison of two values, without `ANY` or `ALL`; nil if it is unknown.
  mutating func truth(
    _ left: PredicateValue, _ comparison: PredicateComparison, _ right: PredicateValue
  ) throws(PredicateEvaluationError) -> Bool? {
    if nilComparison == .asValue { return try compare(left, comparison, right) }
    let collection: PredicateValue
    switch comparison.comparator {
    case .equal, .notEqual:
      let hasLiteral = comparison.left.isNil || comparison.right.isNil
      return try hasLiteral || (left != .null && right != .null) ? compare(left, comparison, right) : nil
    case .in: collection = right
    case .contains: collection = left
    default:
      if case .list(let bounds) = right, bounds.contains(.null) { return nil }
      return try left == .null || right == .null ? nil : compare(left, comparison, right)
    }
    guard let members = collection.elements else {
      return try left == .null || right == .null ? nil : compare(left, comparison, right)
    }
    // An empty collection contains no element, not even nil. A nil in a collection may be any element.
    if members.isEmpty { return false }
    if left == .null || right == .null { return nil }
    let isMember = try compare(left, comparison, right)
    return isMember || !members.contains(.null) ? isMember : nil
  }
}

extension ExpressionTree {
  /// Whether the expression is a literal nil.
  fileprivate var isNil: Bool { self == .constant(.null) }
}

/// A value in a predicate: a constant, the value of a field, or a result.
///
/// Equality is that of trees: 1 and 1.0 differ. Comparisons treat them as equal, and Booleans as 1 and 0.
package enum PredicateValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case double(Double)
  case string(String)
  /// Seconds since the start of 2001, as in `NSDate`.
  case date(Double)
  case data([UInt8])
  /// Coordinates in degrees.
  case location(latitude: Double, longitude: Double)
  case list([PredicateValue])
  case dictionary([String: PredicateValue])
  case object(PredicateObject)

  /// A decimal as a value: an integer if it is whole, and otherwise the nearest double.
  package init(decimal digits: String) {
    self = Int64(digits).map { .integer($0) } ?? .double(Double(digits) ?? .nan)
  }

  package static func boolean(_ truth: Bool) -> PredicateValue { .integer(truth ? 1 : 0) }

  /// The elements of a collection. Those of a dictionary are its values in the order of the keys. Nil for other values.
  package var elements: [PredicateValue]? {
    switch self {
    case .list(let values): values
    case .dictionary(let values): values.sorted { $0.key < $1.key }.map(\.value)
    default: nil
    }
  }

  /// Whether the nesting of lists, dictionaries and objects is within the given depth.
  package func isWithin(depth: Int) -> Bool {
    guard depth > 0 else { return false }
    switch self {
    case .list(let values): return values.allSatisfy { $0.isWithin(depth: depth - 1) }
    case .dictionary(let values): return values.values.allSatisfy { $0.isWithin(depth: depth - 1) }
    case .object(let object): return object.parts.values.allSatisfy { $0.isWithin(depth: depth - 1) }
    case .location: return depth > 1
    default: return true
    }
  }

  /// The nesting depth. Call it only after ``isWithin(depth:)`` has returned true.
  var depth: Int {
    switch self {
    case .list(let values): 1 + (values.lazy.map(\.depth).max() ?? 0)
    case .dictionary(let values): 1 + (values.values.lazy.map(\.depth).max() ?? 0)
    case .object(let object): 1 + (object.parts.values.lazy.map(\.depth).max() ?? 0)
    // A list of two numbers.
    case .location: 2
    default: 1
    }
  }
}

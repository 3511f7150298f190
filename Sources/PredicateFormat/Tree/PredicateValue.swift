/// A value that predicates know: a constant, a field, a result.
///
/// Equality is that of trees, where 1 and 1.0 differ. In a comparison they are the same, as truth values are 1 and 0.
package enum PredicateValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case double(Double)
  case string(String)
  /// Seconds since 2001 began, as `NSDate` counts.
  case date(Double)
  case data([UInt8])
  /// In degrees.
  case location(latitude: Double, longitude: Double)
  case list([PredicateValue])
  case dictionary([String: PredicateValue])
  case object(PredicateObject)

  package static func boolean(_ truth: Bool) -> PredicateValue { .integer(truth ? 1 : 0) }

  /// The elements of a collection; a dictionary's are its values, in the order of the keys.
  package var elements: [PredicateValue]? {
    switch self {
    case .list(let values): values
    case .dictionary(let values): values.sorted { $0.key < $1.key }.map(\.value)
    default: nil
    }
  }

  /// Whether lists, dictionaries and objects are nested no deeper than that.
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

  /// How deep it is nested; only for what ``isWithin(depth:)`` has let pass.
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

/// A value without a literal, such as a reference. Objects are equal if their types and parts are equal.
package struct PredicateObject: Sendable, Hashable {
  /// The class name that `CAST` uses.
  package var type: String
  /// The values that identify the object.
  package var parts: [String: PredicateValue]
  /// Returns the value for a key of a key path; nil for an unknown key. Without a lookup, the parts are used.
  package var lookup: (@Sendable (String) -> PredicateValue?)?

  package init(
    type: String, parts: [String: PredicateValue], lookup: (@Sendable (String) -> PredicateValue?)? = nil
  ) {
    self.type = type
    self.parts = parts
    self.lookup = lookup
  }

  package static func == (one: PredicateObject, other: PredicateObject) -> Bool {
    one.type == other.type && one.parts == other.parts
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    hasher.combine(parts)
  }

  func value(forKey key: String) -> PredicateValue? { lookup.map { $0(key) } ?? parts[key] }
}

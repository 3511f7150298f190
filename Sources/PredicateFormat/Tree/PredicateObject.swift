/// A value that the language has no words for, such as a reference: equal to another of the same type and parts.
package struct PredicateObject: Sendable, Hashable {
  /// The class as `CAST` names it.
  package var type: String
  /// What makes the object this one.
  package var parts: [String: PredicateValue]
  /// Finds what a key path asks for; nil for a key that the object does not have. Without one the parts serve.
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

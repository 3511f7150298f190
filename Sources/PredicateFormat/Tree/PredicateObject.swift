/// A value without a literal, for example a reference. Objects are equal if their types and parts are equal.
package struct PredicateObject: Sendable, Hashable {
  /// The class name that `CAST` uses.
  package var type: String
  /// The values that identify the object.
  package var parts: [String: PredicateValue]
  /// In a separate object, because values are copied often and should be small.
  private let access: Access?

  private final class Access: Sendable {
    let lookup: (@Sendable (String) -> PredicateValue?)?
    let origin: (any Sendable)?

    init(_ lookup: (@Sendable (String) -> PredicateValue?)?, _ origin: (any Sendable)?) {
      (self.lookup, self.origin) = (lookup, origin)
    }
  }

  /// - Parameters:
  ///   - origin: the source of the value, for callers that need it back from a result. It is ignored by equality.
  ///   - lookup: returns the value for a key of a key path; nil for an unknown key. Without it, the parts are used.
  package init(
    type: String, parts: [String: PredicateValue], origin: (any Sendable)? = nil,
    lookup: (@Sendable (String) -> PredicateValue?)? = nil
  ) {
    self.type = type
    self.parts = parts
    access = lookup == nil && origin == nil ? nil : Access(lookup, origin)
  }

  package var origin: (any Sendable)? { access?.origin }

  package static func == (one: PredicateObject, other: PredicateObject) -> Bool {
    one.type == other.type && one.parts == other.parts
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    hasher.combine(parts)
  }

  func value(forKey key: String) -> PredicateValue? { access?.lookup.map { $0(key) } ?? parts[key] }
}

/// The reason why a predicate could not be evaluated.
package struct PredicateEvaluationError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    /// The operator or function does not take values of these types.
    case type
    /// `ANY` or `ALL` without a collection, or `IN` with a value that is not a collection.
    case collection
    /// A variable without a value.
    case variable
    /// A key that the object does not have.
    case key
    /// An index outside the bounds of the collection.
    case index
    /// An invalid regular expression, or one that uses an unsupported feature.
    case pattern
    case divisionByZero
    /// A part of the language that works only in other modules, for example `FETCH` in Core Data.
    case unsupported
    /// The evaluation exceeds the limit of depth or of steps.
    case limit
  }

  package let kind: Kind
  package let message: String

  package var description: String { message }

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}

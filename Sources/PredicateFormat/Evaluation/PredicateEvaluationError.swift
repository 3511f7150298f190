/// Why a predicate has no answer for what it was asked about.
package struct PredicateEvaluationError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    /// The operator or function does not take values of these types.
    case type
    /// `ANY` or `ALL` without a collection, `IN` with something that holds nothing.
    case collection
    /// A variable that nothing stands for.
    case variable
    /// A key that the object does not have.
    case key
    /// An index outside of the collection.
    case index
    /// A pattern that is no regular expression, or uses what is not supported.
    case pattern
    case divisionByZero
    /// Part of the language that has a meaning only elsewhere, such as `FETCH` in Core Data.
    case unsupported
    /// Deeper or more work than an evaluation may be.
    case limit
  }

  package let kind: Kind
  package let message: String

  package var description: String { message }

  init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}

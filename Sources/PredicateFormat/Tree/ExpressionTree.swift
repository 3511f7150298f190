/// An expression tree: one side of a comparison.
package indirect enum ExpressionTree: Sendable, Hashable {
  case constant(PredicateValue)
  /// `SELF`: the subject of the evaluation.
  case subject
  /// `$name`.
  case variable(String)
  /// `$name := value`.
  case assignment(String, ExpressionTree)
  /// `a.b` has the base ``subject``. Names that begin with `@` are collection operators.
  case keyPath(ExpressionTree, [String])
  case index(ExpressionTree, Index)
  /// `{a, b}` with a member that is not constant. A list of constants is itself a constant.
  case aggregate([ExpressionTree])
  /// A function of the language, or an operator of arithmetic.
  case call(PredicateFunction, [ExpressionTree])
  /// `FUNCTION(object, "selector:", argument)`.
  case method(ExpressionTree, String, [ExpressionTree])
  /// `SUBQUERY`: the members of the collection that match the predicate, with the variable bound to the member.
  case subquery(ExpressionTree, variable: String, PredicateTree)
  case ternary(PredicateTree, ExpressionTree, ExpressionTree)
  /// `FETCH(request, context, countOnly)`.
  case fetch(ExpressionTree, ExpressionTree, ExpressionTree)
  /// `ANYKEY`.
  case anyKey

  /// The index in brackets after a collection.
  package enum Index: Sendable, Hashable {
    case first
    case last
    case size
    case at(ExpressionTree)
  }

  /// A key path from the subject of the predicate.
  package static func key(_ names: String...) -> ExpressionTree { .keyPath(.subject, names) }

  /// Appends names to a key path, or creates a key path from this expression.
  package func appending(_ names: [String]) -> ExpressionTree {
    if names.isEmpty { return self }
    if case .keyPath(let base, let first) = self { return .keyPath(base, first + names) }
    return .keyPath(self, names)
  }
}

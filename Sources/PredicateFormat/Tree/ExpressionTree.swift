/// An expression as a value: one side of a comparison.
package indirect enum ExpressionTree: Sendable, Hashable {
  case constant(PredicateValue)
  /// `SELF`: what the predicate is evaluated with.
  case subject
  /// `$name`.
  case variable(String)
  /// `$name := value`.
  case assignment(String, ExpressionTree)
  /// `a.b` has the base ``subject``. Names that begin with `@` are collection operators.
  case keyPath(ExpressionTree, [String])
  case index(ExpressionTree, Index)
  /// `{a, b}` with something in it that is no constant; otherwise the list is a constant itself.
  case aggregate([ExpressionTree])
  /// A function of the language, or an operator of arithmetic.
  case call(PredicateFunction, [ExpressionTree])
  /// `FUNCTION(object, "selector:", argument)`.
  case method(ExpressionTree, String, [ExpressionTree])
  /// The members of the collection for which the predicate holds when the variable stands for them.
  case subquery(ExpressionTree, variable: String, PredicateTree)
  case ternary(PredicateTree, ExpressionTree, ExpressionTree)
  /// `FETCH(request, context, countOnly)`.
  case fetch(ExpressionTree, ExpressionTree, ExpressionTree)
  /// `ANYKEY`.
  case anyKey

  /// What stands in the brackets after a collection.
  package enum Index: Sendable, Hashable {
    case first
    case last
    case size
    case place(ExpressionTree)
  }

  /// A path from the subject of the predicate.
  package static func key(_ names: String...) -> ExpressionTree { .keyPath(.subject, names) }

  /// Further names after this expression; a path grows instead of being nested.
  func appending(_ names: [String]) -> ExpressionTree {
    if names.isEmpty { return self }
    if case .keyPath(let base, let first) = self { return .keyPath(base, first + names) }
    return .keyPath(self, names)
  }
}

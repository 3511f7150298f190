import LocalCloudPredicateFormat

/// Computes expressions for rows in the way predicates do. Related objects have the values that the view reads.
package struct RowExpressions {
  private let subjects: RowSubjects
  private var evaluator: PredicateEvaluator

  /// `now`: the value of `now()`, in seconds since the start of 2001. `matching`: the engine for `MATCHES`.
  package init(_ view: StoreView, now: Double, matching: PredicateEvaluator.Matching? = nil) {
    subjects = RowSubjects(view)
    evaluator = PredicateEvaluator(.constant(true), now: now, matching: matching)
  }

  /// Throws `PredicateEvaluationError` for an expression that has no value for the row.
  package mutating func value(of tree: ExpressionTree, for row: StoredRow) throws -> PredicateValue {
    let value = try evaluator.value(of: tree, for: subjects.subject(row))
    try subjects.requireSuccess()
    return value
  }
}

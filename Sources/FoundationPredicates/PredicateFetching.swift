import LocalCloudPredicateFormat

/// A Core Data context as an argument of `FETCH`. This module does not depend on Core Data.
package protocol PredicateFetching {
  /// The results of a request, or their number.
  func result(ofFetch request: Any?, countOnly: Bool) throws -> Any
}

extension PredicateEvaluator {
  /// An evaluator that executes `FETCH` with the program's contexts, and `MATCHES` with `NSRegularExpression`.
  package static func fetching(
    _ predicate: PredicateTree, variables: [String: PredicateValue] = [:]
  ) -> PredicateEvaluator {
    var evaluator = PredicateEvaluator(predicate, variables: variables, matching: TextPattern.matching)
    evaluator.fetch = { request, context, countOnly throws(PredicateEvaluationError) in
      guard let context = context.object as? any PredicateFetching else { return nil }
      do {
        return PredicateValue(object: try context.result(ofFetch: request.object, countOnly: countOnly))
      } catch {
        throw PredicateEvaluationError(.unsupported, "\(error)")
      }
    }
    return evaluator
  }
}

import LocalCloudPredicateFormat

/// A context of Core Data, which this module does not know, as `FETCH` is given it.
package protocol PredicateFetching {
  /// What a request finds, or how many.
  func result(ofFetch request: Any?, countOnly: Bool) throws -> Any
}

extension PredicateEvaluator {
  /// An evaluator for a program, whose contexts are at hand.
  package static func fetching(
    _ predicate: PredicateTree, variables: [String: PredicateValue] = [:]
  ) -> PredicateEvaluator {
    var evaluator = PredicateEvaluator(predicate, variables: variables)
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

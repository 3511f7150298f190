extension PredicateTree {
  /// Returns the tree with values substituted for variables. Variables without a value remain, and so do the variables
  /// of subqueries.
  package func substituting(_ values: [String: PredicateValue]) -> PredicateTree {
    if values.isEmpty { return self }
    return mapParts({ $0.substituting(values) }, { $0.substituting(values) })
  }
}

extension ExpressionTree {
  func substituting(_ values: [String: PredicateValue]) -> ExpressionTree {
    switch self {
    case .variable(let name): return values[name].map(ExpressionTree.constant) ?? self
    case .aggregate(let members):
      let members = members.map { $0.substituting(values) }
      let constants = members.compactMap { if case .constant(let value) = $0 { value } else { nil } }
      return constants.count == members.count ? .constant(.list(constants)) : .aggregate(members)
    case .subquery(let collection, let variable, let condition):
      var outer = values
      outer[variable] = nil
      return .subquery(collection.substituting(values), variable: variable, condition.substituting(outer))
    default: return mapParts({ $0.substituting(values) }, { $0.substituting(values) })
    }
  }
}

extension PredicateTree {
  /// Returns the tree with values in place of variables. Variables without a value are kept, and so are the variables
  /// of subqueries.
  package func substituting(_ values: [String: PredicateValue]) -> PredicateTree {
    if values.isEmpty { return self }
    switch self {
    case .constant: return self
    case .comparison(var comparison):
      comparison.left = comparison.left.substituting(values)
      comparison.right = comparison.right.substituting(values)
      return .comparison(comparison)
    case .and(let members): return .and(members.map { $0.substituting(values) })
    case .or(let members): return .or(members.map { $0.substituting(values) })
    case .not(let member): return .not(member.substituting(values))
    }
  }
}

extension ExpressionTree {
  func substituting(_ values: [String: PredicateValue]) -> ExpressionTree {
    switch self {
    case .constant, .subject, .anyKey: return self
    case .variable(let name): return values[name].map(ExpressionTree.constant) ?? self
    case .assignment(let name, let value): return .assignment(name, value.substituting(values))
    case .keyPath(let base, let names): return .keyPath(base.substituting(values), names)
    case .index(let base, .place(let place)):
      return .index(base.substituting(values), .place(place.substituting(values)))
    case .index(let base, let index): return .index(base.substituting(values), index)
    case .aggregate(let members):
      let members = members.map { $0.substituting(values) }
      let constants = members.compactMap { if case .constant(let value) = $0 { value } else { nil } }
      return constants.count == members.count ? .constant(.list(constants)) : .aggregate(members)
    case .call(let function, let arguments): return .call(function, arguments.map { $0.substituting(values) })
    case .method(let object, let selector, let arguments):
      return .method(object.substituting(values), selector, arguments.map { $0.substituting(values) })
    case .subquery(let collection, let variable, let condition):
      var outer = values
      outer[variable] = nil
      return .subquery(collection.substituting(values), variable: variable, condition.substituting(outer))
    case .ternary(let condition, let yes, let no):
      return .ternary(condition.substituting(values), yes.substituting(values), no.substituting(values))
    case .fetch(let request, let context, let countOnly):
      return .fetch(request.substituting(values), context.substituting(values), countOnly.substituting(values))
    }
  }
}

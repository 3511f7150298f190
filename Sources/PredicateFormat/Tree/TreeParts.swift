/// The child nodes of an expression or a predicate. A traversal of a whole tree uses them, and handles only special
/// kinds of nodes itself.
package struct TreeParts {
  package var expressions: [ExpressionTree] = []
  package var predicates: [PredicateTree] = []
}

extension ExpressionTree {
  package var parts: TreeParts {
    switch self {
    case .constant, .subject, .variable, .anyKey: TreeParts()
    case .assignment(_, let value): TreeParts(expressions: [value])
    case .keyPath(let base, _): TreeParts(expressions: [base])
    case .index(let base, .at(let position)): TreeParts(expressions: [base, position])
    case .index(let base, _): TreeParts(expressions: [base])
    case .aggregate(let members): TreeParts(expressions: members)
    case .call(_, let arguments): TreeParts(expressions: arguments)
    case .method(let object, _, let arguments): TreeParts(expressions: [object] + arguments)
    case .subquery(let collection, _, let condition): TreeParts(expressions: [collection], predicates: [condition])
    case .ternary(let condition, let yes, let no): TreeParts(expressions: [yes, no], predicates: [condition])
    case .fetch(let request, let context, let countOnly): TreeParts(expressions: [request, context, countOnly])
    }
  }

  /// The expression with its parts replaced by transformed ones.
  package func mapParts(
    _ expression: (ExpressionTree) -> ExpressionTree, _ predicate: (PredicateTree) -> PredicateTree
  ) -> ExpressionTree {
    switch self {
    case .constant, .subject, .variable, .anyKey: self
    case .assignment(let name, let value): .assignment(name, expression(value))
    case .keyPath(let base, let names): .keyPath(expression(base), names)
    case .index(let base, .at(let position)): .index(expression(base), .at(expression(position)))
    case .index(let base, let index): .index(expression(base), index)
    case .aggregate(let members): .aggregate(members.map(expression))
    case .call(let function, let arguments): .call(function, arguments.map(expression))
    case .method(let object, let selector, let arguments):
      .method(expression(object), selector, arguments.map(expression))
    case .subquery(let collection, let variable, let condition):
      .subquery(expression(collection), variable: variable, predicate(condition))
    case .ternary(let condition, let yes, let no): .ternary(predicate(condition), expression(yes), expression(no))
    case .fetch(let request, let context, let countOnly):
      .fetch(expression(request), expression(context), expression(countOnly))
    }
  }
}

extension PredicateTree {
  package var parts: TreeParts {
    switch self {
    case .constant: TreeParts()
    case .comparison(let comparison): TreeParts(expressions: [comparison.left, comparison.right])
    case .and(let members), .or(let members): TreeParts(predicates: members)
    case .not(let member): TreeParts(predicates: [member])
    }
  }

  /// The predicate with its parts replaced by transformed ones.
  package func mapParts(
    _ expression: (ExpressionTree) -> ExpressionTree, _ predicate: (PredicateTree) -> PredicateTree
  ) -> PredicateTree {
    switch self {
    case .constant: return self
    case .comparison(var comparison):
      comparison.left = expression(comparison.left)
      comparison.right = expression(comparison.right)
      return .comparison(comparison)
    case .and(let members): return .and(members.map(predicate))
    case .or(let members): return .or(members.map(predicate))
    case .not(let member): return .not(predicate(member))
    }
  }
}

/// Expressions as arguments of a format, and their depth.
extension ExpressionTree {
  /// The expression as an argument of a format. Parsing the format inserts the expression.
  package var argument: PredicateValue {
    if case .constant(let value) = self { return value }
    return .object(PredicateObject(type: "NSExpression", parts: [:], origin: self))
  }

  /// The expression in an argument, or an aggregate for a list with at least one expression; nil for other arguments.
  init?(argument: PredicateValue) {
    switch argument {
    case .object(let object):
      guard let tree = object.origin as? ExpressionTree else { return nil }
      self = tree
    case .list(let values):
      let trees = values.map { ExpressionTree(argument: $0) }
      guard trees.contains(where: { $0 != nil }) else { return nil }
      self = .aggregate(zip(trees, values).map { $0 ?? .constant($1) })
    default: return nil
    }
  }

  /// The depth as the parser counts it; nil if it exceeds `limit`.
  package func depth(within limit: Int) -> Int? {
    guard limit > 0 else { return nil }
    switch self {
    case .constant(let value): return value.isWithin(depth: limit) ? value.depth : nil
    case .keyPath(.subject, _): return 1
    default: return parts.depth(within: limit)
    }
  }
}

extension PredicateTree {
  /// The depth as the parser counts it; nil if it exceeds `limit`.
  package func depth(within limit: Int) -> Int? { limit > 0 ? parts.depth(within: limit) : nil }
}

extension TreeParts {
  /// The depth of a node with these parts.
  fileprivate func depth(within limit: Int) -> Int? {
    var deepest = 0
    for expression in expressions {
      guard let depth = expression.depth(within: limit - 1) else { return nil }
      deepest = max(deepest, depth)
    }
    for predicate in predicates {
      guard let depth = predicate.depth(within: limit - 1) else { return nil }
      deepest = max(deepest, depth)
    }
    return deepest + 1
  }
}

/// Expressions as arguments of a format, and their depth.
extension ExpressionTree {
  /// The expression as an argument of a format, which takes its place there.
  package var argument: PredicateValue {
    if case .constant(let value) = self { return value }
    return .object(PredicateObject(type: "NSExpression", parts: [:], origin: self))
  }

  /// The expression that an argument stands for, or the list of which some members are expressions; nil for others.
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

  /// The depth as the parser counts it; nil if it is more than `limit`.
  package func depth(within limit: Int) -> Int? {
    guard limit > 0 else { return nil }
    switch self {
    case .constant(let value): return value.isWithin(depth: limit) ? value.depth : nil
    case .subject, .variable, .anyKey: return 1
    case .assignment(_, let value): return Self.deepest([value], limit)
    case .keyPath(let base, _): return base == .subject ? 1 : Self.deepest([base], limit)
    case .index(let base, .place(let place)): return Self.deepest([base, place], limit)
    case .index(let base, _): return Self.deepest([base], limit)
    case .aggregate(let members): return Self.deepest(members, limit)
    case .call(_, let arguments): return Self.deepest(arguments, limit)
    case .method(let object, _, let arguments): return Self.deepest([object] + arguments, limit)
    case .subquery(let collection, _, let condition): return Self.deepest([collection], limit, condition)
    case .ternary(let condition, let yes, let no): return Self.deepest([yes, no], limit, condition)
    case .fetch(let request, let context, let countOnly): return Self.deepest([request, context, countOnly], limit)
    }
  }

  fileprivate static func deepest(
    _ trees: [ExpressionTree], _ limit: Int, _ condition: PredicateTree? = nil
  ) -> Int? {
    var deepest = 0
    if let condition {
      guard let depth = condition.depth(within: limit - 1) else { return nil }
      deepest = depth
    }
    for tree in trees {
      guard let depth = tree.depth(within: limit - 1) else { return nil }
      deepest = max(deepest, depth)
    }
    return deepest + 1
  }
}

extension PredicateTree {
  fileprivate func depth(within limit: Int) -> Int? {
    guard limit > 0 else { return nil }
    switch self {
    case .constant: return 1
    case .comparison(let comparison): return ExpressionTree.deepest([comparison.left, comparison.right], limit)
    case .and(let members), .or(let members):
      var deepest = 0
      for member in members {
        guard let depth = member.depth(within: limit - 1) else { return nil }
        deepest = max(deepest, depth)
      }
      return deepest + 1
    case .not(let member): return member.depth(within: limit - 1).map { $0 + 1 }
    }
  }
}

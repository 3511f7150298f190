extension PredicateTree {
  /// Returns the tree with the values of key paths that begin at constants, such as objects, in place of the paths. A path
  /// that has no value is kept.
  package func resolvingConstants() -> PredicateTree {
    switch self {
    case .constant: return self
    case .comparison(var comparison):
      comparison.left = comparison.left.resolvingConstants()
      comparison.right = comparison.right.resolvingConstants()
      return .comparison(comparison)
    case .and(let members): return .and(members.map { $0.resolvingConstants() })
    case .or(let members): return .or(members.map { $0.resolvingConstants() })
    case .not(let member): return .not(member.resolvingConstants())
    }
  }
}

extension ExpressionTree {
  fileprivate func resolvingConstants() -> ExpressionTree {
    switch self {
    case .constant, .subject, .variable, .anyKey: return self
    case .assignment(let name, let value): return .assignment(name, value.resolvingConstants())
    case .keyPath(let base, let names): return .keyPath(base.resolvingConstants(), names).resolved
    case .index(let base, .place(let place)):
      return .index(base.resolvingConstants(), .place(place.resolvingConstants())).resolved
    case .index(let base, let index): return .index(base.resolvingConstants(), index).resolved
    case .aggregate(let members): return .aggregate(members.map { $0.resolvingConstants() })
    case .call(let function, let arguments): return .call(function, arguments.map { $0.resolvingConstants() })
    case .method(let object, let selector, let arguments):
      return .method(object.resolvingConstants(), selector, arguments.map { $0.resolvingConstants() })
    case .subquery(let collection, let variable, let condition):
      return .subquery(collection.resolvingConstants(), variable: variable, condition.resolvingConstants())
    case .ternary(let condition, let yes, let no):
      return .ternary(condition.resolvingConstants(), yes.resolvingConstants(), no.resolvingConstants())
    case .fetch(let request, let context, let countOnly):
      return .fetch(request.resolvingConstants(), context.resolvingConstants(), countOnly.resolvingConstants())
    }
  }

  /// The value, if this is a key path or an index of a constant and has one.
  private var resolved: ExpressionTree {
    switch self {
    case .keyPath(.constant, _), .index(.constant, .place(.constant)), .index(.constant, .first),
      .index(.constant, .last), .index(.constant, .size):
      var evaluator = PredicateEvaluator(.constant(true))
      return (try? evaluator.value(of: self, for: .null)).map(ExpressionTree.constant) ?? self
    default: return self
    }
  }
}

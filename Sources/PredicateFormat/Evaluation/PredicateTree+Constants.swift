extension PredicateTree {
  /// Returns the tree with the values of key paths that begin at constants, such as objects, in place of the paths. A path
  /// that has no value is kept.
  package func resolvingConstants() -> PredicateTree {
    mapParts({ $0.resolvingConstants() }, { $0.resolvingConstants() })
  }
}

extension ExpressionTree {
  fileprivate func resolvingConstants() -> ExpressionTree {
    mapParts({ $0.resolvingConstants() }, { $0.resolvingConstants() }).resolved
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

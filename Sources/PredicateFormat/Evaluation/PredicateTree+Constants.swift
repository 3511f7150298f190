extension PredicateTree {
  /// Returns the tree with key paths that begin at constants, for example objects, replaced by their values. A path
  /// without a value remains.
  package func resolvingConstants() -> PredicateTree {
    mapParts({ $0.resolvingConstants() }, { $0.resolvingConstants() })
  }
}

extension ExpressionTree {
  fileprivate func resolvingConstants() -> ExpressionTree {
    mapParts({ $0.resolvingConstants() }, { $0.resolvingConstants() }).resolved
  }

  /// The value of a key path or an index of a constant; otherwise, or without a value, the expression itself.
  private var resolved: ExpressionTree {
    switch self {
    case .keyPath(.constant, _), .index(.constant, .at(.constant)), .index(.constant, .first),
      .index(.constant, .last), .index(.constant, .size):
      var evaluator = PredicateEvaluator(.constant(true))
      return (try? evaluator.value(of: self, for: .null)).map(ExpressionTree.constant) ?? self
    default: return self
    }
  }
}

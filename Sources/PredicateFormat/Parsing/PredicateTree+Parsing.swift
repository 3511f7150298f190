extension PredicateTree {
  /// Parses a predicate. `%@`, `%K` and the other conversions take the arguments in order. Surplus arguments are
  /// ignored, as in Foundation.
  package init(format: String, arguments: [PredicateValue] = []) throws(PredicateFormatError) {
    var parser = try FormatParser(format, arguments)
    let part = try parser.whole(.or)
    self = try parser.predicate(part)
  }
}

extension ExpressionTree {
  /// Parses an expression, as one side of a comparison.
  package init(format: String, arguments: [PredicateValue] = []) throws(PredicateFormatError) {
    var parser = try FormatParser(format, arguments)
    let part = try parser.whole(.bitwiseOr)
    self = try parser.expression(part)
  }
}

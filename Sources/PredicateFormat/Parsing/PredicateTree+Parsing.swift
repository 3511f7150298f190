extension PredicateTree {
  /// Reads a predicate; `%@`, `%K` and the other conversions take the arguments in the order of the text. Arguments that
  /// are left over are ignored, as Foundation does.
  package init(format: String, arguments: [PredicateValue] = []) throws(PredicateFormatError) {
    var parser = try FormatParser(format, arguments)
    let part = try parser.whole(.or)
    self = try parser.predicate(part)
  }
}

extension ExpressionTree {
  /// Reads an expression, as one side of a comparison.
  package init(format: String, arguments: [PredicateValue] = []) throws(PredicateFormatError) {
    var parser = try FormatParser(format, arguments)
    let part = try parser.whole(.bitwiseOr)
    self = try parser.expression(part)
  }
}

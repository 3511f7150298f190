extension PredicateTree {
  /// Parses a predicate.
  ///
  /// - Parameters:
  ///   - format: The text in the predicate format language.
  ///   - arguments: The values for `%@`, `%K` and the other conversions, in order. Surplus arguments are ignored, as in
  ///     Foundation.
  /// - Throws: ``PredicateFormatError`` for an invalid format and for missing arguments.
  package init(format: String, arguments: [PredicateValue] = []) throws(PredicateFormatError) {
    var parser = try FormatParser(format, arguments)
    let part = try parser.whole(.or)
    self = try parser.predicate(part)
  }
}

extension ExpressionTree {
  /// Parses an expression, as one side of a comparison. The parameters and errors are those of
  /// ``PredicateTree/init(format:arguments:)``.
  package init(format: String, arguments: [PredicateValue] = []) throws(PredicateFormatError) {
    var parser = try FormatParser(format, arguments)
    let part = try parser.whole(.bitwiseOr)
    self = try parser.expression(part)
  }
}

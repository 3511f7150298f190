extension Rewriter {
  /// `#keyPath(Person.home.city)` becomes `"home.city"`: the names of types come first, in capitals.
  mutating func keyPath(_ expression: PoundExpression) {
    // The first check ends at an expression in the expression.
    guard expression.tokens.allSatisfy({ $0.isName || $0.isPunctuation(".") }),
      expression.tokens.contains(where: \.isName)
    else { return refuse(expression, "expected the properties' names in #keyPath") }
    let names = expression.tokens.filter(\.isName).map(\.name)
    let typeCount = min(names.prefix { $0.first?.isUppercase == true }.count, names.count - 1)
    var keys = Array(names[typeCount...])
    let scope = expression.type.map { declarations.types[$0].path } ?? []
    let property =
      if typeCount > 0 {
        index.property(keys[0], of: names[..<typeCount].joined(separator: "."), in: scope)
      } else {
        expression.type.flatMap { index.property(keys[0], of: declarations.types[$0].name, in: []) }
      }
    if let property { keys[0] = property.key }
    edits.replace(expression.range, with: Self.literal(keys.joined(separator: ".")))
  }

  mutating func refuse(_ expression: PoundExpression, _ message: String) {
    report(.error, at: expression.range.lowerBound, in: expression.condition, message)
  }
}

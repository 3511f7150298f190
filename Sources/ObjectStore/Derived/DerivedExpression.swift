import LocalCloudPredicateFormat

/// The parsed form of a derived attribute's expression, as the model declares it.
enum DerivedExpression: Sendable, Hashable {
  /// The time of the save.
  case now
  /// The value at the end of a key path over to-one relationships, optionally converted by a text function.
  case value([String], PredicateFunction?)
  /// The number of targets of a to-many relationship.
  case count(relationship: String)
  /// The sum of one of the targets' attributes.
  case sum(relationship: String, attribute: String)

  /// Nil for an expression of another form.
  init?(_ text: String) {
    guard let tree = try? ExpressionTree(format: text) else { return nil }
    switch tree {
    case .call(.now, _): self = .now
    case .call(let function, let arguments):
      guard [.canonical, .uppercase, .lowercase].contains(function), arguments.count == 1,
        case .keyPath(.subject, let names) = arguments[0], !names.contains(where: Self.isOperator)
      else { return nil }
      self = .value(names, function)
    case .keyPath(.subject, let names):
      guard let index = names.firstIndex(where: Self.isOperator) else {
        self = .value(names, nil)
        return
      }
      let others = names.filter { !Self.isOperator($0) }
      switch (names[index], names.count) {
      case ("@count", 2) where index == 1: self = .count(relationship: others[0])
      // Both `items.@sum.price`, as in key paths, and `items.price.@sum` are in use.
      case ("@sum", 3) where index > 0 && others.count == 2: self = .sum(relationship: others[0], attribute: others[1])
      default: return nil
      }
    default: return nil
    }
  }

  private static func isOperator(_ name: String) -> Bool { name.hasPrefix("@") }
}

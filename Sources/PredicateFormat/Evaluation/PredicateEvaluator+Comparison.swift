extension PredicateEvaluator {
  /// Evaluates one comparison, without `ANY` or `ALL`.
  mutating func compare(
    _ left: PredicateValue, _ comparison: PredicateComparison, _ right: PredicateValue
  ) throws(PredicateEvaluationError) -> Bool {
    let options = comparison.options
    switch comparison.comparator {
    case .equal: return try equal(left, right, options)
    case .notEqual: return try !equal(left, right, options)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      // A comparison with nil is false.
      if left == .null || right == .null { return false }
      let order = try order(left, right, comparison.comparator.rawValue, options)
      switch comparison.comparator {
      case .less: return order == .less
      case .lessOrEqual: return order == .less || order == .same
      case .greater: return order == .greater
      default: return order == .greater || order == .same
      }
    case .between: return try between(left, right, options)
    case .in: return try contains(right, left, options)
    case .contains: return try contains(left, right, options)
    case .tokenMatches: return try tokenMatches(left, right, options)
    case .beginsWith, .endsWith, .like, .matches, .typeEquals, .typeConforms:
      return try compareStrings(left, comparison, right)
    }
  }

  // MARK: Equality and order

  mutating func equal(
    _ one: PredicateValue, _ other: PredicateValue, _ options: PredicateComparison.Options
  ) throws(PredicateEvaluationError) -> Bool {
    switch (one, other) {
    case (.string(let one), .string(let other)):
      try charge(min(one.utf8.count, other.utf8.count) / 16)
      return StringFolding.areEqual(one, other, options)
    case (.integer, .double), (.double, .integer), (.double, .double):
      return Numbers.order(one, other) == .same
    case (.list(let ones), .list(let others)):
      guard ones.count == others.count else { return false }
      return try nested { (evaluator) throws(PredicateEvaluationError) in
        for (one, other) in zip(ones, others) where try !evaluator.equal(one, other, options) { return false }
        return true
      }
    case (.dictionary(let ones), .dictionary(let others)): return try equal(ones, others, options)
    case (.object(let one), .object(let other)):
      guard one.type == other.type else { return false }
      return try equal(one.parts, other.parts, [])
    default:
      try charge()
      return one == other
    }
  }

  private mutating func equal(
    _ ones: [String: PredicateValue], _ others: [String: PredicateValue], _ options: PredicateComparison.Options
  ) throws(PredicateEvaluationError) -> Bool {
    guard ones.count == others.count else { return false }
    return try nested { (evaluator) throws(PredicateEvaluationError) in
      for (key, one) in ones {
        guard let other = others[key], try evaluator.equal(one, other, options) else { return false }
      }
      return true
    }
  }

  /// The order of two values of one type. Throws for values of different types.
  func order(
    _ one: PredicateValue, _ other: PredicateValue, _ comparator: String,
    _ options: PredicateComparison.Options = []
  ) throws(PredicateEvaluationError) -> Numbers.Order {
    switch (one, other) {
    case (.integer, .integer), (.integer, .double), (.double, .integer), (.double, .double):
      return Numbers.order(one, other)
    case (.date(let one), .date(let other)): return Numbers.order(.double(one), .double(other))
    case (.string(let one), .string(let other)):
      let (first, second) = (StringFolding.folded(one, options), StringFolding.folded(other, options))
      return first == second ? .same : first < second ? .less : .greater
    default:
      throw PredicateEvaluationError(
        .type, "\(one.shortText) and \(other.shortText) can't be compared with \(comparator)")
    }
  }

  private mutating func between(
    _ value: PredicateValue, _ bounds: PredicateValue, _ options: PredicateComparison.Options
  ) throws(PredicateEvaluationError) -> Bool {
    guard case .list(let bounds) = bounds, bounds.count == 2 else {
      throw PredicateEvaluationError(.collection, "BETWEEN needs a list of two bounds, not \(bounds.shortText)")
    }
    if value == .null || bounds.contains(.null) { return false }
    let (lower, upper) = (
      try order(bounds[0], value, "BETWEEN", options), try order(value, bounds[1], "BETWEEN", options)
    )
    return (lower == .less || lower == .same) && (upper == .less || upper == .same)
  }

  // MARK: Membership

  /// Whether a collection contains an element, or a string another string; false for nil.
  private mutating func contains(
    _ collection: PredicateValue, _ element: PredicateValue, _ options: PredicateComparison.Options
  ) throws(PredicateEvaluationError) -> Bool {
    switch collection {
    case .null: return false
    case .list, .dictionary:
      for member in collection.elements ?? [] where try equal(member, element, options) { return true }
      return false
    case .string(let text):
      if element == .null { return false }
      guard case .string(let part) = element else { throw notStrings(collection, element) }
      try charge((text.utf8.count + part.utf8.count) / 16)
      if options.contains(.normalized) { return SubstringSearch.contains(text, part) }
      return SubstringSearch.contains(StringFolding.folded(text, options), StringFolding.folded(part, options))
    default:
      throw PredicateEvaluationError(
        .collection, "Can't use in/contains operator with collection \(collection.shortText) (not a collection)")
    }
  }

  /// Whether a word of the text or texts on the right is one of the words on the left.
  private mutating func tokenMatches(
    _ left: PredicateValue, _ right: PredicateValue, _ options: PredicateComparison.Options
  ) throws(PredicateEvaluationError) -> Bool {
    if left == .null || right == .null { return false }
    let tokens = Set(try self.tokens(left, options))
    return try self.tokens(right, options).contains(where: tokens.contains)
  }

  mutating func tokens(
    _ value: PredicateValue, _ options: PredicateComparison.Options
  ) throws(PredicateEvaluationError) -> [String] {
    var tokens: [String] = []
    for element in value.elements ?? [value] {
      guard case .string(let text) = element else {
        throw PredicateEvaluationError(.type, "Words are found only in strings, not in \(element.shortText)")
      }
      try charge(text.utf8.count)
      tokens += StringFolding.tokens(text, options)
    }
    return tokens
  }

  // MARK: Strings

  private mutating func compareStrings(
    _ left: PredicateValue, _ comparison: PredicateComparison, _ right: PredicateValue
  ) throws(PredicateEvaluationError) -> Bool {
    if left == .null || right == .null { return false }
    guard case .string(let left) = left, case .string(let right) = right else { throw notStrings(left, right) }
    try charge((left.utf8.count + right.utf8.count) / 16)
    let options = comparison.options
    if options.contains(.normalized), comparison.comparator == .beginsWith || comparison.comparator == .endsWith {
      return comparison.comparator == .beginsWith
        ? left.utf8.starts(with: right.utf8) : left.utf8.reversed().starts(with: right.utf8.reversed())
    }
    if comparison.comparator == .matches {
      let marks = options.intersection(.diacriticInsensitive)
      return try matchesExpression(StringFolding.folded(left, marks), StringFolding.folded(right, marks), options)
    }
    let (text, pattern) = (StringFolding.folded(left, options), StringFolding.folded(right, options))
    switch comparison.comparator {
    case .beginsWith: return text.hasPrefix(pattern)
    case .endsWith: return text.hasSuffix(pattern)
    case .like:
      return try WildcardPattern(pattern).matches(text) { (count) throws(PredicateEvaluationError) in try charge(count)
      }
    case .typeEquals: return StringFolding.areEqual(left, right, .caseInsensitive)
    default:
      throw PredicateEvaluationError(.unsupported, "UTI-CONFORMS-TO needs the system's list of types")
    }
  }

  private func notStrings(_ left: PredicateValue, _ right: PredicateValue) -> PredicateEvaluationError {
    PredicateEvaluationError(
      .type,
      "Can't do a substring operation with something that isn't a string "
        + "(lhs = \(left.shortText) rhs = \(right.shortText))")
  }
}

extension PredicateValue {
  /// The start of the value's text, for messages.
  var shortText: String {
    let text: String
    switch self {
    case .string(let string): text = PredicatePrinter.quoted(String(string.prefix(60)))
    case .list(let values): text = "a list of \(values.count)"
    case .dictionary(let values): text = "a dictionary of \(values.count)"
    case .object(let object): text = object.type
    default: text = (try? ExpressionTree.constant(self).format) ?? "a value"
    }
    return text
  }
}

extension FormatParser {
  /// Reads a form that looks like a call but has its own syntax. The current token is the keyword or the parenthesis
  /// after it.
  mutating func form(_ keyword: String, at start: Int) throws(PredicateFormatError) -> Part {
    if token.keyword == keyword { try advance() }
    try sign(.open)
    var tree: ExpressionTree
    var parts: [Part]
    switch keyword {
    case "SUBQUERY":
      let collection = try part(.bitwiseOr)
      try sign(.comma)
      guard case .variable(let variable) = token.kind else { throw expected("a variable such as $x") }
      try advance()
      try sign(.comma)
      let condition = try part(.or)
      tree = .subquery(try expression(collection), variable: variable, try predicate(condition))
      parts = [collection, condition]
    case "TERNARY":
      let condition = try part(.or)
      let conditionTree = try predicate(condition)
      try sign(.comma)
      let yes = try part(.bitwiseOr)
      try sign(.comma)
      let no = try part(.bitwiseOr)
      tree = .ternary(conditionTree, try expression(yes), try expression(no))
      parts = [condition, yes, no]
    case "FUNCTION":
      let object = try part(.bitwiseOr)
      try sign(.comma)
      guard case .string(let selector) = token.kind else { throw expected("a selector in quotes") }
      try advance()
      parts = [object]
      if token.sign == .comma {
        try advance()
        parts += try expressions()
      }
      let trees = try trees(parts)
      tree = .method(trees[0], selector, Array(trees.dropFirst()))
    case "FETCH":
      parts = try expressions()
      let trees = try trees(parts)
      guard trees.count == 3 else { throw lexer.failure("FETCH takes a request, a context and a flag", at: start) }
      tree = .fetch(trees[0], trees[1], trees[2])
    default:
      parts = try expressions()
      let trees = try trees(parts)
      guard trees.count == 2 else { throw lexer.failure("CAST takes a value and the name of a type", at: start) }
      tree = ConstantCast.folded(trees[0], trees[1])
    }
    try sign(.close)
    // A constant made by a cast has the depth of the list it is made of.
    if case .constant(let value) = tree { return try postfixed(tree, depth: value.depth, at: start) }
    return try postfixed(tree, depth: made(tree, over: parts, at: start).depth, at: start)
  }

  /// Reads a call of a function of the language. The current token is the parenthesis.
  mutating func call(_ name: String, at start: Int) throws(PredicateFormatError) -> Part {
    try sign(.open)
    let parts = token.sign == .close ? [] : try expressions()
    let trees = try trees(parts)
    guard token.sign == .close else { throw expected("',' or ')'") }
    guard let function = PredicateFunction(name: name, argumentCount: parts.count) else {
      let selector = parts.isEmpty || name.hasSuffix(":") ? name : name + ":"
      throw PredicateFormatError(
        "there is no function \(PredicatePrinter.quoted(String(name.prefix(80))))", at: start, in: lexer.bytes,
        reason: "Unable to parse function name '\(name)' into supported selector (\(selector))")
    }
    let counts = function.argumentCounts
    guard counts.contains(parts.count) else {
      let wanted = counts.lowerBound == 1 ? "1 argument" : "\(counts.lowerBound) arguments"
      throw lexer.failure("\(function.rawValue) takes \(wanted), not \(parts.count)", at: start)
    }
    try advance()
    let tree: ExpressionTree
    switch function {
    case .cast: tree = ConstantCast.folded(trees[0], trees[1])
    case .element: tree = .index(trees[0], .at(trees[1]))
    default: tree = .call(function, trees)
    }
    if case .constant(let value) = tree { return try postfixed(tree, depth: value.depth, at: start) }
    return try postfixed(tree, depth: made(tree, over: parts, at: start).depth, at: start)
  }

  private func trees(_ parts: [Part]) throws(PredicateFormatError) -> [ExpressionTree] {
    var trees: [ExpressionTree] = []
    for part in parts { trees.append(try expression(part)) }
    return trees
  }
}

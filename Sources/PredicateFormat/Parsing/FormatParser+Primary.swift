extension FormatParser {
  /// Reads an operand without a sign before it: a literal, a key, a call or a parenthesis, with its key path and
  /// indexes.
  mutating func primary() throws(PredicateFormatError) -> Part {
    let start = token.range.lowerBound
    switch token.kind {
    case .integer(let number):
      try advance()
      let value = Int64(exactly: number).map(PredicateValue.integer) ?? .double(Double(number))
      return try postfixed(.constant(value), depth: 1, at: start)
    case .double(let number):
      try advance()
      return try postfixed(.constant(.double(number)), depth: 1, at: start)
    case .string(let text):
      try advance()
      return try postfixed(.constant(.string(text)), depth: 1, at: start)
    case .variable(let name): return try variable(name)
    case .argument(let specifier): return try substituted(specifier)
    case .collectionOperator(let name):
      try advance()
      return try postfixed(.subject, [name], depth: 1, at: start)
    case .selector(let name):
      try advance()
      return try call(name, at: start)
    case .word(let word, let isEscaped): return try self.word(word, isEscaped)
    case .sign(.open):
      try advance()
      let inner = try part(.or)
      try sign(.close)
      guard case .expression(let expression) = inner.content else { return inner }
      return try postfixed(expression, depth: inner.depth, at: start)
    case .sign(.openList): return try list()
    case .sign(.dot):
      // The number begins with its decimal point.
      lexer.offset = start
      guard lexer.isFraction else {
        lexer.offset = token.range.upperBound
        throw expected("an expression")
      }
      let number = try lexer.fraction(from: start)
      try advance()
      return try postfixed(.constant(.double(number)), depth: 1, at: start)
    case .sign, .end: throw expected("an expression")
    }
  }

  private mutating func word(_ word: String, _ isEscaped: Bool) throws(PredicateFormatError) -> Part {
    let start = token.range.lowerBound
    if let keyword = token.keyword {
      if let constant = Self.constants[keyword] {
        try advance()
        return try postfixed(constant, depth: 1, at: start)
      }
      if keyword == "CAST" || keyword == "SUBQUERY" || keyword == "FETCH" { return try form(keyword, at: start) }
      guard !ASCIIWord.reserved.contains(keyword) else {
        guard Self.possibleKeys.contains(keyword) else { throw expected("an expression") }
        throw lexer.failure("'\(word)' is a reserved word: write #\(word) for a key of that name", at: start)
      }
      try advance()
      guard token.sign == .open else { return try postfixed(.subject, [word], depth: 1, at: start) }
      if keyword == "TERNARY" || keyword == "FUNCTION" { return try form(keyword, at: start) }
      return try call(word, at: start)
    }
    try advance()
    if !isEscaped, token.sign == .open { return try call(word, at: start) }
    return try postfixed(.subject, [word], depth: 1, at: start)
  }

  private static let constants: [String: ExpressionTree] = [
    "NULL": .constant(.null), "NIL": .constant(.null), "TRUE": .constant(.boolean(true)),
    "YES": .constant(.boolean(true)), "FALSE": .constant(.boolean(false)), "NO": .constant(.boolean(false)),
    "SELF": .subject, "ANYKEY": .anyKey,
  ]
  private static let possibleKeys: Set<String> = ["FIRST", "LAST", "SIZE", "CI", "CASEINSENSITIVE"]

  private mutating func variable(_ name: String) throws(PredicateFormatError) -> Part {
    let start = token.range.lowerBound
    try advance()
    guard token.sign == .assign else { return try postfixed(.variable(name), depth: 1, at: start) }
    try advance()
    let value = try part(.bitwiseOr)
    return try made(.assignment(name, expression(value)), over: [value], at: start)
  }

  private mutating func list() throws(PredicateFormatError) -> Part {
    let start = token.range.lowerBound
    try advance()
    var parts: [Part] = []
    if token.sign != .closeList { parts = try expressions() }
    try sign(.closeList)
    var values: [PredicateValue] = []
    var members: [ExpressionTree] = []
    for part in parts {
      let member = try expression(part)
      members.append(member)
      if case .constant(let value) = member { values.append(value) }
    }
    let tree = values.count == parts.count ? ExpressionTree.constant(.list(values)) : .aggregate(members)
    return try postfixed(tree, depth: made(tree, over: parts, at: start).depth, at: start)
  }

  /// Reads one or more expressions with commas between them.
  mutating func expressions() throws(PredicateFormatError) -> [Part] {
    var parts = [try part(.bitwiseOr)]
    while token.sign == .comma {
      try advance()
      parts.append(try part(.bitwiseOr))
    }
    return parts
  }

  // MARK: Substitution

  private mutating func substituted(_ specifier: FormatToken.Specifier) throws(PredicateFormatError) -> Part {
    let start = token.range.lowerBound
    if specifier == .keyPath {
      let names = try keyPathArgument()
      let isSubject = ["self", "SELF"].contains(names[0])
      return try postfixed(.subject, isSubject ? Array(names.dropFirst()) : names, depth: 1, at: start)
    }
    var value = try argument()
    if specifier == .object, let tree = ExpressionTree(argument: value) {
      guard let depth = tree.depth(within: PredicateTree.maximumDepth) else { throw tooDeep(start) }
      return try postfixed(tree, depth: depth, at: start)
    }
    guard value.isWithin(depth: PredicateTree.maximumDepth) else { throw tooDeep(start) }
    switch (specifier, value) {
    case (.object, _), (.integer, .integer), (.number, .double), (.text, .string): break
    case (.number, .integer(let number)): value = .double(Double(number))
    case (.text, .integer(let number)):
      guard let scalar = UInt32(exactly: number).flatMap(Unicode.Scalar.init) else {
        throw lexer.failure("the argument is no character", at: start)
      }
      value = .string(String(Character(scalar)))
    case (.integer, _): throw lexer.failure("the argument is no integer", at: start)
    case (.number, _): throw lexer.failure("the argument is no number", at: start)
    case (.text, _): throw lexer.failure("the argument is no string", at: start)
    case (.keyPath, _): break
    }
    return try postfixed(.constant(value), depth: value.depth, at: start)
  }

  private mutating func keyPathArgument() throws(PredicateFormatError) -> [String] {
    let start = token.range.lowerBound
    guard case .string(let path) = try argument() else {
      throw lexer.failure("the argument for %K is no string", at: start)
    }
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard names.allSatisfy({ !$0.isEmpty && $0 != "@" }) else {
      throw lexer.failure("the argument for %K has an empty key", at: start)
    }
    return names
  }

  // MARK: After an operand

  /// Reads the key path steps and indexes after an operand.
  mutating func postfixed(
    _ base: ExpressionTree, _ first: [String] = [], depth: Int, at start: Int
  ) throws(PredicateFormatError) -> Part {
    var (tree, names, depth) = (base, first, depth)
    while true {
      if token.sign == .dot {
        try advance()
        switch token.kind {
        case .word(let word, _): names.append(word)
        case .collectionOperator(let name): names.append(name)
        case .argument(.keyPath):
          names += try keyPathArgument()
          continue
        default: throw expected("a key after '.'")
        }
        try advance()
      } else if token.sign == .openIndex {
        (tree, depth) = try path(tree, names, depth, at: start)
        names = []
        try advance()
        let (index, inner) = try index()
        try sign(.closeIndex)
        tree = .index(tree, index)
        depth = max(depth, inner) + 1
      } else {
        (tree, depth) = try path(tree, names, depth, at: start)
        return Part(content: .expression(tree), depth: depth, start: start)
      }
      guard depth <= PredicateTree.maximumDepth else { throw tooDeep(start) }
    }
  }

  private func path(
    _ tree: ExpressionTree, _ names: [String], _ depth: Int, at start: Int
  ) throws(PredicateFormatError) -> (ExpressionTree, Int) {
    guard !names.isEmpty else { return (tree, depth) }
    switch tree {
    case .subject, .keyPath: return (tree.appending(names), depth)
    default:
      guard depth < PredicateTree.maximumDepth else { throw tooDeep(start) }
      return (tree.appending(names), depth + 1)
    }
  }

  private mutating func index() throws(PredicateFormatError) -> (ExpressionTree.Index, depth: Int) {
    let words: [String: ExpressionTree.Index] = ["FIRST": .first, "LAST": .last, "SIZE": .size]
    if let index = token.keyword.flatMap({ words[$0] }) {
      try advance()
      return (index, 0)
    }
    let part = try part(.bitwiseOr)
    return (.at(try expression(part)), part.depth)
  }
}

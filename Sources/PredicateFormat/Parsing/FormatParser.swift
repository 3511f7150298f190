/// Parses the predicate format language in one pass, by operator precedence and without backtracking.
///
/// Predicates and expressions share one grammar, because only the tokens after a parenthesis determine its contents. An
/// operator checks the kinds of its operands when it is applied. ``nestingLimit`` bounds the recursion,
/// ``PredicateTree/maximumDepth`` the depth of the tree.
struct FormatParser {
  /// A parsed part of the format, and the depth of its tree.
  struct Part {
    enum Content {
      case predicate(PredicateTree)
      case expression(ExpressionTree)
    }

    var content: Content
    var depth: Int
    /// The offset of its first byte.
    var start: Int
  }

  /// The precedence levels of operators, lowest first.
  enum Level: Int, Comparable {
    case or, and, not, comparison, bitwiseOr, bitwiseXor, bitwiseAnd, shift, sum, product, power, unary

    static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }

    /// The minimum level for the right operand of an operator of this level, so that chains are left-associative.
    var next: Level { Level(rawValue: rawValue + 1) ?? .unary }
  }

  /// The limit of recursion. It allows every printed tree of allowed depth, because a level of the tree needs at most a
  /// parenthesis and the right operand of an operator.
  static let nestingLimit = 2 * PredicateTree.maximumDepth + 10

  var lexer: FormatLexer
  var token: FormatToken
  private let arguments: [PredicateValue]
  private var argumentsUsed = 0
  private var nesting = 0

  init(_ format: String, _ arguments: [PredicateValue]) throws(PredicateFormatError) {
    lexer = FormatLexer(format)
    self.arguments = arguments
    token = try lexer.next()
  }

  mutating func whole(_ level: Level) throws(PredicateFormatError) -> Part {
    let part = try part(level)
    guard token.kind == .end else {
      throw expected(isPredicate(part) ? "AND, OR or the end" : "an operator or the end")
    }
    return part
  }

  /// Parses a part with operators of at least the given precedence.
  mutating func part(_ minimum: Level) throws(PredicateFormatError) -> Part {
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= Self.nestingLimit else { throw tooDeep(token.range.lowerBound) }
    var left = try prefixed(minimum)
    while true {
      if isPredicate(left), comparator != nil || arithmetic != nil { throw expected("AND, OR or the end") }
      if let level = compoundLevel, level >= minimum {
        left = try compound(left, level)
      } else if let comparator, minimum <= .comparison {
        left = try comparison(left, nil, comparator)
      } else if let (function, level) = arithmetic, level >= minimum {
        let first = try expression(left)
        try advance()
        let right = try part(level.next)
        let second = try expression(right)
        left = try made(.call(function, [first, second]), over: [left, right], at: left.start)
      } else {
        return left
      }
    }
  }

  // MARK: Operators

  private var compoundLevel: Level? {
    if token.sign == .and || token.keyword == "AND" { return .and }
    if token.sign == .or || token.keyword == "OR" { return .or }
    return nil
  }

  /// Parses the rest of a chain of one operator into one compound.
  private mutating func compound(_ first: Part, _ level: Level) throws(PredicateFormatError) -> Part {
    var members = [try predicate(first)]
    var depth = first.depth
    while compoundLevel == level {
      try advance()
      let member = try part(level.next)
      members.append(try predicate(member))
      depth = max(depth, member.depth)
    }
    return try made(level == .and ? .and(members) : .or(members), depth: depth + 1, at: first.start)
  }

  private var comparator: PredicateComparison.Operator? {
    if let sign = token.sign { return sign.comparator }
    return token.keyword.flatMap(Self.comparators.firstIndex(of:)).map { Self.wordComparators[$0] }
  }

  private static let wordComparators: [PredicateComparison.Operator] = [
    .between, .in, .contains, .beginsWith, .endsWith, .like, .matches, .tokenMatches, .typeConforms, .typeEquals,
  ]
  private static let comparators = wordComparators.map(\.rawValue)

  private mutating func comparison(
    _ left: Part, _ modifier: PredicateComparison.Modifier?, _ comparator: PredicateComparison.Operator
  ) throws(PredicateFormatError) -> Part {
    let first = try expression(left)
    try advance()
    let options = try options()
    let right = try part(.bitwiseOr)
    let second = try expression(right)
    let comparison = PredicateComparison(modifier: modifier, first, comparator, options: options, second)
    return try made(.comparison(comparison), depth: max(left.depth, right.depth) + 1, at: left.start)
  }

  /// Parses the options after an operator, for example `[cd]`.
  private mutating func options() throws(PredicateFormatError) -> PredicateComparison.Options {
    guard token.sign == .openIndex else { return [] }
    try advance()
    guard case .word(let letters, isEscaped: false) = token.kind,
      let options = PredicateComparison.Options(letters: letters)
    else { throw expected("the options c, d, n or l") }
    try advance()
    try sign(.closeIndex)
    return options
  }

  private var arithmetic: (PredicateFunction, Level)? {
    switch token.sign {
    case .bar: (.bitwiseOr, .bitwiseOr)
    case .caret: (.bitwiseXor, .bitwiseXor)
    case .ampersand: (.bitwiseAnd, .bitwiseAnd)
    case .shiftLeft: (.leftShift, .shift)
    case .shiftRight: (.rightShift, .shift)
    case .plus: (.add, .sum)
    case .minus: (.subtract, .sum)
    case .times: (.multiply, .product)
    case .divided: (.divide, .product)
    case .power: (.raise, .power)
    default: nil
    }
  }

  // MARK: Before an operand

  private mutating func prefixed(_ minimum: Level) throws(PredicateFormatError) -> Part {
    let start = token.range.lowerBound
    switch token.sign {
    case .not: return try negation(minimum)
    case .minus:
      try advance()
      // The only integer with a magnitude that does not fit into an Int64.
      if case .integer(1 << 63) = token.kind {
        try advance()
        return try postfixed(.constant(.integer(.min)), depth: 1, at: start)
      }
      return try applied(.negate, at: start)
    case .tilde:
      try advance()
      return try applied(.onesComplement, at: start)
    default: break
    }
    switch token.keyword {
    case "NOT": return try negation(minimum)
    case "ANY", "SOME": return try modified(.any, minimum)
    case "ALL": return try modified(.all, minimum)
    case "NONE":
      let inner = try modified(.any, minimum)
      return try made(.not(predicate(inner)), depth: inner.depth + 1, at: start)
    case "TRUEPREDICATE", "FALSEPREDICATE":
      let truth = token.keyword == "TRUEPREDICATE"
      try advance()
      return Part(content: .predicate(.constant(truth)), depth: 1, start: start)
    default: return try primary()
    }
  }

  private mutating func negation(_ minimum: Level) throws(PredicateFormatError) -> Part {
    guard minimum <= .not else { throw expected("an expression") }
    let start = token.range.lowerBound
    try advance()
    let inner = try part(.not)
    return try made(.not(predicate(inner)), depth: inner.depth + 1, at: start)
  }

  private mutating func modified(
    _ modifier: PredicateComparison.Modifier, _ minimum: Level
  ) throws(PredicateFormatError) -> Part {
    guard minimum <= .comparison else { throw expected("an expression") }
    let start = token.range.lowerBound
    try advance()
    var left = try part(.bitwiseOr)
    _ = try expression(left)
    guard let comparator else { throw expected("a comparison's operator") }
    left.start = start
    return try comparison(left, modifier, comparator)
  }

  /// Applies a sign to the operand that follows. The sign of a number becomes part of the number.
  private mutating func applied(_ function: PredicateFunction, at start: Int) throws(PredicateFormatError) -> Part {
    let operand = try part(.unary)
    let expression = try expression(operand)
    if function == .negate, case .constant(let value) = expression {
      switch value {
      case .integer(let number) where number != .min:
        return Part(content: .expression(.constant(.integer(-number))), depth: 1, start: start)
      case .integer(let number):
        return Part(content: .expression(.constant(.double(-Double(number)))), depth: 1, start: start)
      case .double(let number):
        return Part(content: .expression(.constant(.double(-number))), depth: 1, start: start)
      default: break
      }
    }
    return try made(.call(function, [expression]), over: [operand], at: start)
  }

  // MARK: Arguments

  /// The next argument, for the specifier that is the current token.
  mutating func argument() throws(PredicateFormatError) -> PredicateValue {
    let start = token.range.lowerBound
    guard argumentsUsed < arguments.count else {
      let count = arguments.count
      throw lexer.failure(
        "there \(count == 1 ? "is 1 argument" : "are \(count) arguments"), and this wants more", at: start)
    }
    let value = arguments[argumentsUsed]
    argumentsUsed += 1
    try advance()
    return value
  }

  // MARK: Parts

  func isPredicate(_ part: Part) -> Bool {
    if case .predicate = part.content { true } else { false }
  }

  func predicate(_ part: Part) throws(PredicateFormatError) -> PredicateTree {
    guard case .predicate(let tree) = part.content else { throw expected("a comparison's operator") }
    return tree
  }

  func expression(_ part: Part) throws(PredicateFormatError) -> ExpressionTree {
    guard case .expression(let tree) = part.content else {
      throw lexer.failure("expected an expression, found a predicate", at: part.start)
    }
    return tree
  }

  func made(_ tree: PredicateTree, depth: Int, at start: Int) throws(PredicateFormatError) -> Part {
    guard depth <= PredicateTree.maximumDepth else { throw tooDeep(start) }
    return Part(content: .predicate(tree), depth: depth, start: start)
  }

  func made(_ tree: ExpressionTree, over parts: [Part], at start: Int) throws(PredicateFormatError) -> Part {
    let depth = 1 + (parts.lazy.map(\.depth).max() ?? 0)
    guard depth <= PredicateTree.maximumDepth else { throw tooDeep(start) }
    return Part(content: .expression(tree), depth: depth, start: start)
  }

  // MARK: Tokens

  mutating func advance() throws(PredicateFormatError) { token = try lexer.next() }

  mutating func sign(_ sign: FormatToken.Sign) throws(PredicateFormatError) {
    guard token.sign == sign else { throw expected("'\(sign.rawValue)'") }
    try advance()
  }

  func expected(_ what: String) -> PredicateFormatError {
    guard token.kind != .end else {
      return lexer.failure("expected \(what), found the end", at: token.range.lowerBound)
    }
    var text = String(decoding: lexer.bytes[token.range].prefix(80), as: UTF8.self)
    if text.count > 40 { text = text.prefix(40) + "…" }
    return lexer.failure("expected \(what), found \(PredicatePrinter.quoted(text))", at: token.range.lowerBound)
  }

  func tooDeep(_ offset: Int) -> PredicateFormatError {
    lexer.failure("more than \(PredicateTree.maximumDepth) levels deep", at: offset)
  }
}

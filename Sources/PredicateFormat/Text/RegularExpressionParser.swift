/// Parses a regular expression.
struct RegularExpressionParser {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var nesting = 0
  private var flags: Flags

  struct Flags {
    var ignoresCase = false
    var dotTakesBreaks = false
    var anchorsMatchLines = false
  }

  init(_ pattern: String, ignoresCase: Bool) {
    scalars = Array(pattern.unicodeScalars)
    flags = Flags(ignoresCase: ignoresCase)
  }

  mutating func whole() throws(PredicateEvaluationError) -> RegularExpression.Node {
    let node = try choice()
    guard position == scalars.count else { throw failure("a ')' without '('") }
    return node
  }

  private func failure(_ message: String) -> PredicateEvaluationError {
    RegularExpression.failure("\(message), at character \(position + 1) of the expression")
  }

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  /// Skips a text if it is next; returns whether it was.
  private mutating func skip(_ text: String) -> Bool {
    let wanted = Array(text.unicodeScalars)
    guard scalars[position...].starts(with: wanted) else { return false }
    position += wanted.count
    return true
  }

  /// Reads the next scalar.
  private mutating func read() throws(PredicateEvaluationError) -> Unicode.Scalar {
    guard let next else { throw failure("something is missing at the end") }
    position += 1
    return next
  }

  // MARK: Structure

  private mutating func choice() throws(PredicateEvaluationError) -> RegularExpression.Node {
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= 100 else { throw failure("more than 100 groups in one another") }
    var choices = [try sequence()]
    while skip("|") { choices.append(try sequence()) }
    return choices.count == 1 ? choices[0] : .choice(choices)
  }

  private mutating func sequence() throws(PredicateEvaluationError) -> RegularExpression.Node {
    var nodes: [RegularExpression.Node] = []
    while let next, next != "|", next != ")" {
      let node = try quantified()
      if case .empty = node { continue }
      nodes.append(node)
    }
    return nodes.isEmpty ? .empty : .sequence(nodes)
  }

  private mutating func quantified() throws(PredicateEvaluationError) -> RegularExpression.Node {
    let node = try atom()
    var bounds: (Int, Int?)?
    if skip("*") {
      bounds = (0, nil)
    } else if skip("+") {
      bounds = (1, nil)
    } else if skip("?") {
      bounds = (0, 1)
    } else if skip("{") {
      bounds = try counts()
    }
    guard let (least, most) = bounds else { return node }
    // Laziness does not change whether the whole text matches, so it is ignored.
    if !skip("?"), next == "+" { throw failure("possessive quantifiers are not supported") }
    if let next, ["*", "+", "?", "{"].contains(next) { throw failure("a quantifier after a quantifier") }
    if case .empty = node { return .empty }
    return most == 0 ? .empty : .repetition(node, least, most)
  }

  private mutating func counts() throws(PredicateEvaluationError) -> (Int, Int?) {
    let least = try count()
    var most: Int? = least
    if skip(",") { most = next == "}" ? nil : try count() }
    guard skip("}"), most.map({ $0 >= least }) ?? true else { throw failure("expected {n}, {n,} or {n,m}") }
    return (least, most)
  }

  private mutating func count() throws(PredicateEvaluationError) -> Int {
    var digits = ""
    while let next, ("0"..."9").contains(next), digits.utf8.count < 6 {
      digits.unicodeScalars.append(next)
      position += 1
    }
    guard let count = Int(digits), count <= RegularExpression.maximumInstructions else {
      throw failure("expected a number of repetitions")
    }
    return count
  }

  // MARK: Atoms

  private mutating func atom() throws(PredicateEvaluationError) -> RegularExpression.Node {
    let scalar = try read()
    switch scalar {
    case "(": return try group()
    case "[": return .scalar(try set(ignoresCase: flags.ignoresCase))
    case ".":
      var all = ScalarSet.lineBreaks
      all.isNegated = true
      return .scalar(flags.dotTakesBreaks ? ScalarSet(members: [.range(0...0x10FFFF)]) : all)
    case "^": return .assertion(flags.anchorsMatchLines ? .lineStart : .textStart)
    case "$": return .assertion(flags.anchorsMatchLines ? .lineEnd : .textEndBeforeBreak)
    case "*", "+", "?", "{":
      position -= 1
      throw failure("a quantifier with nothing before it")
    case "\\": return try escaped()
    default: return .scalar(ScalarSet(scalar, ignoresCase: flags.ignoresCase))
    }
  }

  private mutating func group() throws(PredicateEvaluationError) -> RegularExpression.Node {
    let outer = flags
    if skip("?") {
      if skip("<"), next != "=", next != "!" {
        // The name of the group is not used.
        while try read() != ">" {}
      } else if !skip(":") {
        while let next, next != ":", next != ")" { try flag() }
        if skip(")") { return .empty }
        guard skip(":") else { throw failure("expected ')'") }
      }
    }
    let node = try choice()
    flags = outer
    guard skip(")") else { throw failure("expected ')'") }
    return node
  }

  private mutating func flag() throws(PredicateEvaluationError) {
    let isOff = skip("-")
    switch try read() {
    case "i": flags.ignoresCase = !isOff
    case "s": flags.dotTakesBreaks = !isOff
    case "m": flags.anchorsMatchLines = !isOff
    default:
      position -= 1
      throw failure("look-around, atomic groups and flags other than i, m and s are not supported")
    }
  }

  private mutating func escaped() throws(PredicateEvaluationError) -> RegularExpression.Node {
    switch next {
    case "b", "B", "A", "z", "Z":
      let assertions: [Unicode.Scalar: RegularExpression.Assertion] = [
        "b": .wordBoundary, "B": .noWordBoundary, "A": .textStart, "z": .textEnd, "Z": .textEndBeforeBreak,
      ]
      return .assertion(assertions[try read()] ?? .textEnd)
    case "Q":
      position += 1
      var nodes: [RegularExpression.Node] = []
      while position < scalars.count, !skip("\\E") {
        nodes.append(.scalar(ScalarSet(try read(), ignoresCase: flags.ignoresCase)))
      }
      return nodes.isEmpty ? .empty : .sequence(nodes)
    case "1", "2", "3", "4", "5", "6", "7", "8", "9", "k": throw failure("back references are not supported")
    case "G", "R", "X": throw failure("\\G, \\R and \\X are not supported")
    default: return .scalar(try escapedSet(ignoresCase: flags.ignoresCase))
    }
  }

  // MARK: Sets

  /// Parses what follows a backslash: a class or one scalar.
  private mutating func escapedSet(ignoresCase: Bool) throws(PredicateEvaluationError) -> ScalarSet {
    let scalar = try read()
    let classes: [Unicode.Scalar: ScalarSet.Member] = ["d": .digit, "w": .word, "s": .space]
    if let lower = scalar.properties.lowercaseMapping.unicodeScalars.first, let member = classes[lower] {
      return ScalarSet(members: [member], isNegated: lower != scalar)
    }
    if scalar == "p" || scalar == "P" {
      guard skip("{") else { throw failure("expected '{' after \\\(scalar)") }
      var name = ""
      while let next, next != "}", name.utf8.count < 3 {
        name.unicodeScalars.append(next)
        position += 1
      }
      guard skip("}"), ScalarSet.isCategory(name) else { throw failure("only general categories such as \\p{L} exist") }
      return ScalarSet(members: [.category(name)], isNegated: scalar == "P")
    }
    position -= 1
    return ScalarSet(try escapedScalar(), ignoresCase: ignoresCase)
  }

  private mutating func escapedScalar() throws(PredicateEvaluationError) -> Unicode.Scalar {
    let scalar = try read()
    let signs: [Unicode.Scalar: Unicode.Scalar] = [
      "n": "\n", "t": "\t", "r": "\r", "f": "\u{C}", "a": "\u{7}", "e": "\u{1B}",
    ]
    if let sign = signs[scalar] { return sign }
    switch scalar {
    case "0": return try code(digits: 3, radix: 8, isExact: false)
    case "u": return try code(digits: 4, radix: 16, isExact: true)
    case "U": return try code(digits: 8, radix: 16, isExact: true)
    case "x":
      guard skip("{") else { return try code(digits: 2, radix: 16, isExact: true) }
      let scalar = try code(digits: 6, radix: 16, isExact: false)
      guard skip("}") else { throw failure("expected '}'") }
      return scalar
    default:
      guard !scalar.properties.isAlphabetic else { throw failure("\\\(scalar) means nothing") }
      return scalar
    }
  }

  private mutating func code(
    digits: Int, radix: Int, isExact: Bool
  ) throws(PredicateEvaluationError) -> Unicode.Scalar {
    var text = ""
    while let next, Character(next).hexDigitValue.map({ $0 < radix }) == true, text.utf8.count < digits {
      text.unicodeScalars.append(next)
      position += 1
    }
    guard !isExact || text.utf8.count == digits, let value = UInt32(text, radix: radix),
      let scalar = Unicode.Scalar(value)
    else { throw failure("expected the digits of a character") }
    return scalar
  }

  /// Parses a set after its opening bracket.
  private mutating func set(ignoresCase: Bool) throws(PredicateEvaluationError) -> ScalarSet {
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= 100 else { throw failure("more than 100 groups in one another") }
    var set = ScalarSet(members: [], isNegated: skip("^"), ignoresCase: ignoresCase)
    var isFirst = true
    while isFirst || next != "]" {
      guard let start = next else { throw failure("expected ']'") }
      if start == "[", !isFirst || scalars.dropFirst(position + 1).first != "]" {
        position += 1
        guard next != ":" else { throw failure("names in [: :] are not supported") }
        set.members.append(.set(try self.set(ignoresCase: ignoresCase)))
      } else if skip("&&") || skip("--") {
        throw failure("intersections and differences of sets are not supported")
      } else if start == "\\", let letter = scalars.dropFirst(position + 1).first,
        "dDwWsSpP".unicodeScalars.contains(letter)
      {
        position += 1
        set.members.append(.set(try escapedSet(ignoresCase: false)))
      } else {
        let lower = try setScalar()
        var upper = lower
        if next == "-", scalars.dropFirst(position + 1).first.map({ $0 != "]" && $0 != "-" }) == true {
          position += 1
          upper = try setScalar()
        }
        guard lower <= upper else { throw failure("a range that runs backwards") }
        set.members.append(.range(lower.value...upper.value))
      }
      isFirst = false
    }
    position += 1
    return set
  }

  private mutating func setScalar() throws(PredicateEvaluationError) -> Unicode.Scalar {
    skip("\\") ? try escapedScalar() : try read()
  }
}

/// Finds the places of one source file where faults can be planted. Faults that do not compile are found by building,
/// and dropped.
package struct MutantFinder {
  private let file: String
  private let source: [UInt8]
  private let tokens: [SwiftToken]
  /// The indices in ``tokens`` of the first and last token of each line.
  private let lines: [Int: ClosedRange<Int>]
  /// The innermost bracket that is open at the beginning of each line.
  private let brackets: [Int: String]
  /// Lines in which nothing is planted: patterns, attributes, imports, and conditionally compiled code.
  private let shunned: Set<Int>

  package static func mutants(in source: [UInt8], file: String) -> [Mutant] {
    let finder = MutantFinder(source, file)
    return finder.conditions() + finder.operators() + finder.constants() + finder.statements()
  }

  private init(_ source: [UInt8], _ file: String) {
    self.source = source
    self.file = file
    tokens = SwiftLexer.tokens(of: source)
    var lines: [Int: ClosedRange<Int>] = [:]
    var brackets: [Int: String] = [:]
    var shunned: Set<Int> = []
    var open: [String] = []
    var directives = 0
    for (place, token) in tokens.enumerated() {
      if let known = lines[token.line] {
        lines[token.line] = known.lowerBound...place
      } else {
        lines[token.line] = place...place
        brackets[token.line] = open.last
        if ["case", "@", "import"].contains(token.text) { shunned.insert(token.line) }
      }
      if token.text == "#if" { directives += 1 }
      if directives > 0 { shunned.insert(token.line) }
      if token.text == "#endif" { directives -= 1 }
      if token.text == "where" { shunned.insert(token.line) }
      if ["(", "[", "{"].contains(token.text) { open.append(token.text) }
      if [")", "]", "}"].contains(token.text) { _ = open.popLast() }
    }
    (self.lines, self.brackets, self.shunned) = (lines, brackets, shunned)
  }

  private func mutant(
    _ kind: Mutant.Kind, _ change: String, _ range: Range<Int>, line: Int, _ replacement: String,
    _ declaration: String? = nil
  ) -> Mutant {
    let code = lines[line].map { text(tokens[$0.lowerBound].range.lowerBound..<tokens[$0.upperBound].range.upperBound) }
    return Mutant(
      kind: kind, file: file, line: line, code: code ?? "", change: change, range: range, replacement: replacement,
      declaration: declaration)
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: source[range], as: UTF8.self) }

  // MARK: Conditions

  /// Negates or omits each clause of an `if`, `guard` or `while` that binds nothing.
  private func conditions() -> [Mutant] {
    var result: [Mutant] = []
    for (place, token) in tokens.enumerated()
    where ["if", "guard", "while"].contains(token.text) && !follows(".", place) && !shunned.contains(token.line) {
      for clause in clauses(after: place, isGuard: token.text == "guard") {
        guard let (marker, code) = condition(clause) else { continue }
        let range = tokens[clause.lowerBound].range.lowerBound..<tokens[clause.upperBound - 1].range.upperBound
        let line = tokens[clause.lowerBound].line
        let fault = "plantedFault(\(Mutant.number))"
        result.append(mutant(.negatedCondition, "not (\(code))", range, line: line, "\(marker)(\(fault) != (\(code)))"))
        let without = token.text == "guard" ? "true" : "false"
        result.append(
          mutant(.leftOutGuard, "without \(code)", range, line: line, "\(marker)(\(fault) ? \(without) : (\(code)))"))
      }
    }
    return result
  }

  /// The clauses as ranges of indices in ``tokens``, each up to a comma or the end of the conditions.
  private func clauses(after start: Int, isGuard: Bool) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var depth = 0
    var begin = start + 1
    for place in begin..<tokens.count {
      let text = tokens[place].text
      if depth == 0, isGuard ? text == "else" : text == "{" {
        if begin < place { result.append(begin..<place) }
        return result
      }
      if depth == 0, text == "," {
        if begin < place { result.append(begin..<place) }
        begin = place + 1
      }
      if ["(", "[", "{"].contains(text) { depth += 1 }
      if [")", "]", "}"].contains(text) { depth -= 1 }
      if depth < 0 { return [] }
    }
    return []
  }

  /// Splits the clause into what must stay in front of it, and the rest; nil if it is not a plain condition.
  private func condition(_ clause: Range<Int>) -> (marker: String, code: String)? {
    let words = tokens[clause].map(\.text)
    guard let first = words.first, !["let", "var", "case"].contains(first),
      tokens[clause.lowerBound].kind != .directive,
      !words.contains("await"), !words.dropFirst().contains("try")
    else { return nil }
    let isTrying = first == "try"
    if isTrying, words.count < 2 || ["?", "!"].contains(words[1]) { return nil }
    let start = clause.lowerBound + (isTrying ? 1 : 0)
    let range = tokens[start].range.lowerBound..<tokens[clause.upperBound - 1].range.upperBound
    return (isTrying ? "try " : "", text(range))
  }

  // MARK: Operators

  private func operators() -> [Mutant] {
    tokens.enumerated().compactMap { place, token in
      guard token.kind == .operator, !shunned.contains(token.line), let swap = OperatorSwap.all[token.text],
        token.hasSpaceBefore == token.hasSpaceAfter, token.hasSpaceBefore != swap.isTight, place > 0,
        place + 1 < tokens.count, swap.kind != .movedBoundary || !sorts(token.line)
      else { return nil }
      return mutant(
        swap.kind, "\(token.text) becomes \(swap.other)", token.range, line: token.line, token.text + Mutant.symbol,
        swap.declaration(token.text))
    }
  }

  /// Whether the line sorts, or finds a minimum or maximum. There, `<=` gives the same result as `<`, apart from the
  /// order of equal items.
  private func sorts(_ line: Int) -> Bool {
    guard let places = lines[line] else { return false }
    return places.contains { place in
      ["sorted", "sort", "min", "max"].contains(tokens[place].text) && follows(".", place)
        && place + 1 < tokens.count && ["{", "("].contains(tokens[place + 1].text)
    }
  }

  // MARK: Constants

  private func constants() -> [Mutant] {
    tokens.enumerated().compactMap { place, token in
      guard !shunned.contains(token.line), !follows(".", place), let other = Self.otherConstant(token) else {
        return nil
      }
      let fault = "plantedFault(\(Mutant.number))"
      return mutant(
        .changedConstant, "\(token.text) becomes \(other)", token.range, line: token.line,
        "(\(fault) ? \(other) : \(token.text))")
    }
  }

  private static func otherConstant(_ token: SwiftToken) -> String? {
    switch (token.kind, token.text) {
    case (.word, "true"): return "false"
    case (.word, "false"): return "true"
    case (.number, _):
      let digits = token.text.filter { $0 != "_" }
      let number = digits.hasPrefix("0x") ? UInt64(digits.dropFirst(2), radix: 16) : UInt64(digits)
      return number.flatMap { $0 == .max ? nil : "\($0 + 1)" }
    default: return nil
    }
  }

  // MARK: Statements

  /// Assignments and calls on their own lines.
  private func statements() -> [Mutant] {
    lines.sorted { $0.key < $1.key }.compactMap { line, places in
      let (first, last) = (places.lowerBound, places.upperBound)
      guard brackets[line] == "{", !shunned.contains(line), first > 0, tokens[first].kind == .word,
        !Self.notStatements.contains(tokens[first].text), isWhole(places),
        isEnd(first - 1), last + 1 == tokens.count || tokens[last + 1].kind != .operator,
        tokens[last].text == ")" || assigns(places), !(tokens[first].text == "super")
      else { return nil }
      let range = tokens[first].range.lowerBound..<tokens[last].range.upperBound
      return mutant(
        .leftOutStatement, "without it", range, line: line, "if !plantedFault(\(Mutant.number)) { \(text(range)) }")
    }
  }

  private func isWhole(_ places: ClosedRange<Int>) -> Bool {
    var depth = 0
    for place in places {
      if ["(", "[", "{"].contains(tokens[place].text) { depth += 1 }
      if [")", "]", "}"].contains(tokens[place].text) { depth -= 1 }
      if depth < 0 { return false }
    }
    return depth == 0
  }

  private func assigns(_ places: ClosedRange<Int>) -> Bool {
    var depth = 0
    for place in places {
      if ["(", "[", "{"].contains(tokens[place].text) { depth += 1 }
      if [")", "]", "}"].contains(tokens[place].text) { depth -= 1 }
      if depth == 0, ["=", "+=", "-=", "|=", "&=", "^=", "*="].contains(tokens[place].text) { return true }
    }
    return false
  }

  /// Whether a statement can begin after this token.
  private func isEnd(_ place: Int) -> Bool {
    let token = tokens[place]
    return token.kind != .operator && !["(", "[", ",", ":", "@", "\\"].contains(token.text)
  }

  private func follows(_ text: String, _ place: Int) -> Bool {
    place > 0 && tokens[place - 1].kind == .operator && tokens[place - 1].text.hasSuffix(text)
      && tokens[place - 1].range.upperBound == tokens[place].range.lowerBound
  }

  /// Words that begin a line which is neither an assignment nor a call.
  private static let notStatements: Set<String> = [
    "actor", "associatedtype", "async", "break", "catch", "class", "continue", "convenience", "default", "defer",
    "deinit",
    "do", "else", "enum", "extension", "fallthrough", "fileprivate", "final", "for", "func", "get", "guard", "if",
    "import", "indirect", "infix", "init", "internal", "lazy", "let", "mutating", "nonisolated", "nonmutating", "open",
    "operator", "override", "package", "private", "protocol", "public", "repeat", "required", "return", "set", "static",
    "struct", "subscript", "switch", "throw", "typealias", "unowned", "var", "weak", "where", "while", "willSet",
    "didSet",
    "preconditionFailure", "fatalError", "precondition", "assert", "assertionFailure",
  ]
}

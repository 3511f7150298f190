extension DeclarationScanner {
  /// Reads a member of a type; returns the index of its value, of its braces, or of the token after it.
  mutating func member(_ head: Head, of type: Int) -> Int? {
    var member = Member(
      kind: .other, attributes: head.attributes, modifiers: head.modifiers, keyword: code[head.keyword].range,
      name: code[min(head.keyword + 1, code.count - 1)].range, condition: conditions.current)
    let next: Int
    switch code[head.keyword].text {
    case "var": next = variables(&member, from: head.keyword + 1, isConstant: false)
    case "let": next = variables(&member, from: head.keyword + 1, isConstant: true)
    case "func":
      // An operator is of several tokens, `<` among them.
      let name = code[head.keyword + 1].name
      var open = head.keyword + 2
      while let token = token(open), !token.isPunctuation("("), !token.isPunctuation("<") || !code[open - 1].isName {
        open += 1
      }
      if isPunctuation(open, "<") { open = afterAngles(open) }
      let (parameters, end) = signature(open)
      member.kind = .function(name: name, parameters: parameters)
      next = end
    case "init":
      var open = head.keyword + 1
      if isPunctuation(open, "?") || isPunctuation(open, "!") { open += 1 }
      if isPunctuation(open, "<") { open = afterAngles(open) }
      let (parameters, end) = signature(open)
      member.kind = .initializer(parameters: parameters, callsManagedInitializer: callsManagedInitializer(end))
      next = end
    default:
      // A subscript: nothing of it is rewritten but its attributes.
      return nil
    }
    member.signatureEnd = code[next - 1].range.upperBound
    result.types[type].members.append(member)
    if result.types[type].kind == .extension, member.has("override"),
      let override = ExtensionOverride(member, source, code[head.keyword + 1..<next])
    {
      result.types[type].overrides.append(override)
    }
    return next
  }

  // MARK: Properties

  private func variables(_ member: inout Member, from start: Int, isConstant: Bool) -> Int {
    var variables: [Member.Variable] = []
    var index = start
    while let name = token(index), name.isName {
      index += 1
      var variable = Member.Variable(name: name.name, end: name.range.upperBound)
      if isPunctuation(index, ":") {
        let end = afterType(index + 1)
        let range = code[index].range.upperBound..<code[end - 1].range.upperBound
        (variable.type, variable.end, index) = (range, range.upperBound, end)
      }
      if isPunctuation(index, ",") { variable.comma = code[index].range }
      variables.append(variable)
      guard variable.comma != nil else { break }
      index += 1
    }
    member.kind = .variables(variables, isConstant: isConstant)
    if isPunctuation(index, "=") {
      member.value = .initial
    } else if isPunctuation(index, "{") {
      var first = index + 1
      while let (_, next) = attribute(at: first), isPunctuation(first, "@") { first = next }
      member.value = isWord(first, "willSet") || isWord(first, "didSet") ? .observers : .accessors
      member.hasSetter = member.value == .accessors && hasSetter(index)
    }
    return max(index, start)
  }

  /// Whether a setter is in the braces that begin at a token.
  private func hasSetter(_ open: Int) -> Bool {
    var index = open + 1
    let close = after(open) - 1
    while index < close {
      if isWord(index, "set"), isPunctuation(index + 1, "{") || isPunctuation(index + 1, "(") { return true }
      index = after(index)
    }
    return false
  }

  private static let wordsBeforeTypes: Set<String> = [
    "some", "any", "inout", "borrowing", "consuming", "sending", "isolated", "repeat", "each", "__owned", "__shared",
    "nonisolated",
  ]

  /// The index after the type that begins at an index.
  func afterType(_ start: Int) -> Int {
    var index = start
    // Whether the type may be complete here.
    var isComplete = false
    while let token = token(index) {
      let continues = ["->", "&", "."].contains(token.text) && token.kind == .punctuation
      if isComplete, token.isFirstOnLine, !continues { break }
      if token.isPunctuation("@"), !isComplete, let (_, next) = attribute(at: index) {
        index = next
      } else if token.isPunctuation("("), !isComplete || !token.isAfterSpace {
        index = after(index)
        isComplete = true
      } else if token.isPunctuation("["), !isComplete {
        index = after(index)
        isComplete = true
      } else if token.isPunctuation("<"), isComplete {
        index = afterAngles(index)
      } else if isComplete, token.isPunctuation("?") || token.isPunctuation("!") {
        index += 1
      } else if continues || token.isPunctuation("~") && !isComplete {
        index += 1
        isComplete = false
      } else if token.isName, !isComplete {
        index += 1
        isComplete = !Self.wordsBeforeTypes.contains(token.text)
      } else if isWord(index, "throws") || isWord(index, "async"), isComplete {
        index += 1
      } else {
        break
      }
    }
    return max(index, start)
  }

  // MARK: Methods

  /// The parameters in the parenthesis at an index, and the end of the result and conditions after them.
  private func signature(_ open: Int) -> ([Member.Parameter], Int) {
    guard isPunctuation(open, "(") else { return ([], open) }
    let close = after(open)
    var parameters: [Member.Parameter] = []
    var index = open + 1
    while index < close - 1 {
      let end = endOfParameter(index, close - 1)
      parameters.append(parameter(index, end))
      index = end + 1
    }
    return (parameters, endOfSignature(close))
  }

  private func endOfParameter(_ start: Int, _ limit: Int) -> Int {
    var index = start
    while index < limit, !isPunctuation(index, ",") {
      switch code[index].text {
      case "(", "[", "{": index = after(index)
      case "<" where code[index].kind == .punctuation && index > start && code[index - 1].isName:
        index = afterAngles(index)
      default: index += 1
      }
    }
    return min(index, limit)
  }

  private func parameter(_ start: Int, _ end: Int) -> Member.Parameter {
    var first = start
    while isPunctuation(first, "@"), let (_, next) = attribute(at: first) { first = next }
    let colon = (first..<end).first { isPunctuation($0, ":") } ?? end
    let names = (first..<colon).map { code[$0].name }
    let stop = (colon..<end).first { isPunctuation($0, "=") } ?? end
    let type = colon + 1 < stop ? source[code[colon + 1].range.lowerBound..<code[stop - 1].range.upperBound] : ""
    return Member.Parameter(label: names.first ?? "_", name: names.last ?? "_", type: type)
  }

  private func endOfSignature(_ start: Int) -> Int {
    var index = start
    while let token = token(index), !token.isPunctuation("{") {
      if isWord(index, "async") || isWord(index, "throws") || isWord(index, "rethrows") {
        index += 1
        if isPunctuation(index, "(") { index = after(index) }
      } else if token.isPunctuation("->") {
        index = afterType(index + 1)
      } else if isWord(index, "where") {
        index = endOfRequirements(index + 1)
      } else {
        break
      }
    }
    return index
  }

  /// Requirements go on over a newline only after a comma or within one of them.
  private func endOfRequirements(_ start: Int) -> Int {
    var index = start
    while let token = token(index), !["{", "}", ";"].contains(token.text) {
      if token.isFirstOnLine, index > start, code[index - 1].isName || code[index - 1].isPunctuation(">") { break }
      index = token.isPunctuation("<") ? afterAngles(index) : index + 1
    }
    return index
  }

  /// Whether the code in the braces at an index calls an initialiser of managed objects: `super.init(entity:…)`.
  private func callsManagedInitializer(_ open: Int) -> Bool {
    isPunctuation(open, "{") && managedCallsBefore[open] < managedCallsBefore[after(open)]
  }

  static func isManagedCall(_ code: ArraySlice<CodeToken>) -> Bool {
    code.first?.text == "super" && code.map(\.text) == ["super", ".", "init", "(", "entity", ":"]
  }
}

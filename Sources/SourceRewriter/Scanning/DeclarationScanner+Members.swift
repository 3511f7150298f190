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
    var place = start
    while let name = token(place), name.isName {
      place += 1
      var variable = Member.Variable(name: name.name, end: name.range.upperBound)
      if isPunctuation(place, ":") {
        let end = afterType(place + 1)
        let range = code[place].range.upperBound..<code[end - 1].range.upperBound
        (variable.type, variable.end, place) = (range, range.upperBound, end)
      }
      if isPunctuation(place, ",") { variable.comma = code[place].range }
      variables.append(variable)
      guard variable.comma != nil else { break }
      place += 1
    }
    member.kind = .variables(variables, isConstant: isConstant)
    if isPunctuation(place, "=") {
      member.value = .initial
    } else if isPunctuation(place, "{") {
      var first = place + 1
      while let (_, next) = attribute(at: first), isPunctuation(first, "@") { first = next }
      member.value = isWord(first, "willSet") || isWord(first, "didSet") ? .observers : .accessors
      member.hasSetter = member.value == .accessors && hasSetter(place)
    }
    return max(place, start)
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
    var place = start
    // Whether the type may be complete here.
    var isComplete = false
    while let token = token(place) {
      let continues = ["->", "&", "."].contains(token.text) && token.kind == .punctuation
      if isComplete, token.isFirstOnLine, !continues { break }
      if token.isPunctuation("@"), !isComplete, let (_, next) = attribute(at: place) {
        place = next
      } else if token.isPunctuation("("), !isComplete || !token.isAfterSpace {
        place = after(place)
        isComplete = true
      } else if token.isPunctuation("["), !isComplete {
        place = after(place)
        isComplete = true
      } else if token.isPunctuation("<"), isComplete {
        place = afterAngles(place)
      } else if isComplete, token.isPunctuation("?") || token.isPunctuation("!") {
        place += 1
      } else if continues || token.isPunctuation("~") && !isComplete {
        place += 1
        isComplete = false
      } else if token.isName, !isComplete {
        place += 1
        isComplete = !Self.wordsBeforeTypes.contains(token.text)
      } else if isWord(place, "throws") || isWord(place, "async"), isComplete {
        place += 1
      } else {
        break
      }
    }
    return max(place, start)
  }

  // MARK: Methods

  /// The parameters in the parenthesis at an index, and the end of the result and conditions after them.
  private func signature(_ open: Int) -> ([Member.Parameter], Int) {
    guard isPunctuation(open, "(") else { return ([], open) }
    let close = after(open)
    var parameters: [Member.Parameter] = []
    var place = open + 1
    while place < close - 1 {
      let end = endOfParameter(place, close - 1)
      parameters.append(parameter(place, end))
      place = end + 1
    }
    return (parameters, endOfSignature(close))
  }

  private func endOfParameter(_ start: Int, _ limit: Int) -> Int {
    var place = start
    while place < limit, !isPunctuation(place, ",") {
      switch code[place].text {
      case "(", "[", "{": place = after(place)
      case "<" where code[place].kind == .punctuation && place > start && code[place - 1].isName:
        place = afterAngles(place)
      default: place += 1
      }
    }
    return min(place, limit)
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
    var place = start
    while let token = token(place), !token.isPunctuation("{") {
      if isWord(place, "async") || isWord(place, "throws") || isWord(place, "rethrows") {
        place += 1
        if isPunctuation(place, "(") { place = after(place) }
      } else if token.isPunctuation("->") {
        place = afterType(place + 1)
      } else if isWord(place, "where") {
        place = endOfRequirements(place + 1)
      } else {
        break
      }
    }
    return place
  }

  /// Requirements go on over a newline only after a comma or within one of them.
  private func endOfRequirements(_ start: Int) -> Int {
    var place = start
    while let token = token(place), !["{", "}", ";"].contains(token.text) {
      if token.isFirstOnLine, place > start, code[place - 1].isName || code[place - 1].isPunctuation(">") { break }
      place = token.isPunctuation("<") ? afterAngles(place) : place + 1
    }
    return place
  }

  /// Whether the code in the braces at an index calls an initialiser of managed objects: `super.init(entity:…)`.
  private func callsManagedInitializer(_ open: Int) -> Bool {
    isPunctuation(open, "{") && managedCallsBefore[open] < managedCallsBefore[after(open)]
  }

  static func isManagedCall(_ code: ArraySlice<CodeToken>) -> Bool {
    code.first?.text == "super" && code.map(\.text) == ["super", ".", "init", "(", "entity", ":"]
  }
}

extension DeclarationScanner {
  /// The attributes and modifiers before a declaration's keyword.
  struct Head {
    var attributes: [Attribute] = []
    var modifiers: [Modifier] = []
    var keyword: Int
  }

  private static let keywords: Set<String> = [
    "class", "struct", "enum", "actor", "protocol", "extension", "func", "init", "subscript", "var", "let", "typealias",
    "associatedtype", "deinit", "case", "import", "operator", "precedencegroup", "macro",
  ]

  private static let modifiers: Set<String> = [
    "public", "package", "internal", "fileprivate", "private", "open", "static", "final", "override", "required",
    "convenience", "lazy", "weak", "unowned", "dynamic", "optional", "mutating", "nonmutating", "nonisolated",
    "isolated",
    "indirect", "prefix", "postfix", "infix", "distributed", "consuming", "borrowing", "class",
  ]

  /// The attributes and modifiers from an index on, if a declaration's keyword follows them.
  mutating func head(at start: Int) -> Head? {
    var head = Head(keyword: start)
    // If no declaration begins at the first index of a row of attributes and modifiers, none begins at the others.
    var indexes: [Int] = []
    defer { indexesWithoutHead.formUnion(indexes) }
    while let token = token(head.keyword) {
      if token.isPunctuation("@") {
        indexes.append(head.keyword)
        guard let (found, next) = attribute(at: head.keyword) else { return nil }
        var attribute = found
        attribute.argument = found.argumentRange.map(argument)
        head.attributes.append(attribute)
        head.keyword = next
      } else if token.kind == .word, Self.modifiers.contains(token.text), !isKeyword(head.keyword) {
        indexes.append(head.keyword)
        var (end, argument) = (head.keyword + 1, String?.none)
        if isPunctuation(end, "(") {
          end = after(end)
          argument = self.token(head.keyword + 2)?.text
        }
        head.modifiers.append(
          Modifier(
            name: token.text, argument: argument, range: token.range.lowerBound..<code[end - 1].range.upperBound))
        head.keyword = end
      } else {
        guard isKeyword(head.keyword) else { return nil }
        indexes = []
        return head
      }
    }
    return nil
  }

  /// The text of an argument without white space.
  private func argument(_ range: Range<Int>) -> String { source[range].split(whereSeparator: \.isWhitespace).joined() }

  /// Whether the word at an index begins a declaration. Otherwise these words follow a dot, or are labels.
  private func isKeyword(_ index: Int) -> Bool {
    guard let token = token(index), token.kind == .word, Self.keywords.contains(token.text),
      let next = self.token(index + 1)
    else { return false }
    switch token.text {
    case "init": return ["(", "<", "?", "!"].contains(next.text)
    case "subscript": return ["(", "<"].contains(next.text)
    case "deinit": return next.isPunctuation("{")
    case "class":
      // `class func`: a modifier.
      let isModifier =
        next.isPunctuation("@")
        || next.kind == .word
          && (["func", "var", "let", "subscript"].contains(next.text) || Self.modifiers.contains(next.text))
      return next.isName && !isModifier
    case "actor":
      return next.isName && self.token(index + 2).map { ["{", ":", "<", "where"].contains($0.text) } == true
    case "macro", "operator", "precedencegroup": return next.isName || next.kind == .punctuation && next.text != ":"
    case "func", "var", "let", "case": return !next.isPunctuation(":")
    default: return next.isName
    }
  }

  /// The attribute at an index without its argument's text, and its end.
  func attribute(at start: Int) -> (Attribute, Int)? {
    guard let name = token(start + 1), name.isName, !name.isAfterSpace else { return nil }
    var (text, index) = (name.text, start + 2)
    while isPunctuation(index, "."), let part = token(index + 1), part.isName {
      text += "." + part.text
      index += 2
    }
    if isPunctuation(index, "<"), token(index)?.isAfterSpace == false { index = afterAngles(index) }
    var argument: Range<Int>?
    if isPunctuation(index, "("), token(index)?.isAfterSpace == false {
      let end = after(index)
      argument = code[index].range.upperBound..<max(code[index].range.upperBound, code[end - 1].range.lowerBound)
      index = end
    }
    let range = code[start].range.lowerBound..<code[index - 1].range.upperBound
    return (Attribute(name: text, argumentRange: argument, range: range), index)
  }

  // MARK: Types

  /// Reads a type's head and enters its braces.
  mutating func type(_ head: Head) -> Int? {
    guard let kind = TypeDeclaration.Kind(rawValue: code[head.keyword].text) else { return nil }
    var index = head.keyword + 1
    var names = [code[index].name]
    index += 1
    while isPunctuation(index, "."), let part = token(index + 1), part.isName {
      names.append(part.name)
      index += 2
    }
    var type = TypeDeclaration(
      kind: kind, path: names, attributes: head.attributes, modifiers: head.modifiers, condition: conditions.current)
    if isPunctuation(index, "<") {
      type.isGeneric = true
      index = afterAngles(index)
    }
    type.nameEnd = code[index - 1].range.upperBound
    guard isPunctuation(brackets.stop(from: index), "{") else { return nil }
    if isPunctuation(index, ":") {
      type.inheritanceStart = code[index].range.upperBound
      let start = index + 1
      (type.inherited, index) = inheritance(start)
      type.classConstraint = (start..<index).first { isWord($0, "class") }.map { code[$0].range }
    }
    index = brackets.stop(from: index)
    guard let brace = token(index), brace.isPunctuation("{") else { return nil }
    type.body.start = brace.range.upperBound
    if let outer = directType {
      let outer = result.types[outer]
      type.path = outer.path + names
      type.isLocal = outer.isLocal
      type.isHidden = outer.isHidden || head.modifiers.contains { $0.name == "private" }
      type.isGeneric = type.isGeneric || outer.isGeneric
    } else {
      type.isLocal = isInFunction
    }
    result.types.append(type)
    scopes.append(.type(result.types.count - 1))
    return index + 1
  }

  /// The types after a colon, and the index after them.
  private func inheritance(_ start: Int) -> ([String], Int) {
    var (entries, current, index) = ([String](), "", start)
    while let token = token(index), !token.isPunctuation("{"), !(token.kind == .word && token.text == "where") {
      if token.isPunctuation(",") || token.isPunctuation("&") {
        entries.append(current)
        current = ""
      } else if token.isPunctuation("@"), let (_, next) = attribute(at: index) {
        index = next
        continue
      } else if token.isPunctuation("<") {
        index = afterAngles(index)
        continue
      } else {
        current += token.name
      }
      index += 1
    }
    return ((entries + [current]).filter { !$0.isEmpty }, index)
  }
}

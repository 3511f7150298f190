extension Rewriter {
  /// A method that `#selector` names.
  private struct MethodName {
    /// The names before the method's: none, `self`, `Self`, or a type's without generic arguments.
    var owner: [String]
    /// The owner as it is written, with generic arguments.
    var ownerText: String
    var name: String
    /// Nil if they are not written.
    var labels: [String]?
  }

  /// `#selector(refresh(_:))` becomes a `Selector` that holds a call of the method.
  mutating func selector(_ expression: PoundExpression) {
    if let first = expression.tokens.first, ["getter", "setter"].contains(first.text),
      expression.tokens.dropFirst().first?.isPunctuation(":") == true
    {
      return accessorSelector(expression, isSetter: first.text == "setter")
    }
    guard let written = methodName(expression.tokens) else {
      return refuse(
        expression, "expected a method's name in #selector")
    }
    let scope = expression.type.map { declarations.types[$0].path } ?? []
    let receiver = receiver(written, expression, scope) { [index] in
      index.method(written.name, labels: written.labels, of: $0, in: []) != nil
    }
    guard let type = receiver else { return }
    let method = index.method(written.name, labels: written.labels, of: type, in: scope)
    let comparison = Self.comparisons[type]?.contains(written.name) == true ? ["_"] : nil
    guard let labels = written.labels ?? method?.labels ?? comparison else {
      return refuse(
        expression,
        "'\(written.name)' is not declared in the files that are rewritten: write its labels, as in #selector(\(written.name)(_:))"
      )
    }
    guard labels.count <= 1 else {
      return refuse(
        expression, "#selector of a method with more than one parameter is not possible here")
    }
    let text = type == written.owner.joined(separator: ".") ? written.ownerText : type
    edits.replace(expression.range, with: Self.selector(written.name, labels, method, of: text))
  }

  /// `#selector(getter: Person.name)` becomes a `Selector` that holds a read of the property, or a change of it.
  private mutating func accessorSelector(_ expression: PoundExpression, isSetter: Bool) {
    guard let written = methodName(expression.tokens.dropFirst(2)), written.labels == nil else {
      return refuse(expression, "expected a property's name in #selector")
    }
    let scope = expression.type.map { declarations.types[$0].path } ?? []
    let receiver = receiver(written, expression, scope) { [index] in
      index.property(written.name, of: $0, in: []) != nil
    }
    guard let type = receiver else { return }
    let property = index.property(written.name, of: type, in: scope)
    let text = type == written.owner.joined(separator: ".") ? written.ownerText : type
    let key = property?.key ?? written.name
    let name = isSetter ? "set\(key.prefix(1).uppercased())\(key.dropFirst()):" : key
    let access = "$0.\(Self.memberName(written.name))\(isSetter ? " = $1" : "")"
    let of = property?.isOfType == true ? "\(text).Type.self" : "\(text).self"
    edits.replace(expression.range, with: "Selector(\(Self.literal(name)), of: \(of), { \(access) })")
  }

  /// Methods of Foundation that sort descriptors take, and that are often named without labels.
  private static let comparisons: [String: Set<String>] = [
    "NSString": [
      "compare", "caseInsensitiveCompare", "localizedCompare", "localizedCaseInsensitiveCompare",
      "localizedStandardCompare",
    ],
    "NSNumber": ["compare"], "NSDate": ["compare"],
  ]

  /// The type in which the method is searched; nil after an error if there is none.
  private mutating func receiver(
    _ written: MethodName, _ expression: PoundExpression, _ scope: [String], _ hasMember: (String) -> Bool
  ) -> String? {
    let owner = written.owner.joined(separator: ".")
    if owner.isEmpty || owner == "self" || owner == "Self" {
      // The method of the innermost type that declares it.
      let types = owner.isEmpty ? (1...max(1, scope.count)).map { Array(scope.prefix($0)) }.reversed() : [scope]
      let found = types.first { hasMember($0.joined(separator: ".")) }
      if !scope.isEmpty { return (found ?? scope).joined(separator: ".") }
      refuse(expression, "#selector outside of a type needs the type: #selector(Type.\(written.name))")
    } else if isType(written.owner, scope) {
      return owner
    } else {
      refuse(
        expression,
        "#selector of the method of a value, '\(owner)', is not possible here: name its type, as in #selector(Type.\(written.name))"
      )
    }
    return nil
  }

  private static func selector(_ name: String, _ labels: [String], _ method: TypeIndex.Method?, of type: String)
    -> String
  {
    let argument = labels.first.map { $0 == "_" ? "$1" : "\($0): $1" } ?? ""
    let selector = method?.selector ?? objectiveCName(name, labels)
    let receiver = method?.isOfType == true ? "\(type).Type.self" : "\(type).self"
    return "Selector(\(literal(selector)), of: \(receiver), { $0.\(memberName(name))(\(argument)) })"
  }

  /// A name after a dot, where few words are keywords.
  private static func memberName(_ name: String) -> String {
    let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return isPlain && !["init", "self", "Type", "Protocol"].contains(name) ? name : "`\(name)`"
  }

  /// The compiler's Objective-C name of a method: `load(with:)` is `loadWith:`, `load(file:)` is `loadWithFile:`.
  private static func objectiveCName(_ name: String, _ labels: [String]) -> String {
    guard let label = labels.first else { return name }
    guard label != "_" else { return name + ":" }
    let prepositions = ["with", "at", "by", "for", "from", "in", "into", "of", "on", "to", "using", "via", "after"]
    let isPreposition = prepositions.contains { label == $0 || label.hasPrefix($0) && startsWord(label, $0.count) }
    return name + (isPreposition ? "" : "With") + label.prefix(1).uppercased() + label.dropFirst() + ":"
  }

  private static func startsWord(_ text: String, _ offset: Int) -> Bool {
    text.dropFirst(offset).first?.isUppercase == true
  }

  private func isType(_ names: [String], _ scope: [String]) -> Bool {
    index.isKnown(names.joined(separator: "."), in: scope) || names.allSatisfy { $0.first?.isUppercase == true }
  }

  private func methodName(_ tokens: ArraySlice<CodeToken>) -> MethodName? {
    var rest = tokens
    if rest.first?.isPunctuation("(") == true {
      // `#selector((refresh) as () -> Void)`
      var depth = 0
      let close = rest.indices.first { position in
        depth += rest[position].isPunctuation("(") ? 1 : rest[position].isPunctuation(")") ? -1 : 0
        return depth == 0
      }
      guard let close else { return nil }
      rest.remove(at: close)
      rest = rest.dropFirst()
    }
    var names: [String] = []
    var texts: [String] = []
    // `type(of: self)` is the class of the method, as `Self` is.
    if rest.prefix(5).map(\.text) == ["type", "(", "of", ":", "self"],
      rest.dropFirst(5).first?.isPunctuation(")") == true,
      rest.dropFirst(6).first?.isPunctuation(".") == true
    {
      (names, texts) = (["Self"], ["Self"])
      rest = rest.dropFirst(7)
    }
    while let name = rest.first, name.isName {
      names.append(name.name)
      texts.append(name.name)
      rest = rest.dropFirst()
      if rest.first?.isPunctuation("<") == true, let end = Self.afterArguments(rest) {
        texts[texts.count - 1] += rest[..<end].map(\.text).joined()
        rest = rest[end...]
      }
      guard rest.first?.isPunctuation(".") == true else { break }
      rest = rest.dropFirst()
    }
    guard let name = names.popLast() else { return nil }
    var labels: [String]?
    if rest.first?.isPunctuation("(") == true, let close = rest.firstIndex(where: { $0.isPunctuation(")") }) {
      labels = rest[..<close].filter(\.isName).map(\.name)
      rest = rest[(close + 1)...]
    }
    if rest.first?.text == "as" {
      guard
        let count = parameterCount(
          rest.dropFirst(), isCurried: names.first?.first?.isUppercase == true && names != ["Self"])
      else { return nil }
      if labels == nil { labels = count == 0 ? [] : nil }
      rest = []
    }
    let ownerText = texts.dropLast().joined(separator: ".")
    return rest.isEmpty ? MethodName(owner: names, ownerText: ownerText, name: name, labels: labels) : nil
  }

  /// After the generic arguments that begin the tokens.
  private static func afterArguments(_ tokens: ArraySlice<CodeToken>) -> Int? {
    var depth = 0
    for (index, token) in zip(tokens.indices, tokens) {
      depth += token.isPunctuation("<") ? 1 : token.isPunctuation(">") ? -1 : 0
      if depth == 0 { return index + 1 }
    }
    return nil
  }

  /// How many parameters a function's type has; of a curried one, its second part.
  private func parameterCount(_ tokens: ArraySlice<CodeToken>, isCurried: Bool) -> Int? {
    var rest = tokens
    if isCurried {
      guard let arrow = rest.firstIndex(where: { $0.isPunctuation("->") }) else { return nil }
      rest = rest[(arrow + 1)...]
    }
    while let first = rest.first, first.isPunctuation("@") { rest = rest.dropFirst(2) }
    guard rest.first?.isPunctuation("(") == true, let second = rest.dropFirst().first else { return nil }
    return second.isPunctuation(")") ? 0 : 1 + rest.prefix { !$0.isPunctuation(")") }.count { $0.isPunctuation(",") }
  }
}

/// Finds types, their members, attributes and expressions of a file.
///
/// It is not a parser: it follows brackets, and reads the heads of declarations at positions where declarations are
/// possible. It skips invalid code; the compiler reports it.
struct DeclarationScanner {
  enum Scope {
    case file
    /// Given by the index in `result.types`.
    case type(Int)
    /// Other braces.
    case code
    case parenthesis, bracket
  }

  let source: SourceText
  let code: [CodeToken]
  let brackets: Brackets
  /// For each token the number of calls `super.init(entity:…)` that begin before it.
  let managedCallsBefore: [Int]
  let counter: StepCounter
  var scopes: [Scope] = [.file]
  var conditions = Conditions()
  var result = Declarations()
  /// The indexes of attributes and modifiers without a declaration after them, so that each row of them is read once.
  var indexesWithoutHead: Set<Int> = []
  /// The types around the current position, outermost first, and the number of types passed so far.
  private var openTypes: [Int] = []
  private var passedTypes = 0

  private init(_ source: SourceText, _ counter: StepCounter) {
    self.source = source
    self.counter = counter
    let code = CodeToken.all(in: source, counter: counter)
    self.code = code
    brackets = Brackets(code)
    managedCallsBefore = code.indices.reduce(into: [0]) { counts, index in
      let isCall = code[index].kind == .word && Self.isManagedCall(code[index...].prefix(6))
      counts.append(counts[index] + (isCall ? 1 : 0))
    }
  }

  /// Finds nothing in a source that is nested too deep to be compiled.
  static func declarations(of source: SourceText, counter: StepCounter) -> Declarations {
    var scanner = DeclarationScanner(source, counter)
    if let index = scanner.brackets.tooDeep {
      scanner.result.tooDeep = scanner.code[index].range.lowerBound
      return scanner.result
    }
    var index = 0
    while index < scanner.code.count { index = scanner.step(index) }
    scanner.conditions = Conditions()
    index = 0
    while index < scanner.code.count { index = scanner.collect(index) }
    let casts = FetchRequestCast.all(in: scanner.code, scanner.brackets)
    scanner.result.casts = casts
    scanner.result.castConditions = FetchRequestCast.conditions(with: casts, in: scanner.code, scanner.brackets)
    return scanner.result
  }

  func token(_ index: Int) -> CodeToken? {
    counter.steps += 1
    return code.indices.contains(index) ? code[index] : nil
  }

  func isPunctuation(_ index: Int, _ text: String) -> Bool { token(index)?.isPunctuation(text) == true }

  func isWord(_ index: Int, _ text: String) -> Bool { token(index).map { $0.kind == .word && $0.text == text } == true }

  /// Reads the token at an index; returns the index to continue with.
  private mutating func step(_ index: Int) -> Int {
    let token = code[index]
    if token.kind == .pound { return directive(index) ?? index + 1 }
    if token.kind == .word || token.isPunctuation("@"), let next = declaration(at: index) { return next }
    if token.kind == .punctuation { bracket(token) }
    return index + 1
  }

  /// Collects constructs that may be at any position, for example in parameters or in arguments of attributes.
  private mutating func collect(_ index: Int) -> Int {
    let token = code[index]
    if token.kind == .pound {
      if let next = directive(index) { return next }
      expression(index)
    } else if token.isPunctuation("@"), let (attribute, _) = attribute(at: index) {
      result.attributes.append(attribute)
    } else if isWord(index, "import"), let module = self.token(index + 1)?.text {
      result.imports.insert(module)
      if Self.modulesWithSubmodules.contains(module), isPunctuation(index + 2, ".") { submodule(index + 2) }
    } else if token.kind == .word, Self.runtimeNames.contains(token.text) {
      result.usesRuntime = true
    }
    return index + 1
  }

  /// Foundation has these on Apple's platforms, and module CoreData on Linux.
  private static let runtimeNames: Set<String> = [
    "autoreleasepool", "Selector", "NSSelectorFromString", "NSStringFromSelector", "UndoManager", "ValueTransformer",
    "NSValueTransformerName", "NSSecureUnarchiveFromDataTransformer",
  ]

  private static let modulesWithSubmodules: Set<String> = ["CoreData", "CloudKit", "CoreLocation", "Foundation"]

  /// Records the names after a module's name, beginning with the dot at an index.
  private mutating func submodule(_ dot: Int) {
    var end = dot
    while isPunctuation(end, "."), let name = token(end + 1), name.isName, !name.isFirstOnLine { end += 2 }
    if end > dot { result.submodules.append(code[dot].range.lowerBound..<code[end - 1].range.upperBound) }
  }

  private mutating func bracket(_ token: CodeToken) {
    if token.text == "}", let type = directType { result.types[type].body.end = token.range.lowerBound }
    switch token.text {
    case "{": scopes.append(.code)
    case "(": scopes.append(.parenthesis)
    case "[": scopes.append(.bracket)
    case "}", ")", "]": if scopes.count > 1 { scopes.removeLast() }
    default: break
    }
  }

  // MARK: Directives and expressions

  /// Reads a compiler condition; nil if there is none at the index.
  private mutating func directive(_ index: Int) -> Int? {
    guard ["#if", "#elseif", "#else", "#endif"].contains(code[index].text) else { return nil }
    var end = index + 1
    while let next = self.token(end), !next.isFirstOnLine { end += 1 }
    let condition = end > index + 1 ? source[code[index + 1].range.lowerBound..<code[end - 1].range.upperBound] : ""
    conditions.directive(code[index].text, condition: condition)
    return end
  }

  private mutating func expression(_ index: Int) {
    let token = code[index]
    guard token.text == "#selector" || token.text == "#keyPath", isPunctuation(index + 1, "(") else { return }
    let end = after(index + 1)
    result.expressions.append(
      PoundExpression(
        name: token.text, range: token.range.lowerBound..<code[end - 1].range.upperBound,
        tokens: code[index + 2..<max(index + 2, end - 1)], type: innermostType(around: token.range.lowerBound),
        condition: conditions.current))
  }

  /// The innermost type around an offset. The offset must not be before that of an earlier call.
  private mutating func innermostType(around offset: Int) -> Int? {
    // Types are in the order of their starts.
    while passedTypes < result.types.count, result.types[passedTypes].body.start <= offset {
      openTypes.append(passedTypes)
      passedTypes += 1
    }
    while let type = openTypes.last, result.types[type].body.end <= offset { openTypes.removeLast() }
    return openTypes.last
  }

  /// The index after the bracket that closes the one at an index.
  func after(_ open: Int) -> Int { brackets.end(open) }

  /// The index after the `>` that closes the `<` at an index; the index after the `<` if there is none.
  func afterAngles(_ open: Int) -> Int { brackets.end(open) }

  // MARK: Scopes

  /// The type that directly contains the current position, without a function between them.
  var directType: Int? {
    guard case .type(let type) = scopes.last else { return nil }
    return type
  }

  var isInFunction: Bool {
    if case .code = scopes.last { return true }
    return false
  }

  /// Whether a declaration is possible here: only braces are open.
  private var canDeclare: Bool {
    switch scopes.last {
    case .file, .type, .code: true
    default: false
    }
  }

  /// Reads a declaration's head, if there is one; returns the index of its value, of its braces, or of the token after
  /// it.
  private mutating func declaration(at index: Int) -> Int? {
    guard canDeclare, !indexesWithoutHead.contains(index), !isPunctuation(index - 1, "."), let head = head(at: index)
    else { return nil }
    let next: Int?
    switch code[head.keyword].text {
    case "class", "struct", "enum", "actor", "protocol", "extension": next = type(head)
    case "func", "init", "subscript", "var", "let": next = directType.flatMap { member(head, of: $0) }
    default: next = nil
    }
    guard next != nil || head.keyword > index else { return nil }
    if !isInFunction { result.dynamicModifiers += head.modifiers.filter { $0.name == "dynamic" }.map(\.range) }
    return next ?? head.keyword + 1
  }
}

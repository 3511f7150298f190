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
  var placesWithoutHead: Set<Int> = []
  /// The types around the current position, outermost first, and the number of types passed so far.
  private var openTypes: [Int] = []
  private var passedTypes = 0

  private init(_ source: SourceText, _ counter: StepCounter) {
    self.source = source
    self.counter = counter
    let code = CodeToken.all(in: source, counter: counter)
    self.code = code
    brackets = Brackets(code)
    managedCallsBefore = code.indices.reduce(into: [0]) { counts, place in
      let isCall = code[place].kind == .word && Self.isManagedCall(code[place...].prefix(6))
      counts.append(counts[place] + (isCall ? 1 : 0))
    }
  }

  /// Finds nothing in a source that is nested too deep to be compiled.
  static func declarations(of source: SourceText, counter: StepCounter) -> Declarations {
    var scanner = DeclarationScanner(source, counter)
    if let index = scanner.brackets.tooDeep {
      scanner.result.tooDeep = scanner.code[index].range.lowerBound
      return scanner.result
    }
    var place = 0
    while place < scanner.code.count { place = scanner.step(place) }
    scanner.conditions = Conditions()
    place = 0
    while place < scanner.code.count { place = scanner.collect(place) }
    let casts = FetchRequestCast.all(in: scanner.code, scanner.brackets)
    scanner.result.casts = casts
    scanner.result.castConditions = FetchRequestCast.conditions(with: casts, in: scanner.code, scanner.brackets)
    return scanner.result
  }

  func token(_ place: Int) -> CodeToken? {
    counter.steps += 1
    return code.indices.contains(place) ? code[place] : nil
  }

  func isPunctuation(_ place: Int, _ text: String) -> Bool { token(place)?.isPunctuation(text) == true }

  func isWord(_ place: Int, _ text: String) -> Bool { token(place).map { $0.kind == .word && $0.text == text } == true }

  /// Reads the token at an index; returns the index to continue with.
  private mutating func step(_ place: Int) -> Int {
    let token = code[place]
    if token.kind == .pound { return directive(place) ?? place + 1 }
    if token.kind == .word || token.isPunctuation("@"), let next = declaration(at: place) { return next }
    if token.kind == .punctuation { bracket(token) }
    return place + 1
  }

  /// Collects constructs that may be at any position, for example in parameters or in arguments of attributes.
  private mutating func collect(_ place: Int) -> Int {
    let token = code[place]
    if token.kind == .pound {
      if let next = directive(place) { return next }
      expression(place)
    } else if token.isPunctuation("@"), let (attribute, _) = attribute(at: place) {
      result.attributes.append(attribute)
    } else if isWord(place, "import"), let module = self.token(place + 1)?.text {
      result.imports.insert(module)
      if Self.modulesWithSubmodules.contains(module), isPunctuation(place + 2, ".") { submodule(place + 2) }
    } else if token.kind == .word, Self.runtimeNames.contains(token.text) {
      result.usesRuntime = true
    }
    return place + 1
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
  private mutating func directive(_ place: Int) -> Int? {
    guard ["#if", "#elseif", "#else", "#endif"].contains(code[place].text) else { return nil }
    var end = place + 1
    while let next = self.token(end), !next.isFirstOnLine { end += 1 }
    let condition = end > place + 1 ? source[code[place + 1].range.lowerBound..<code[end - 1].range.upperBound] : ""
    conditions.directive(code[place].text, condition: condition)
    return end
  }

  private mutating func expression(_ place: Int) {
    let token = code[place]
    guard token.text == "#selector" || token.text == "#keyPath", isPunctuation(place + 1, "(") else { return }
    let end = after(place + 1)
    result.expressions.append(
      PoundExpression(
        name: token.text, range: token.range.lowerBound..<code[end - 1].range.upperBound,
        tokens: code[place + 2..<max(place + 2, end - 1)], type: innermostType(around: token.range.lowerBound),
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
  private mutating func declaration(at place: Int) -> Int? {
    guard canDeclare, !placesWithoutHead.contains(place), !isPunctuation(place - 1, "."), let head = head(at: place)
    else { return nil }
    let next: Int?
    switch code[head.keyword].text {
    case "class", "struct", "enum", "actor", "protocol", "extension": next = type(head)
    case "func", "init", "subscript", "var", "let": next = directType.flatMap { member(head, of: $0) }
    default: next = nil
    }
    guard next != nil || head.keyword > place else { return nil }
    if !isInFunction { result.dynamicModifiers += head.modifiers.filter { $0.name == "dynamic" }.map(\.range) }
    return next ?? head.keyword + 1
  }
}

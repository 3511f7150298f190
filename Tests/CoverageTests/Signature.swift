/// The parts of a function's declaration.
struct Signature {
  struct Parameter {
    /// `_` for a parameter without a label.
    var label: String
    var type: String
    var hasDefault: Bool
  }

  var name: String
  var generics: String
  /// The text from `where` on.
  var conditions: String
  var parameters: [Parameter]
  var isFailable: Bool
  var isAsync: Bool
  var canThrow: Bool
  /// Nil for a function without a result.
  var result: String?

  /// Parses `func save(_ record: CKRecord) async throws -> CKRecord`, without attributes and modifiers before `func`.
  init?(_ declaration: String) {
    let text = Array(declaration)
    guard let open = text.firstIndex(of: "(") else { return nil }
    var head = String(text[..<open])
    isFailable = head.hasSuffix("?")
    if isFailable { head.removeLast() }
    generics = head.firstIndex(of: "<").map { String(head[$0...]) } ?? ""
    name = head.prefix { $0 != "<" }.split(separator: " ").last.map(String.init) ?? ""
    let (parts, end) = Self.split(text[(open + 1)...])
    parameters = parts.map { part in
      let colon = part.firstIndex(of: ":") ?? part.endIndex
      let words = part[..<colon].split(separator: " ")
      var type = String(part[part.index(after: colon)...].drop { $0 == " " })
      let hasDefault = type.contains(" = ")
      if let range = type.firstRange(of: " = ") { type = String(type[..<range.lowerBound]) }
      return Parameter(label: words.first.map(String.init) ?? "_", type: type, hasDefault: hasDefault)
    }
    var rest = String(text[end...])
    conditions = ""
    if let range = rest.firstRange(of: " where ") {
      conditions = String(rest[range.lowerBound...].prefix { $0 != "{" })
      rest = String(rest[..<range.lowerBound])
    }
    let arrow = rest.firstRange(of: "-> ")
    let effects = arrow.map { String(rest[..<$0.lowerBound]) } ?? rest
    isAsync = effects.contains("async")
    canThrow = effects.contains("throws")
    result = arrow.map {
      String(rest[$0.upperBound...]).replacing(" { get set }", with: "").replacing(" { get }", with: "")
    }
  }

  /// The parts between commas up to the closing parenthesis, and the index behind it.
  static func split(_ text: ArraySlice<Character>) -> (parts: [String], end: Int) {
    var (parts, part, depth) = ([String](), "", 0)
    var before: Character = " "
    for (index, character) in zip(text.indices, text) {
      defer { before = character }
      if "([{<".contains(character) { depth += 1 }
      if character == ")", depth == 0 {
        if part.contains(where: { $0 != " " }) { parts.append(String(part.drop { $0 == " " })) }
        return (parts, index + 1)
      }
      if ")]}".contains(character) || character == ">" && before != "-" { depth -= 1 }
      if character == ",", depth == 0 {
        parts.append(String(part.drop { $0 == " " }))
        part = ""
      } else {
        part.append(character)
      }
    }
    return (parts, text.endIndex)
  }
}

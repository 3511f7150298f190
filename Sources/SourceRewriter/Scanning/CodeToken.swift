/// A token that the compiler reads, with the properties of the space before it that the scanner needs.
struct CodeToken {
  var kind: SwiftToken.Kind
  var range: Range<Int>
  var text: String
  /// Whether a newline is between it and the token before.
  var isFirstOnLine: Bool
  var isAfterSpace: Bool

  static func all(in source: SourceText, counter: StepCounter = StepCounter()) -> [CodeToken] {
    var result: [CodeToken] = []
    var (isFirst, isAfterSpace) = (true, true)
    for token in SwiftLexer.tokens(of: source.bytes, counter: counter) {
      guard token.isCode else {
        isFirst = isFirst || token.kind == .newline
        isAfterSpace = true
        continue
      }
      result.append(
        CodeToken(
          kind: token.kind, range: token.range, text: source[token.range], isFirstOnLine: isFirst,
          isAfterSpace: isAfterSpace))
      (isFirst, isAfterSpace) = (false, false)
    }
    return result
  }

  func isPunctuation(_ text: String) -> Bool { kind == .punctuation && self.text == text }

  /// Whether it can be a name. Whether a word is a keyword depends on the context.
  var isName: Bool { kind == .word || kind == .escapedWord }

  /// The name without backticks.
  var name: String { kind == .escapedWord ? String(text.dropFirst().dropLast()) : text }
}

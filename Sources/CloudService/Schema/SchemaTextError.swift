/// An error in a schema text, in the service's words where these are known ([schema-text-9]).
package struct SchemaTextError: Error, Sendable, Hashable {
  package var line: Int
  package var column: Int
  package var message: String

  init(line: Int, column: Int, _ message: String) {
    self.line = line
    self.column = column
    self.message = message
  }

  /// `Encountered " <IDENTIFIER> "BADTYPE "" at line 6, column 25.`, and the expected tokens.
  init(_ token: SchemaToken, expected: [String]) {
    let list = expected.map { "\n    \($0) ..." }.joined()
    self.init(
      line: token.line, column: token.column,
      "Encountered \(Self.image(token)) at line \(token.line), column \(token.column).\n"
        + (expected.count == 1 ? "Was expecting:" : "Was expecting one of:") + list)
  }

  /// The error for a text that parses but has no valid meaning.
  init(_ token: SchemaToken, _ message: String) {
    self.init(
      line: token.line, column: token.column, "\(message) (line \(token.line), column \(token.column))")
  }

  private static func image(_ token: SchemaToken) -> String {
    switch token.kind {
    case .end: "\"<EOF>\""
    case .quoted: "\" <QUOTED_IDENTIFIER> \"\\\"\(token.text)\\\" \"\""
    case .sign, .stray: "\" \"\(token.text)\" \"\(token.text) \"\""
    case .word:
      SchemaParser.keywords.contains(token.text.uppercased())
        ? "\" \"\(token.text.uppercased())\" \"\(token.text) \"\"" : "\" <IDENTIFIER> \"\(token.text) \"\""
    }
  }
}

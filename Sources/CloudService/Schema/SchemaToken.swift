/// A word or sign of a schema text, and where it stands.
struct SchemaToken: Equatable {
  enum Kind: Equatable {
    /// Bare; may be a keyword.
    case word
    case quoted
    /// `(`, `)`, `,`, `;`, `<` or `>`.
    case sign
    case end
    /// A character that no token begins with.
    case stray
  }

  var kind: Kind
  /// Without quotes.
  var text: String
  /// From 1, as the service counts.
  var line: Int
  var column: Int

  func isKeyword(_ keyword: String) -> Bool { kind == .word && text.uppercased() == keyword }
}

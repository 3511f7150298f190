/// A piece of a Swift source. The tokens of a source, one after another, are the whole source: spaces and comments are
/// tokens, too.
package struct SwiftToken: Equatable, Sendable {
  package enum Kind: Sendable {
    /// A name or a keyword; only the context determines which.
    case word
    /// A name in backticks. It is never a keyword.
    case escapedWord
    case number
    /// A string literal, or a part of one: up to the parenthesis that opens an interpolation, or from the one that
    /// closes it. The interpolated code is tokens between these parts.
    case string
    case regularExpression
    /// One character, or `->`.
    case punctuation
    /// A word after a number sign: `#if`, `#selector`.
    case pound
    case whitespace
    case newline
    case comment
  }

  package var kind: Kind
  /// Offsets in UTF-8.
  package var range: Range<Int>

  package init(_ kind: Kind, _ range: Range<Int>) {
    self.kind = kind
    self.range = range
  }

  /// Whether the compiler reads it.
  package var isCode: Bool {
    switch kind {
    case .whitespace, .newline, .comment: false
    default: true
    }
  }
}

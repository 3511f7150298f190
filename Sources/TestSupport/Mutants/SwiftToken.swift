/// A piece of Swift source that is neither white space nor a comment.
package struct SwiftToken: Sendable, Equatable {
  package enum Kind: Sendable {
    /// Keywords too, and what stands between backticks, with them.
    case word
    /// With all that is interpolated.
    case string
    case number
    /// `#if`, `#expect`: the sign and its word.
    case directive
    /// The longest run of operator characters.
    case `operator`
    /// One bracket, comma, colon, semicolon, at sign or backslash.
    case punctuation
  }

  package var kind: Kind
  package var text: String
  /// In bytes of the source.
  package var range: Range<Int>
  /// From 1.
  package var line: Int
  /// Whether white space or a comment, or the end of the source, is on either side.
  package var hasSpaceBefore: Bool
  package var hasSpaceAfter: Bool
}

/// The right side of `LIKE`: `?` matches one character, `*` any number. After a backslash both are literal.
struct WildcardPattern {
  private enum Piece {
    case character(Character)
    case any
    case run
  }

  private var pieces: [Piece] = []

  init(_ pattern: String) {
    var isEscaped = false
    for character in pattern {
      if isEscaped {
        pieces.append(.character(character))
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "*" {
        if case .run? = pieces.last { continue }
        pieces.append(.run)
      } else {
        pieces.append(character == "?" ? .any : .character(character))
      }
    }
    if isEscaped { pieces.append(.character("\\")) }
  }

  /// Whether the whole text matches. Only the last `*` is retried, so there are at most text length times pattern
  /// length steps. Each step is charged.
  func matches(_ text: String, charge: (Int) throws(PredicateEvaluationError) -> Void) throws(PredicateEvaluationError)
    -> Bool
  {
    let text = Array(text)
    var (position, piece) = (0, 0)
    var again: (position: Int, piece: Int)?
    while position < text.count {
      try charge(1 + text[position].utf8.count / 16)
      if piece < pieces.count, case .run = pieces[piece] {
        piece += 1
        again = (position, piece)
      } else if piece < pieces.count, fits(pieces[piece], text[position]) {
        position += 1
        piece += 1
      } else if let last = again {
        again = (last.position + 1, last.piece)
        (position, piece) = (last.position + 1, last.piece)
      } else {
        return false
      }
    }
    while piece < pieces.count, case .run = pieces[piece] { piece += 1 }
    return piece == pieces.count
  }

  private func fits(_ piece: Piece, _ character: Character) -> Bool {
    if case .character(let wanted) = piece { wanted == character } else { true }
  }
}

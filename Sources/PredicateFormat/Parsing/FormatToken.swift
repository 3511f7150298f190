/// A word, literal or sign of a format.
struct FormatToken {
  enum Kind: Equatable {
    case end
    /// A keyword, a key or the name of a function. A word with an escape is not a keyword.
    case word(String, isEscaped: Bool)
    /// The name of a function with colons.
    case selector(String)
    /// A collection operator including the `@`, for example `@count`.
    case collectionOperator(String)
    case string(String)
    case integer(UInt64)
    case double(Double)
    case variable(String)
    case argument(Specifier)
    case sign(Sign)
  }

  /// The kind of a conversion after `%`.
  enum Specifier: Equatable {
    case object
    case keyPath
    case integer
    case number
    case text
  }

  enum Sign: String, CaseIterable {
    case open = "("
    case close = ")"
    case openList = "{"
    case closeList = "}"
    case openIndex = "["
    case closeIndex = "]"
    case comma = ","
    case dot = "."
    case plus = "+"
    case minus = "-"
    case times = "*"
    case power = "**"
    case divided = "/"
    case ampersand = "&"
    case bar = "|"
    case caret = "^"
    case tilde = "~"
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case and = "&&"
    case or = "||"
    case not = "!"
    case assign = ":="
    case equal = "="
    case equalEqual = "=="
    case notEqual = "!="
    case lessGreater = "<>"
    case less = "<"
    case lessEqual = "<="
    case equalLess = "=<"
    case greater = ">"
    case greaterEqual = ">="
    case equalGreater = "=>"

    /// The comparison operator of the sign; nil for other signs.
    var comparator: PredicateComparison.Operator? {
      switch self {
      case .equal, .equalEqual: .equal
      case .notEqual, .lessGreater: .notEqual
      case .less: .less
      case .lessEqual, .equalLess: .lessOrEqual
      case .greater: .greater
      case .greaterEqual, .equalGreater: .greaterOrEqual
      default: nil
      }
    }
  }

  var kind: Kind
  /// The range in bytes of the format.
  var range: Range<Int>

  /// The keyword in upper case; nil for other tokens.
  var keyword: String? {
    guard case .word(let text, isEscaped: false) = kind, text.utf8.count <= 15 else { return nil }
    return ASCIIWord.uppercased(text)
  }

  var sign: Sign? {
    guard case .sign(let sign) = kind else { return nil }
    return sign
  }
}

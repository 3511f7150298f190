/// A comparison of two expressions.
package struct PredicateComparison: Sendable, Hashable {
  /// Whether one or all members of the collection on the left have to match. `NONE` is a negated `ANY`; `SOME` is a
  /// synonym of `ANY`.
  package enum Modifier: String, Sendable, Hashable {
    case any = "ANY"
    case all = "ALL"
  }

  /// The comparison operators. The raw values are their printed forms.
  package enum Operator: String, Sendable, Hashable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case between = "BETWEEN"
    case `in` = "IN"
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case like = "LIKE"
    case matches = "MATCHES"
    case tokenMatches = "TOKENMATCHES"
    case typeConforms = "UTI-CONFORMS-TO"
    case typeEquals = "UTI-EQUALS"

    /// The operator of the same comparison with its sides exchanged; nil if there is none.
    package var mirrored: Operator? {
      switch self {
      case .equal, .notEqual: self
      case .less: .greater
      case .lessOrEqual: .greaterOrEqual
      case .greater: .less
      case .greaterOrEqual: .lessOrEqual
      default: nil
      }
    }
  }

  /// The options for comparing strings: the letters in brackets after an operator.
  package struct Options: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let caseInsensitive = Options(rawValue: 1)
    package static let diacriticInsensitive = Options(rawValue: 2)
    /// The strings are known to be normalised, so they are compared byte by byte.
    package static let normalized = Options(rawValue: 4)
    package static let localeSensitive = Options(rawValue: 8)

    /// The letters of the options, in printing order.
    static let letters: [(letter: Character, option: Options)] = [
      ("c", .caseInsensitive), ("d", .diacriticInsensitive), ("n", .normalized), ("l", .localeSensitive),
    ]

    /// Parses the letters without regard to case; nil if one is unknown.
    init?(letters: String) {
      self = []
      for letter in letters {
        guard let known = Self.letters.first(where: { String($0.letter) == letter.lowercased() }) else { return nil }
        insert(known.option)
      }
    }

    var letters: String { String(Self.letters.filter { contains($0.option) }.map(\.letter)) }
  }

  package var modifier: Modifier?
  package var left: ExpressionTree
  package var comparator: Operator
  package var options: Options
  package var right: ExpressionTree

  package init(
    modifier: Modifier? = nil, _ left: ExpressionTree, _ comparator: Operator, options: Options = [],
    _ right: ExpressionTree
  ) {
    self.modifier = modifier
    self.left = left
    self.comparator = comparator
    self.options = options
    self.right = right
  }
}

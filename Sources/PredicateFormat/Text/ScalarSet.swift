/// The set of scalars that match at one position of a regular expression.
struct ScalarSet: Sendable {
  indirect enum Member: Sendable {
    case range(ClosedRange<UInt32>)
    case digit, word, space
    case category(String)
    case set(ScalarSet)
  }

  var members: [Member] = []
  var isNegated = false
  var ignoresCase = false

  static let word = ScalarSet(members: [.word])
  static let lineBreaks = ScalarSet(members: [.range(0xA...0xD), .range(0x85...0x85), .range(0x2028...0x2029)])

  init(members: [Member], isNegated: Bool = false, ignoresCase: Bool = false) {
    self.members = members
    self.isNegated = isNegated
    self.ignoresCase = ignoresCase
  }

  init(_ scalar: Unicode.Scalar, ignoresCase: Bool) {
    self.init(members: [.range(scalar.value...scalar.value)], ignoresCase: ignoresCase)
  }

  /// The number of steps charged for looking up a scalar.
  var steps: Int {
    1 + members.count / 8
      + members.reduce(0) { sum, member in if case .set(let set) = member { sum + set.steps } else { sum } }
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    var found = holds(scalar)
    if !found, ignoresCase {
      for mapping in [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping] where !found {
        if let other = mapping.unicodeScalars.first, mapping.unicodeScalars.count == 1, other != scalar {
          found = holds(other)
        }
      }
    }
    return found != isNegated
  }

  private func holds(_ scalar: Unicode.Scalar) -> Bool {
    members.contains { member in
      switch member {
      case .range(let range): range.contains(scalar.value)
      case .digit: scalar.properties.generalCategory == .decimalNumber
      case .word: Self.isWord(scalar)
      case .space: scalar.properties.isWhitespace
      case .category(let name): Self.isIn(name, scalar)
      case .set(let set): set.contains(scalar)
      }
    }
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isAlphabetic || scalar == "\u{200C}" || scalar == "\u{200D}" { return true }
    switch scalar.properties.generalCategory {
    case .decimalNumber, .connectorPunctuation, .nonspacingMark, .spacingMark, .enclosingMark: return true
    default: return false
    }
  }

  /// The general categories for `\p{…}`, by their two-letter names.
  private static let categories: [(name: String, category: Unicode.GeneralCategory)] = [
    ("Lu", .uppercaseLetter), ("Ll", .lowercaseLetter), ("Lt", .titlecaseLetter), ("Lm", .modifierLetter),
    ("Lo", .otherLetter), ("Mn", .nonspacingMark), ("Mc", .spacingMark), ("Me", .enclosingMark),
    ("Nd", .decimalNumber), ("Nl", .letterNumber), ("No", .otherNumber), ("Pc", .connectorPunctuation),
    ("Pd", .dashPunctuation), ("Ps", .openPunctuation), ("Pe", .closePunctuation), ("Pi", .initialPunctuation),
    ("Pf", .finalPunctuation), ("Po", .otherPunctuation), ("Sm", .mathSymbol), ("Sc", .currencySymbol),
    ("Sk", .modifierSymbol), ("So", .otherSymbol), ("Zs", .spaceSeparator), ("Zl", .lineSeparator),
    ("Zp", .paragraphSeparator), ("Cc", .control), ("Cf", .format), ("Cs", .surrogate), ("Co", .privateUse),
    ("Cn", .unassigned),
  ]

  static func isCategory(_ name: String) -> Bool { categories.contains { !name.isEmpty && $0.name.hasPrefix(name) } }

  private static func isIn(_ name: String, _ scalar: Unicode.Scalar) -> Bool {
    let category = scalar.properties.generalCategory
    return categories.contains { $0.category == category && $0.name.hasPrefix(name) }
  }
}

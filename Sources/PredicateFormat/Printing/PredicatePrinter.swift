/// Prints trees like `NSPredicate.predicateFormat`. Parsing the text gives an equal tree.
struct PredicatePrinter {
  private(set) var text = ""
  private var depth = 0

  mutating func nested(_ body: (inout Self) throws(PredicateDepthError) -> Void) throws(PredicateDepthError) {
    depth += 1
    defer { depth -= 1 }
    guard depth <= PredicateTree.maximumDepth else { throw PredicateDepthError() }
    try body(&self)
  }

  mutating func write(_ piece: String) { text += piece }

  // MARK: Predicates

  mutating func print(_ tree: PredicateTree) throws(PredicateDepthError) {
    try nested { (printer) throws(PredicateDepthError) in
      switch tree {
      case .constant(let truth): printer.write(truth ? "TRUEPREDICATE" : "FALSEPREDICATE")
      case .comparison(let comparison): try printer.print(comparison)
      case .and(let members): try printer.print(members, " AND ", "TRUEPREDICATE")
      case .or(let members): try printer.print(members, " OR ", "FALSEPREDICATE")
      case .not(let member):
        printer.write("NOT ")
        try printer.printMember(member)
      }
    }
  }

  private mutating func print(
    _ members: [PredicateTree], _ separator: String, _ empty: String
  ) throws(PredicateDepthError) {
    if members.isEmpty { write(empty) }
    for (index, member) in members.enumerated() {
      if index > 0 { write(separator) }
      try printMember(member)
    }
  }

  private mutating func printMember(_ member: PredicateTree) throws(PredicateDepthError) {
    if member.isCompound { write("(") }
    try print(member)
    if member.isCompound { write(")") }
  }

  private mutating func print(_ comparison: PredicateComparison) throws(PredicateDepthError) {
    if let modifier = comparison.modifier { write(modifier.rawValue + " ") }
    try print(comparison.left)
    write(" " + comparison.comparator.rawValue)
    if !comparison.options.letters.isEmpty { write("[\(comparison.options.letters)]") }
    write(" ")
    try print(comparison.right)
  }

  // MARK: Lists

  mutating func print(_ trees: [ExpressionTree]) throws(PredicateDepthError) {
    for (index, tree) in trees.enumerated() {
      if index > 0 { write(", ") }
      try print(tree)
    }
  }

  // MARK: Words

  /// A string in double quotes, with escapes where needed.
  static func quoted(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\r": text += "\\r"
      default:
        if scalar.properties.generalCategory == .control || scalar == "\u{2028}" || scalar == "\u{2029}" {
          text += escaped(scalar)
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
    }
    return text + "\""
  }

  /// A key in a path, with `#` before a reserved word and escapes for characters that names cannot contain.
  static func key(_ key: String) -> String {
    if key.hasPrefix("@") { return "@" + name(String(key.dropFirst())) }
    return (ASCIIWord.isReserved(key) ? "#" : "") + name(key)
  }

  /// A name with escapes for characters that names cannot contain.
  static func name(_ name: String) -> String {
    var text = ""
    for scalar in name.unicodeScalars {
      if text.isEmpty ? ASCIIWord.isNameStart(scalar) : ASCIIWord.isNamePart(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        text += escaped(scalar)
      }
    }
    return text
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    String(scalar).utf16.map { unit in
      let digits = String(unit, radix: 16, uppercase: true)
      return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }.joined()
  }
}

extension PredicateTree {
  /// The predicate in the format language.
  package var format: String {
    get throws(PredicateDepthError) {
      var printer = PredicatePrinter()
      try printer.print(self)
      return printer.text
    }
  }
}

extension ExpressionTree {
  /// The expression in the format language.
  package var format: String {
    get throws(PredicateDepthError) {
      var printer = PredicatePrinter()
      try printer.print(self)
      return printer.text
    }
  }
}

/// The error for a tree of more than ``PredicateTree/maximumDepth`` levels. No parser creates one.
package struct PredicateDepthError: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String { "The predicate is more than \(PredicateTree.maximumDepth) levels deep" }
}

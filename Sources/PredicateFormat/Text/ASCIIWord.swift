/// Words of the language. Only ASCII letters are compared without case.
enum ASCIIWord {
  /// Words that are keys only with `#` before them.
  static let reserved: Set<String> = [
    "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "CASEINSENSITIVE", "CI", "MATCHES", "CONTAINS",
    "BEGINSWITH", "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO", "FIRST", "LAST", "SIZE",
    "ANYKEY", "SUBQUERY", "FETCH", "CAST", "TRUEPREDICATE", "FALSEPREDICATE", "UTI-CONFORMS-TO", "UTI-EQUALS",
    "TOKENMATCHES",
  ]

  static func uppercased(_ word: String) -> String {
    String(decoding: word.utf8.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }, as: UTF8.self)
  }

  static func lowercased(_ word: String) -> String {
    String(decoding: word.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
  }

  static func isReserved(_ word: String) -> Bool { word.utf8.count <= 15 && reserved.contains(uppercased(word)) }

  static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII ? scalar == "_" || scalar.properties.isAlphabetic : scalar.properties.isXIDStart
  }

  static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    isNameStart(scalar) || (scalar.isASCII ? ("0"..."9").contains(scalar) : scalar.properties.isXIDContinue)
  }
}

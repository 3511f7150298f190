import CloudStore

/// What is disputed about queries, each behind one switch.
package struct QueryRules: Sendable, Hashable {
  /// Strings are equal whatever the case of their letters is.
  ///
  /// - Assumption: strings in queries are equal if all their characters are, in case and marks too; ranges and orders
  ///   go by code point.
  package var ignoresCase = false
  /// A search for several words finds records with all of them.
  ///
  /// - Assumption: `self CONTAINS` with several words finds records with any of them.
  package var wantsAllWords = false

  /// Development asks for the types and indexes that production asks for.
  package var isStrict = false

  package init() {}

  func areEqual(_ one: String, _ other: String) -> Bool {
    ignoresCase ? one.uppercased().lowercased() == other.uppercased().lowercased() : one.hasSameBytes(as: other)
  }
}

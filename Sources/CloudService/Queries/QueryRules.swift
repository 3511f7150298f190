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

/// When a query is served by an index.
package struct QueryIndexing: Sendable, Hashable {
  /// A type with fewer records is looked through: that takes no longer, and saves keep no keys for it.
  package var leastRecords = 200
  /// So many records that pass a filter are looked at, to be sorted; of more, those in the wanted order are looked at first.
  package var fewMatches = 5_000
  /// So many names are kept in memory at a time.
  package var namesAtOnce = 4_096

  package init() {}
}

import LocalCloudStore

/// Switches for disputed behaviour of queries.
package struct QueryRules: Sendable, Hashable {
  /// Whether the comparison of strings for equality ignores case.
  ///
  /// - Assumption: strings in queries are equal if all their characters are, in case and marks too; ranges and orders
  ///   go by code point.
  package var ignoresCase = false
  /// Whether a search for several words only finds records with all of them.
  ///
  /// - Assumption: `self CONTAINS` with several words finds records with any of them.
  package var wantsAllWords = false

  /// Whether queries in development need the types and indexes that they need in production.
  package var isStrict = false

  package init() {}

  func areEqual(_ one: String, _ other: String) -> Bool {
    ignoresCase ? one.uppercased().lowercased() == other.uppercased().lowercased() : one.hasSameBytes(as: other)
  }
}

/// Limits that decide when an index serves a query.
package struct QueryIndexing: Sendable, Hashable {
  /// A type with fewer records is read completely: that is as fast, and saves then maintain no index keys for it.
  package var leastRecords = 200
  /// Up to this number, records that pass a filter are read and sorted. If there are more, records are read in the
  /// wanted order first.
  package var fewMatches = 5_000
  /// The number of names that one pass over an index collects.
  package var namesAtOnce = 4_096

  package init() {}
}

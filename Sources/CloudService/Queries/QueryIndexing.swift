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

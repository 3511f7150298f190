/// A field of a record type: what it holds and how it is indexed.
package struct SchemaField: Sendable, Hashable {
  package struct Indexes: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Equality.
    package static let queryable = Indexes(rawValue: 1)
    /// Words.
    package static let searchable = Indexes(rawValue: 2)
    /// Ranges and order.
    package static let sortable = Indexes(rawValue: 4)

    /// In the order of exports.
    package static let names: [(indexes: Indexes, keyword: String)] = [
      (.queryable, "QUERYABLE"), (.searchable, "SEARCHABLE"), (.sortable, "SORTABLE"),
    ]
  }

  package var type: SchemaFieldType
  package var indexes: Indexes

  package init(_ type: SchemaFieldType, _ indexes: Indexes = []) {
    self.type = type
    self.indexes = indexes
  }
}

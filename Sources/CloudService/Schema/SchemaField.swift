import LocalCloudModel

/// A field of a record type: the type of its values and its indexes.
package struct SchemaField: Sendable, Hashable {
  package struct Indexes: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Serves comparisons for equality.
    package static let queryable = Indexes(rawValue: 1)
    /// Serves searches for words.
    package static let searchable = Indexes(rawValue: 2)
    /// Serves ranges and sort keys.
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

/// Record types and fields that are missing from a schema.
struct SchemaGrowth: Sendable, Hashable {
  /// Fields by type and key. A type without fields is still to be created.
  var types: [String: [String: SchemaFieldType]] = [:]

  var isEmpty: Bool { types.isEmpty }
}

extension Schema {
  /// Adds missing types and fields. Those that another process has added since then do not change.
  mutating func grow(_ growth: SchemaGrowth) {
    for (name, fields) in growth.types {
      var type = types[name] ?? (name == Record.shareType ? .share : .justInTime)
      for (key, field) in fields where type.fields[key] == nil {
        type.fields[key] = SchemaField(field, field.justInTimeIndexes)
      }
      types[name] = type
    }
  }
}

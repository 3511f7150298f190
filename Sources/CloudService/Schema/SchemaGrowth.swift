/// Record types and fields that are missing from a schema.
struct SchemaGrowth: Sendable, Hashable {
  /// Fields by key, by type. A type with none is to be made all the same.
  var types: [String: [String: SchemaFieldType]] = [:]

  var isEmpty: Bool { types.isEmpty }
}

extension Schema {
  /// Adds what is missing. What somebody else added meanwhile stays as it is.
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

/// Thrown by a batch that can't be committed before the schema has grown.
struct SchemaTooSmall: Error {
  var growth: SchemaGrowth
}

/// A field of a record type that the index may have keys for.
package struct IndexedField: Sendable, Hashable {
  package let type: String
  package let name: String

  /// Nil for names with which keys would be ambiguous or too long.
  package init?(type: String, name: String) {
    let names = [type, name].map(\.utf8)
    guard names.allSatisfy({ !$0.isEmpty && !$0.contains(0) }), names[0].count + names[1].count <= 1024 else {
      return nil
    }
    (self.type, self.name) = (type, name)
  }

  /// For names that were checked before.
  init(known type: String, _ name: String) { (self.type, self.name) = (type, name) }
}

/// Encodes the values of records as bytes that have the values' order. The layer above defines the values.
package struct FieldEncoding: Sendable {
  /// The maximum length of a value's bytes: with the names of a type, a field and a record they fit into a key.
  package static let maximumLength = 255

  /// Returns, for one record, the encoded values of each of the named fields.
  package let values: @Sendable (_ record: StoredRecord, _ fields: [String]) -> [[[UInt8]]]

  package init(_ values: @escaping @Sendable (_ record: StoredRecord, _ fields: [String]) -> [[[UInt8]]]) {
    self.values = values
  }

  /// The keys of a record for fields of its type.
  func keys(of record: StoredRecord, _ fields: [IndexedField]) -> [[UInt8]] {
    if fields.isEmpty { return [] }
    let name = record.name
    return zip(fields, values(record, fields.map(\.name))).flatMap { field, values in
      values.map { IndexKey.value($0, of: field, name) }
    }
  }
}

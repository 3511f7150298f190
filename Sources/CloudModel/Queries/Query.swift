/// A query: the record type, the condition and the order of the results.
package struct Query: Sendable, Hashable {
  package var recordType: String
  package var condition: QueryCondition
  package var sorts: [QuerySort]

  package init(recordType: String, condition: QueryCondition = .always, sorts: [QuerySort] = []) {
    self.recordType = recordType
    self.condition = condition
    self.sorts = sorts
  }

  /// Whether the query asks for all records of the type, in any order.
  package var isMatchAll: Bool { condition == .always && sorts.isEmpty }
}

/// A condition: a record must pass all its filters.
package struct QueryCondition: Sendable, Hashable {
  package var filters: [QueryFilter]
  /// Whether no record passes, with any filters.
  package var isNever: Bool

  package init(_ filters: [QueryFilter] = [], isNever: Bool = false) {
    self.filters = filters
    self.isNever = isNever
  }

  package static let always = QueryCondition()
  package static let never = QueryCondition(isNever: true)
}

/// One comparison of a field with a value.
package struct QueryFilter: Sendable, Hashable {
  package var comparator: QueryComparator
  /// The name of a field, or any name of a system field. Nil: all searchable fields, for token searches only.
  package var key: String?
  package var value: FieldValue
  /// The radius in metres, for `NEAR` only.
  package var distance: Double?

  package init(_ key: String?, _ comparator: QueryComparator, _ value: FieldValue, distance: Double? = nil) {
    self.key = key
    self.comparator = comparator
    self.value = value
    self.distance = distance
  }
}

/// A sort key.
package struct QuerySort: Sendable, Hashable {
  package var key: String
  package var ascending: Bool
  /// Sorts by the distance from this location; only ascending.
  package var relativeLocation: LocationValue?

  package init(_ key: String, ascending: Bool = true, relativeLocation: LocationValue? = nil) {
    self.key = key
    self.ascending = ascending
    self.relativeLocation = relativeLocation
  }
}

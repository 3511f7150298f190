/// What is searched for: records of one type, which of them, in which order.
package struct Query: Sendable, Hashable {
  package var recordType: String
  package var condition: QueryCondition
  package var sorts: [QuerySort]

  package init(recordType: String, condition: QueryCondition = .always, sorts: [QuerySort] = []) {
    self.recordType = recordType
    self.condition = condition
    self.sorts = sorts
  }

  /// All records of the type, in whatever order.
  package var isMatchAll: Bool { condition == .always && sorts.isEmpty }
}

/// Filters that a record has to pass, all of them.
package struct QueryCondition: Sendable, Hashable {
  package var filters: [QueryFilter]
  /// No record passes, whatever the filters are.
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
  /// A field, or a system field by any of its names. Nil: all that is searchable, which only token searches can be about.
  package var key: String?
  package var value: FieldValue
  /// In metres, of `NEAR` alone.
  package var distance: Double?

  package init(_ key: String?, _ comparator: QueryComparator, _ value: FieldValue, distance: Double? = nil) {
    self.key = key
    self.comparator = comparator
    self.value = value
    self.distance = distance
  }
}

/// One key of an order.
package struct QuerySort: Sendable, Hashable {
  package var key: String
  package var ascending: Bool
  /// Sorts by the distance from there; ascending alone.
  package var relativeLocation: LocationValue?

  package init(_ key: String, ascending: Bool = true, relativeLocation: LocationValue? = nil) {
    self.key = key
    self.ascending = ascending
    self.relativeLocation = relativeLocation
  }
}

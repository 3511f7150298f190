import LocalCloudModel
import LocalCloudStorage

/// The position of a record among a query's results.
struct QueryPosition {
  /// The record's value for each sort key; nil if it has none.
  var keys: [FieldValue?] = []
  var name: ExactName
  var zone: ExactName
}

/// The order of a query's results: by its sort keys, then by name, so that pages have one order. Without sort keys:
/// zone by zone.
///
/// - Assumption: records without a sort key are first, or last where the order is descending.
struct QueryOrder {
  private let sorts: [QuerySort]
  private let systemFields: [SystemField?]
  /// Encrypted sort keys. They have no effect.
  private let encrypted: Set<String>

  init(_ sorts: [QuerySort], type: SchemaRecordType?) {
    self.sorts = sorts
    systemFields = sorts.map { SystemField(key: $0.key) }
    let fields = type?.fields ?? [:]
    encrypted = Set(sorts.map(\.key).filter { fields[$0]?.type.isEncrypted == true })
  }

  /// The position of a record; `record` nil: an unreadable one.
  func position(of record: Record?, _ name: ExactName, in zone: ExactName) -> QueryPosition {
    let keys = zip(sorts, systemFields).map { sort, system -> FieldValue? in
      guard let record, let value = record.value(of: sort.key, system) else { return nil }
      guard let center = sort.relativeLocation else { return encrypted.contains(sort.key) ? nil : value }
      if case .location(let location) = value { return .double(location.distance(to: center)) }
      return nil
    }
    return QueryPosition(keys: keys, name: name, zone: zone)
  }

  func precedes(_ one: QueryPosition, _ other: QueryPosition) -> Bool {
    if sorts.isEmpty { return one.zone == other.zone ? one.name < other.name : one.zone < other.zone }
    for ((one, other), sort) in zip(zip(one.keys, other.keys), sorts) {
      let order = Self.order(one, other)
      if order != 0 { return (order < 0) == sort.ascending }
    }
    return one.name == other.name ? one.zone < other.zone : one.name < other.name
  }

  /// Values of two types without a common order are ordered by the types' names. Only manual edits can put them into
  /// one field.
  private static func order(_ one: FieldValue?, _ other: FieldValue?) -> Int {
    switch (one, other) {
    case (nil, nil): 0
    case (nil, _): -1
    case (_, nil): 1
    case (let one?, let other?):
      one.order(to: other) ?? (one.typeName == other.typeName ? 0 : one.typeName < other.typeName ? -1 : 1)
    }
  }
}

import LocalCloudModel
import LocalCloudStorage

extension Schema {
  /// Throws if the service can't answer the query for records of that type ([query-index-1], [query-error-1]).
  ///
  /// `isStrict`: the type must exist, and a query without filters needs an index on the record's name.
  func check(_ query: Query, container: String, isStrict: Bool) throws(ServiceError) {
    guard let type = types[query.recordType] else {
      // A type that was never saved counts as empty if the query has no filters and no sort keys.
      if query.condition.filters.isEmpty, query.sorts.isEmpty, !isStrict { return }
      throw .typeNotFound(query.recordType)
    }
    let check = QueryCheck(name: query.recordType, type: type, container: container)
    if isStrict, query.condition == .always { try check.checkName() }
    for filter in query.condition.filters { try check.check(filter) }
    for sort in query.sorts { try check.check(sort) }
    guard JSONValue.object(query.object).compact().count <= Self.maximumQueryBytes else {
      throw .limitExceeded("The query is larger than \(Self.maximumQueryBytes) bytes")
    }
  }

  /// Whether the type, or a field that a filter names, does not exist.
  func lacksType(or query: Query) -> Bool {
    guard let type = types[query.recordType] else { return true }
    return query.condition.filters.compactMap(\.key).contains { SystemField(key: $0) == nil && type.fields[$0] == nil }
  }

  /// - Assumption: a query is not larger than a record may be, 1 MB.
  private static let maximumQueryBytes = NameRules.maximumRecordBytes
}

/// Checks the parts of a query against its record type.
private struct QueryCheck {
  let name: String
  let type: SchemaRecordType
  let container: String

  static let maximumValues = 250

  private struct Subject {
    /// The name in messages.
    var name: String
    var type: SchemaFieldType
    var indexes: SchemaField.Indexes
    var system: SystemField?
  }

  private func subject(_ key: String) throws(ServiceError) -> Subject {
    if let system = SystemField(key: key) {
      return Subject(
        name: system.serverName, type: system.type, indexes: type.systemIndexes[system.rawValue] ?? [], system: system)
    }
    guard let field = type.fields[key] else {
      throw ServiceError(
        .invalidArguments, "Did not find field: '\(key)' in type: '\(name)'", internalCode: 2006,
        hint: "`localcloud schema export` shows the fields there are, `localcloud schema import` adds some.")
    }
    return Subject(name: key, type: field.type, indexes: field.indexes)
  }

  /// Checks the index on the record's name: a query for all records needs it. A sort key does not replace it
  /// ([query-index-2]).
  func checkName() throws(ServiceError) { try checkIndex(subject(SystemField.recordID.rawValue), .equality) }

  // MARK: Filters

  func check(_ filter: QueryFilter) throws(ServiceError) {
    let family = filter.comparator.family
    if case .list(_, let values) = filter.value, values.count > Self.maximumValues {
      throw .limitExceeded(
        "Query filter exceeds the limit of values: \(Self.maximumValues) for container '\(container)'")
    }
    guard filter.value.isFinite else {
      throw .invalid("Field '\(filter.key ?? "self")' has a filter value without a number")
    }
    guard let key = filter.key else { return try checkWords(filter) }
    let subject = try subject(key)
    guard family.allows(subject.type.element), subject.type.isList == family.fieldIsList || family == .tokens,
      !subject.type.isEncrypted
    else {
      throw .invalid(
        "Field '\(subject.name)' has a value type of \(subject.type.serverName) and cannot be queried using filter type "
          + filter.comparator.rawValue)
    }
    guard fits(filter.value, subject.type.element, asList: family.valueIsList) else {
      throw ServiceError(
        .invalidArguments,
        "Field '\(subject.name)' has a value type of \(subject.type.serverName) and cannot be queried using filter value "
          + "type \(filter.value.typeName)", internalCode: 1009)
    }
    guard family != .distance || filter.distance.map({ $0 >= 0 && $0.isFinite }) == true else {
      throw .invalid("A filter by distance needs a radius in metres")
    }
    try checkIndex(subject, family)
  }

  /// Whether a filter's value has a type that the field can be compared with. An empty list fits every type.
  ///
  /// - Assumption: fields of whole numbers can be compared with fractions, and fields of fractions with whole numbers.
  private func fits(_ value: FieldValue, _ element: SchemaFieldType.Element, asList: Bool) -> Bool {
    let found: FieldValue.ElementType?
    if case .list(let type, let values) = value {
      guard asList else { return false }
      if values.isEmpty { return true }
      found = type
    } else {
      guard !asList else { return false }
      found = value.elementType
    }
    let numbers: [FieldValue.ElementType] = [.int64, .double]
    guard let found else { return false }
    return found == element.valueType || numbers.contains(found) && numbers.contains(element.valueType)
  }

  /// - Assumption: `parent` and `share` need no index, as no schema can give them one.
  private func checkIndex(_ subject: Subject, _ family: QueryComparator.Family) throws(ServiceError) {
    if subject.system == .parent || subject.system == .share { return }
    if !subject.indexes.isDisjoint(with: family.indexes) { return }
    if family == .tokens { throw refusal("Field '\(subject.name)' is not marked searchable") }
    let usable: SchemaField.Indexes = [.queryable, .sortable]
    let all = type.fields.values.map(\.indexes) + type.systemIndexes.values
    guard all.contains(where: { !$0.isDisjoint(with: usable) }) else {
      throw refusal("Type is not marked indexable: \(name)")
    }
    var error = refusal("Field '\(subject.name)' is not marked queryable")
    // Saving a record creates the other indexes that queries need, but never this one ([schema-growth-1]).
    if subject.system == .recordID {
      error.hint =
        "A field `\"\(SystemField.recordID.rawValue)\" REFERENCE QUERYABLE` of the type marks it: `localcloud schema "
        + "export` shows the schema, `localcloud schema import` takes it back."
    }
    throw error
  }

  /// - Assumption: searching for words in a type without a SEARCHABLE field is `invalidArguments`.
  private func checkWords(_ filter: QueryFilter) throws(ServiceError) {
    guard filter.comparator.family == .tokens else { throw .invalid("A filter needs the name of a field") }
    guard case .string = filter.value else {
      throw .invalid("Words are searched for as STRING, not as \(filter.value.typeName)")
    }
    guard !type.searchableKeys.isEmpty else { throw refusal("Type is not marked searchable: \(name)") }
  }

  // MARK: Sort keys

  func check(_ sort: QuerySort) throws(ServiceError) {
    let subject = try subject(sort.key)
    if let location = sort.relativeLocation {
      guard location.isFinite, sort.ascending else { throw .invalid("Distances are sorted from the nearest on alone") }
      guard subject.type.element == .location else {
        throw .invalid("Field '\(subject.name)' has a value type of \(subject.type.serverName) and has no distance")
      }
    }
    // An encrypted sort key is accepted and has no effect ([query-sort-4]).
    if subject.type.isEncrypted { return }
    guard subject.indexes.contains(.sortable), !subject.type.isList else {
      throw refusal("Field '\(subject.name)' is not marked sortable")
    }
  }

  /// The error for a missing index.
  private func refusal(_ message: String) -> ServiceError {
    ServiceError(
      .invalidArguments, message, internalCode: 2015,
      hint: "`localcloud schema export` shows the indexes there are, `localcloud schema import` adds some.")
  }
}

extension FieldValue {
  /// Whether JSON can represent all its numbers: it has no infinity and no NaN.
  fileprivate var isFinite: Bool {
    switch self {
    case .double(let number): number.isFinite
    case .location(let location): location.isFinite
    case .timestamp(let time): time.isStorable
    case .list(_, let elements): elements.allSatisfy(\.isFinite)
    default: true
    }
  }
}

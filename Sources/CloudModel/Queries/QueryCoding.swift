import LocalCloudStorage

/// The dictionary form of queries ([query-json-1]), with `matchesNothing` as an addition.
extension Query {
  package var object: JSONObject {
    var object = condition.object
    object["recordType"] = .string(recordType)
    if !sorts.isEmpty { object["sortBy"] = .array(sorts.map { .object($0.object) }) }
    return object
  }

  /// Nil if `object` is not a valid query.
  package init?(_ object: JSONObject) {
    guard let type = object["recordType"]?.string, let condition = QueryCondition(object) else { return nil }
    self.init(recordType: type, condition: condition)
    guard let value = object["sortBy"] else { return }
    guard let list = value.array else { return nil }
    for element in list {
      guard let sort = element.object.flatMap(QuerySort.init) else { return nil }
      sorts.append(sort)
    }
  }
}

extension QueryCondition {
  package var object: JSONObject {
    var object: JSONObject = [:]
    if !filters.isEmpty { object["filterBy"] = .array(filters.map { .object($0.object) }) }
    if isNever { object["matchesNothing"] = true }
    return object
  }

  package init?(_ object: JSONObject) {
    self.init(isNever: object["matchesNothing"]?.bool == true)
    guard let value = object["filterBy"] else { return }
    guard let list = value.array else { return nil }
    for element in list {
      guard let filter = element.object.flatMap(QueryFilter.init) else { return nil }
      filters.append(filter)
    }
  }
}

extension QueryFilter {
  fileprivate var object: JSONObject {
    var object: JSONObject = ["comparator": .string(comparator.rawValue), "fieldValue": .object(value.field)]
    object["fieldName"] = key.map { .string($0) }
    object["distance"] = distance.map { .double($0) }
    return object
  }

  fileprivate init?(_ object: JSONObject) {
    guard let comparator = object["comparator"]?.string.flatMap(QueryComparator.init),
      let field = object["fieldValue"]?.object, let value = try? FieldValue.parse(field, key: "fieldValue")
    else { return nil }
    let key = object["fieldName"] ?? object["systemFieldName"]
    if key != nil, key?.string == nil { return nil }
    self.init(key?.string, comparator, value, distance: object["distance"]?.double)
  }
}

extension QuerySort {
  fileprivate var object: JSONObject {
    var object: JSONObject = ["ascending": .bool(ascending), "fieldName": .string(key)]
    if let relativeLocation { object["relativeLocation"] = .object(FieldValue.location(relativeLocation).field) }
    return object
  }

  fileprivate init?(_ object: JSONObject) {
    guard let key = (object["fieldName"] ?? object["systemFieldName"])?.string else { return nil }
    self.init(key, ascending: object["ascending"]?.bool ?? true)
    guard let value = object["relativeLocation"] else { return }
    guard let field = value.object,
      case .location(let location)? = try? FieldValue.parse(field, key: "relativeLocation")
    else { return nil }
    relativeLocation = location
  }
}

import Foundation
import LocalCloudModel
import LocalCloudPredicateFormat

/// Translates the supported comparisons of [query-predicate-1]: each becomes one filter, BETWEEN becomes two.
extension QueryTranslation {
  private struct Form: Hashable {
    var modifier: PredicateComparison.Modifier?
    var comparator: PredicateComparison.Operator
  }

  /// The comparators for a field on the left and a value on the right.
  private static let fieldFirst: [Form: QueryComparator] = [
    Form(comparator: .equal): .equals, Form(comparator: .notEqual): .notEquals, Form(comparator: .less): .lessThan,
    Form(comparator: .lessOrEqual): .lessThanOrEquals, Form(comparator: .greater): .greaterThan,
    Form(comparator: .greaterOrEqual): .greaterThanOrEquals, Form(comparator: .in): .in,
    Form(comparator: .beginsWith): .beginsWith, Form(comparator: .contains): .listContains,
    Form(modifier: .any, comparator: .equal): .listContains,
    Form(modifier: .any, comparator: .contains): .listContains,
    Form(modifier: .any, comparator: .in): .listContainsAny,
    Form(modifier: .any, comparator: .beginsWith): .listMemberBeginsWith,
  ]

  /// The comparators for a value on the left and a field on the right.
  private static let valueFirst: [Form: QueryComparator] = [
    Form(comparator: .equal): .equals, Form(comparator: .notEqual): .notEquals,
    Form(comparator: .less): .greaterThan, Form(comparator: .lessOrEqual): .greaterThanOrEquals,
    Form(comparator: .greater): .lessThan, Form(comparator: .greaterOrEqual): .lessThanOrEquals,
    Form(comparator: .in): .listContains, Form(comparator: .contains): .in,
    Form(modifier: .any, comparator: .equal): .in,
  ]

  func filters(
    _ comparison: PredicateComparison, negated: Bool
  ) throws(Unexpected) -> [QueryFilter] {
    let (left, right) = (try QueryOperand(comparison.left, now: now), try QueryOperand(comparison.right, now: now))
    let form = Form(modifier: comparison.modifier, comparator: comparison.comparator)
    guard comparison.options.isEmpty || form.comparator == .tokenMatches else {
      throw Unexpected(reason: "options of a comparison are not supported")
    }
    switch (left, right) {
    case (.key(let key), .constant(let value)) where form == Form(comparator: .between):
      return try between(key, value, negated)
    case (.key(let key), .constant(let value)):
      return [try filter(Self.fieldFirst[form], key, value, negated)]
    case (.constant(let value), .key(let key)):
      return [try filter(Self.valueFirst[form], key, value, negated)]
    default:
      guard !negated else { throw Unexpected(reason: "it can't be negated") }
      if let near = try distance(form, left, right) { return [near] }
      return [try words(form, left, right)]
    }
  }

  private func filter(
    _ comparator: QueryComparator?, _ key: String, _ value: PredicateValue, _ negated: Bool
  ) throws(Unexpected) -> QueryFilter {
    guard let comparator, let wanted = negated ? comparator.negated : comparator else { throw Unexpected() }
    // With a string on its right, IN would search the string for the field's text.
    if comparator == .in, value.elements == nil { throw Unexpected(reason: "IN needs a list") }
    return QueryFilter(key, wanted, try serviceValue(value))
  }

  private func between(
    _ key: String, _ value: PredicateValue, _ negated: Bool
  ) throws(Unexpected) -> [QueryFilter] {
    guard !negated else { throw Unexpected(reason: "BETWEEN can't be negated") }
    guard let bounds = value.elements, bounds.count == 2 else {
      throw Unexpected(reason: "BETWEEN needs a list of two values")
    }
    return [
      QueryFilter(key, .greaterThanOrEquals, try serviceValue(bounds[0])),
      QueryFilter(key, .lessThanOrEquals, try serviceValue(bounds[1])),
    ]
  }

  /// Translates a comparison of a distance with a radius; nil if it is another comparison.
  private func distance(
    _ form: Form, _ left: QueryOperand, _ right: QueryOperand
  ) throws(Unexpected) -> QueryFilter? {
    let (key, location, radius): (String, PredicateValue, PredicateValue)
    let inside: [Form]
    switch (left, right) {
    case (.distance(let field, let center), .constant(let value)):
      (key, location, radius) = (field, center, value)
      inside = [Form(comparator: .less), Form(comparator: .lessOrEqual)]
    case (.constant(let value), .distance(let field, let center)):
      (key, location, radius) = (field, center, value)
      inside = [Form(comparator: .greater), Form(comparator: .greaterOrEqual)]
    default: return nil
    }
    guard inside.contains(form) else { throw Unexpected(reason: "a distance can only be less than a radius") }
    guard case .location = location else { throw Unexpected(reason: "a distance needs a location") }
    let metres: Double
    switch radius {
    case .integer(let number): metres = Double(number)
    case .double(let number): metres = number
    default: throw Unexpected(reason: "a radius is a number of metres")
    }
    return QueryFilter(key, .near, try serviceValue(location), distance: metres)
  }

  private func words(
    _ form: Form, _ left: QueryOperand, _ right: QueryOperand
  ) throws(Unexpected) -> QueryFilter {
    switch (left, right, form.modifier, form.comparator) {
    case (.words, .constant(.string(let text)), nil, .contains),
      (.words, .constant(.string(let text)), nil, .tokenMatches), (.constant(.string(let text)), .words, nil, .in),
      (.tokens(let text), .words, .any, .in):
      return QueryFilter(nil, .containsAnyTokens, .string(text))
    case (.tokens(let text), .words, .all, .in):
      return QueryFilter(nil, .containsAllTokens, .string(text))
    default: throw Unexpected()
    }
  }

  // MARK: Values

  private func serviceValue(_ value: PredicateValue) throws(Unexpected) -> FieldValue {
    guard let elements = value.elements else { return translator.serviceValue(try element(value)) }
    let list = try elements.map { (value) throws(Unexpected) in try element(value) }
    let result = translator.serviceValue(.list(list))
    if case .list(let type, let values) = result, !values.allSatisfy({ $0.elementType == type }) {
      throw Unexpected(reason: "the values of a list must be of one type")
    }
    return result
  }

  private func element(_ value: PredicateValue) throws(Unexpected) -> ClientValue {
    switch value {
    case .null: throw Unexpected(reason: "Missing filter value")
    case .integer(let number): return .int64(number)
    case .double(let number): return .double(number)
    case .string(let text): return .string(text)
    case .date(let seconds): return .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .data(let bytes): return .bytes(Data(bytes))
    case .location(let latitude, let longitude):
      return .location(CLLocation(latitude: latitude, longitude: longitude))
    case .object(let object):
      guard let recordID = CKRecordID(object) else { throw Unexpected(reason: "no value that a field can have") }
      return .reference(CKReference(recordID: recordID, action: .none))
    case .list, .dictionary: throw Unexpected(reason: "a list in a list")
    }
  }
}

extension CKRecordID {
  /// Makes the ID of the record that a record, an ID or a reference in a predicate names; nil for other objects.
  fileprivate convenience init?(_ object: PredicateObject) {
    guard ["CKRecordID", "CKReference", "CKRecord"].contains(object.type),
      case .string(let name)? = object.parts["recordName"], case .string(let zone)? = object.parts["zoneName"],
      case .string(let owner)? = object.parts["ownerName"],
      let zoneID = CKRecordZoneID(validating: zone, ownerName: owner)
    else { return nil }
    self.init(validating: name, zoneID: zoneID)
  }
}

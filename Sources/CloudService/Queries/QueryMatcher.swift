import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Decides whether a record of a zone passes a condition ([query-filter-1] and following).
///
/// - Assumption: a record without the field passes no filter on it, negated or not, as an index has no entry for it.
struct QueryMatcher {
  private let condition: QueryCondition
  private let rules: QueryRules
  /// The zone of the records.
  private let zone: ZoneIdentifier
  /// The user record name of the caller: the meaning of `__defaultOwner__`.
  private let user: String?
  private let tests: [Test]

  private struct Test {
    var filter: QueryFilter
    var system: SystemField?
    /// The values that the field is compared with: the filter's value, or each element of its list.
    var values: [FieldValue]
    var search: WordSearch?
    /// The fields that are searched for words.
    var searched: [String]
  }

  init(
    _ condition: QueryCondition, in zone: ZoneIdentifier, user: String?, rules: QueryRules, type: SchemaRecordType?
  ) {
    self.condition = condition
    self.rules = rules
    self.zone = zone
    self.user = user
    tests = condition.filters.map { filter in
      let system = filter.key.flatMap { SystemField(key: $0) }
      var test = Test(filter: filter, system: system, values: [], searched: [])
      if filter.comparator.family == .tokens {
        if case .string(let text) = filter.value { test.search = WordSearch(text) }
        test.searched = filter.key.map { [$0] } ?? type?.searchableKeys ?? []
      } else if case .list(_, let elements) = filter.value {
        test.values = elements.map { Self.resolved($0, zone, user, system) }
      } else {
        test.values = [Self.resolved(filter.value, zone, user, system)]
      }
      return test
    }
  }

  /// Whether the record matches the condition. Its encrypted fields are not needed.
  func matches(_ record: Record) -> Bool {
    !condition.isNever && tests.allSatisfy { passes(record, $0) }
  }

  private func passes(_ record: Record, _ test: Test) -> Bool {
    if let search = test.search {
      let wantsAll = test.filter.comparator == .containsAllTokens || rules.wantsAllWords
      return search.isAnswered(by: test.searched.flatMap { Self.texts(record.fields[$0]) }, wantsAll: wantsAll)
    }
    guard let key = test.filter.key, let found = record.value(of: key, test.system) else {
      return false
    }
    let comparator = test.filter.comparator
    let family = comparator.family
    let elements: [FieldValue]
    if case .list(_, let list) = found {
      guard family.fieldIsList else { return false }
      elements = list.map { Self.resolved($0, zone, user, test.system) }
    } else {
      guard !family.fieldIsList else { return false }
      elements = [Self.resolved(found, zone, user, test.system)]
    }
    return holds(family, comparator, elements, test) != comparator.isNegation
  }

  /// Whether the comparison holds; ignores negation.
  private func holds(
    _ family: QueryComparator.Family, _ comparator: QueryComparator, _ elements: [FieldValue], _ test: Test
  ) -> Bool {
    switch family {
    case .equality, .membership, .member:
      return test.values.contains { isAmong($0, elements) }
    case .members:
      let isAll = comparator == .listContainsAll || comparator == .notListContainsAll
      return isAll
        ? test.values.allSatisfy { isAmong($0, elements) } : test.values.contains { isAmong($0, elements) }
    case .range:
      guard let value = test.values.first, let order = elements.first?.order(to: value) else { return false }
      switch comparator {
      case .lessThan: return order < 0
      case .lessThanOrEquals: return order <= 0
      case .greaterThan: return order > 0
      default: return order >= 0
      }
    case .prefix, .memberPrefix:
      guard case .string(let prefix)? = test.values.first else { return false }
      return elements.contains { element in
        if case .string(let text) = element { text.utf8.starts(with: prefix.utf8) } else { false }
      }
    case .distance:
      guard case .location(let center)? = test.values.first, case .location(let location)? = elements.first,
        let radius = test.filter.distance
      else { return false }
      return location.distance(to: center) < radius
    case .tokens:
      return false
    }
  }

  private func isAmong(_ value: FieldValue, _ elements: [FieldValue]) -> Bool {
    elements.contains { element in
      switch (element, value) {
      case (.string(let one), .string(let other)): rules.areEqual(one, other)
      case (.reference(let one), .reference(let other)): one.record == other.record && one.zone == other.zone
      default: element.order(to: value) == 0
      }
    }
  }

  private static func texts(_ value: FieldValue?) -> [String] {
    switch value {
    case .string(let text): [text]
    case .list(_, let elements): elements.flatMap { texts($0) }
    default: []
    }
  }

  /// The compared parts of a reference: record, zone and owner; the action is ignored.
  private static func resolved(
    _ value: FieldValue, _ zone: ZoneIdentifier, _ user: String?, _ system: SystemField?
  ) -> FieldValue {
    guard case .reference(let reference) = value else { return value }
    if system?.isUser == true {
      let isOwn = reference.record.string == ZoneIdentifier.currentUser
      return .reference(
        ReferenceValue(record: isOwn ? user.map { ExactName($0) } ?? reference.record : reference.record))
    }
    var target = reference.zone ?? zone
    if target.owner == nil || target.owner == ZoneIdentifier.currentUser || target.owner == user {
      // Every user owns the public database's zone.
      target.owner = zone.owner == ZoneIdentifier.currentUser ? zone.owner : reference.zone == nil ? zone.owner : user
    }
    return .reference(ReferenceValue(record: reference.record, zone: target))
  }
}

extension SchemaRecordType {
  /// Fields that are searched for words.
  var searchableKeys: [String] {
    fields.filter { $0.value.indexes.contains(.searchable) && $0.value.type.element == .string }.keys.sorted()
  }
}

import LocalCloudModel
import LocalCloudStorage

extension QueryFilter {
  /// Classes of filters by the expected number of matches.
  enum Selectivity: Int, Comparable {
    case value, prefix, range

    static func < (one: Selectivity, other: Selectivity) -> Bool { one.rawValue < other.rawValue }
  }

  /// The ranges of the field's index that contain all matches and perhaps other records; nil if no index serves the
  /// filter.
  func indexed(_ rules: QueryRules, user: String?) -> (ranges: [IndexedRange], selectivity: Selectivity)? {
    if comparator.isNegation || rules.ignoresCase && value.isText && comparator.family.comparesWhole { return nil }
    switch comparator.family {
    case .equality: return (equal([value], user, isElement: false), .value)
    case .membership: return (equal(value.listed, user, isElement: false), .value)
    case .member: return (equal([value], user, isElement: true), .value)
    case .members:
      // A list that contains all values contains the first.
      if comparator == .listContainsAll {
        guard let first = value.listed.first else { return nil }
        return (equal([first], user, isElement: true), .value)
      }
      return (equal(value.listed, user, isElement: true), .value)
    case .range:
      return IndexedRange(comparator, FieldIndexKey.bytes(of: value)).map { ([$0], .range) }
    case .prefix: return ([IndexedRange(prefix: FieldIndexKey.bytes(of: value))], .prefix)
    case .memberPrefix: return ([IndexedRange(prefix: FieldIndexKey.bytes(ofElement: value))], .prefix)
    case .tokens, .distance: return nil
    }
  }

  private func equal(_ values: [FieldValue], _ user: String?, isElement: Bool) -> [IndexedRange] {
    let named = values.flatMap { Self.spellings(of: $0, user) }
    return Set(named.map { isElement ? FieldIndexKey.bytes(ofElement: $0) : FieldIndexKey.bytes(of: $0) })
      .map { IndexedRange(equalTo: $0) }
  }

  /// All spellings of a value: the caller is also called `__defaultOwner__`.
  private static func spellings(of value: FieldValue, _ user: String?) -> [FieldValue] {
    guard case .reference(let reference) = value, let user else { return [value] }
    let own = [user, ZoneIdentifier.currentUser]
    guard own.contains(where: { $0.hasSameBytes(as: reference.record.string) }) else { return [value] }
    return own.map { .reference(ReferenceValue(record: ExactName($0))) }
  }
}

extension QueryComparator.Family {
  /// Whether it compares values for equality, so that the rules for equality apply.
  fileprivate var comparesWhole: Bool {
    switch self {
    case .equality, .membership, .member, .members: true
    case .range, .prefix, .memberPrefix, .tokens, .distance: false
    }
  }
}

extension FieldValue {
  fileprivate var listed: [FieldValue] { if case .list(_, let elements) = self { elements } else { [] } }

  fileprivate var isText: Bool {
    switch self {
    case .string: true
    case .list(let type, _): type == .string
    default: false
    }
  }
}

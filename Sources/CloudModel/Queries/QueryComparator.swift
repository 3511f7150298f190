/// The comparison of a field with a filter's value. Raw values are the server's names.
package enum QueryComparator: String, Sendable, CaseIterable {
  case equals = "EQUALS"
  case notEquals = "NOT_EQUALS"
  case lessThan = "LESS_THAN"
  case lessThanOrEquals = "LESS_THAN_OR_EQUALS"
  case greaterThan = "GREATER_THAN"
  case greaterThanOrEquals = "GREATER_THAN_OR_EQUALS"
  case `in` = "IN"
  case notIn = "NOT_IN"
  case beginsWith = "BEGINS_WITH"
  case notBeginsWith = "NOT_BEGINS_WITH"
  case listContains = "LIST_CONTAINS"
  case notListContains = "NOT_LIST_CONTAINS"
  case listContainsAny = "LIST_CONTAINS_ANY"
  case notListContainsAny = "NOT_LIST_CONTAINS_ANY"
  case listContainsAll = "LIST_CONTAINS_ALL"
  case notListContainsAll = "NOT_LIST_CONTAINS_ALL"
  case listMemberBeginsWith = "LIST_MEMBER_BEGINS_WITH"
  case notListMemberBeginsWith = "NOT_LIST_MEMBER_BEGINS_WITH"
  case containsAnyTokens = "CONTAINS_ANY_TOKENS"
  case containsAllTokens = "CONTAINS_ALL_TOKENS"
  case near = "NEAR"

  /// The comparator that holds exactly where this one does not; nil for those that can't be negated
  /// ([query-predicate-4]).
  package var negated: QueryComparator? {
    Self.opposites.first { $0.0 == self }?.1 ?? Self.opposites.first { $0.1 == self }?.0
  }

  private static let opposites: [(QueryComparator, QueryComparator)] = [
    (.equals, .notEquals), (.lessThan, .greaterThanOrEquals), (.greaterThan, .lessThanOrEquals), (.in, .notIn),
    (.beginsWith, .notBeginsWith), (.listContains, .notListContains), (.listContainsAny, .notListContainsAny),
    (.listContainsAll, .notListContainsAll), (.listMemberBeginsWith, .notListMemberBeginsWith),
  ]

  /// Comparators that make the same kind of comparison for the same types.
  package enum Family {
    case equality, range, membership, prefix, member, members, memberPrefix, tokens, distance
  }

  package var family: Family {
    switch self {
    case .equals, .notEquals: .equality
    case .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals: .range
    case .in, .notIn: .membership
    case .beginsWith, .notBeginsWith: .prefix
    case .listContains, .notListContains: .member
    case .listContainsAny, .notListContainsAny, .listContainsAll, .notListContainsAll: .members
    case .listMemberBeginsWith, .notListMemberBeginsWith: .memberPrefix
    case .containsAnyTokens, .containsAllTokens: .tokens
    case .near: .distance
    }
  }

  /// Whether it is the negated comparator of its pair.
  package var isNegation: Bool { rawValue.hasPrefix("NOT_") }
}

extension QueryComparator.Family {
  package var fieldIsList: Bool {
    switch self {
    case .member, .members, .memberPrefix: true
    case .equality, .range, .membership, .prefix, .tokens, .distance: false
    }
  }

  package var valueIsList: Bool { self == .membership || self == .members }
}

import Foundation
import LocalCloudFoundationPredicates
import LocalCloudModel
import LocalCloudPredicateFormat
import LocalCloudStore

/// Restores a predicate from the service's form, for a subscription that was fetched.
extension Translator {
  func predicate(_ condition: QueryCondition, in zone: ZoneIdentifier?) throws(ServiceError) -> NSPredicate {
    var members: [PredicateTree] = condition.isNever ? [.constant(false)] : []
    for filter in condition.filters { members.append(try tree(filter, zone)) }
    guard let predicate = PredicateArchive.predicate(tree: .all(of: members)) else {
      throw .invalid("The subscription's predicate can't be read")
    }
    return predicate
  }

  private func tree(_ filter: QueryFilter, _ zone: ZoneIdentifier?) throws(ServiceError) -> PredicateTree {
    let left = filter.key.map { ExpressionTree.key($0) } ?? .subject
    let value = try predicateValue(filter.value, zone)
    func leaf(
      _ comparator: PredicateComparison.Operator, any modifier: PredicateComparison.Modifier? = nil
    ) -> PredicateTree {
      .comparison(PredicateComparison(modifier: modifier, left, comparator, .constant(value)))
    }
    switch filter.comparator {
    case .equals: return leaf(.equal)
    case .notEquals: return leaf(.notEqual)
    case .lessThan: return leaf(.less)
    case .lessThanOrEquals: return leaf(.lessOrEqual)
    case .greaterThan: return leaf(.greater)
    case .greaterThanOrEquals: return leaf(.greaterOrEqual)
    case .in: return leaf(.in)
    case .notIn: return .not(leaf(.in))
    case .beginsWith: return leaf(.beginsWith)
    case .notBeginsWith: return .not(leaf(.beginsWith))
    case .listContains: return leaf(.contains)
    case .notListContains: return .not(leaf(.contains))
    case .listContainsAny: return leaf(.in, any: .any)
    case .notListContainsAny: return .not(leaf(.in, any: .any))
    case .listMemberBeginsWith: return leaf(.beginsWith, any: .any)
    case .notListMemberBeginsWith: return .not(leaf(.beginsWith, any: .any))
    case .containsAnyTokens: return leaf(.contains)
    case .containsAllTokens:
      let tokens = ExpressionTree.call(.tokenize, [.constant(value), .constant(.string("Cdl"))])
      return .comparison(PredicateComparison(modifier: .all, tokens, .in, .key("allTokens")))
    case .near:
      let distance = ExpressionTree.call(.distance, [left, .constant(value)])
      return .comparison(PredicateComparison(distance, .less, .constant(.double(filter.distance ?? 0))))
    case .listContainsAll, .notListContainsAll:
      let members = (value.elements ?? []).map { element in
        PredicateTree.comparison(PredicateComparison(left, .contains, .constant(element)))
      }
      let all = PredicateTree.all(of: members)
      return filter.comparator == .listContainsAll ? all : .not(all)
    }
  }

  private func predicateValue(
    _ value: FieldValue, _ zone: ZoneIdentifier?
  ) throws(ServiceError) -> PredicateValue {
    let zoneIdentifier = try zone.map { (zone) throws(ServiceError) in try zoneID(zone) } ?? .default
    return PredicateValue(object: try self.value(value, in: zoneIdentifier).object)
  }
}

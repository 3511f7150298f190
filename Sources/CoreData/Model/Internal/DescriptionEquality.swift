import Foundation
import LocalCloudFoundationPredicates
import LocalCloudPredicateFormat

/// Compares the values of a model's descriptions.
enum DescriptionEquality {
  /// Whether two values are equal, or both nil. Values of attributes are compared as predicates compare constants.
  static func areEqual(_ one: Any?, _ other: Any?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    if let one = one as? NSObject, let other = other as? NSObject, one.isEqual(other) { return true }
    return PredicateValue(object: one) == PredicateValue(object: other)
  }

  /// Nil is equal to an empty dictionary.
  static func areEqual(_ one: [AnyHashable: Any]?, _ other: [AnyHashable: Any]?) -> Bool {
    let (one, other) = (one ?? [:], other ?? [:])
    return one.count == other.count && one.allSatisfy { areEqual($0.value, other[$0.key]) }
  }

  /// Entities of one model are matched by name.
  static func areEqual(_ one: [NSEntityDescription], _ other: [NSEntityDescription]) -> Bool {
    let others = Dictionary(other.map { ($0.name ?? "", $0) }) { first, _ in first }
    return one.count == other.count && one.allSatisfy { $0 == others[$0.name ?? ""] }
  }

  static func areEqual(_ one: [NSPropertyDescription], _ other: [NSPropertyDescription]) -> Bool {
    let others = Dictionary(other.map { ($0.name, $0) }) { first, _ in first }
    return one.count == other.count && one.allSatisfy { $0 == others[$0.name] }
  }

  /// Compares the values of fetch requests in templates and fetched properties.
  static func areEqual(
    _ one: NSFetchRequest<any NSFetchRequestResult>?, _ other: NSFetchRequest<any NSFetchRequestResult>?
  ) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return one.entityName == other.entityName && one.predicate == other.predicate
      && one.sortDescriptors ?? [] == other.sortDescriptors ?? [] && one.fetchLimit == other.fetchLimit
      && one.resultType == other.resultType
  }
}

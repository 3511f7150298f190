import Foundation
import LocalCloudFoundationPredicates
import LocalCloudModel
import LocalCloudPredicateFormat

/// Translates predicates and sort descriptors into filters and sorts of the service ([query-predicate-1]). Unsupported
/// ones are refused when the query runs.
///
/// - Assumption: a radius is in metres; `allTokens TOKENMATCHES` finds any of the words, like `self CONTAINS`.
struct QueryTranslation {
  /// A part of a predicate that the server has no filter for.
  struct Unexpected: Error {
    /// The reason for the refusal; nil if the expression itself is the reason.
    var reason: String?
  }

  let translator: Translator
  /// The value of `now()` in seconds since the start of 2001; nil: by the machine's clock.
  var now: Double?

  func condition(_ predicate: NSPredicate) throws(ServiceError) -> QueryCondition {
    guard let tree = predicate.tree else {
      throw .invalid("Unexpected expression: block predicates can't be sent to the server")
    }
    var condition = QueryCondition()
    try add(tree, negated: false, to: &condition)
    return condition
  }

  func sorts(_ descriptors: [NSSortDescriptor]?) throws(ServiceError) -> [QuerySort] {
    var sorts: [QuerySort] = []
    for descriptor in descriptors ?? [] {
      guard let key = descriptor.key else {
        throw .invalid("A sort descriptor needs the name of a field; the server can't sort by anything else")
      }
      let relativeLocation = (descriptor as? CKLocationSortDescriptor)?.relativeLocation
      var sort = QuerySort(key, ascending: descriptor.ascending)
      if let relativeLocation, case .location(let location) = translator.serviceValue(.location(relativeLocation)) {
        sort.relativeLocation = location
      }
      sorts.append(sort)
    }
    return sorts
  }

  private func add(_ tree: PredicateTree, negated: Bool, to condition: inout QueryCondition) throws(ServiceError) {
    switch tree {
    case .constant(let truth):
      if truth == negated { condition = .never }
    case .and(let members) where !negated:
      for member in members { try add(member, negated: false, to: &condition) }
    case .not(let member):
      try add(member, negated: !negated, to: &condition)
    case .comparison(let comparison):
      do throws(Unexpected) {
        condition.filters += try filters(comparison, negated: negated)
      } catch {
        let text = (try? tree.format) ?? ""
        throw .invalid("Unexpected expression: \(text)" + (error.reason.map { " (\($0))" } ?? ""))
      }
    case .and, .or:
      let text = (try? tree.format) ?? ""
      throw .invalid(
        "Unexpected expression: \(negated ? "NOT (\(text))" : text) (only filters joined by AND are supported)")
    }
  }
}

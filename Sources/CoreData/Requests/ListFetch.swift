import Foundation
import LocalCloudFoundationPredicates
import LocalCloudObjectStore
import LocalCloudPredicateFormat

/// A fetch request for items other than objects: transactions of the history, events of the mirroring.
struct ListFetch {
  private let predicate: NSPredicate?
  /// Nil for a predicate made of a block.
  private let tree: PredicateTree?
  private let sort: [StoreSort]
  private let limit: Int
  private let offset: Int

  /// Nil stands for a request for all items.
  init(_ request: NSFetchRequest<any NSFetchRequestResult>?) {
    predicate = request?.predicate
    tree = predicate?.tree
    sort = (request?.sortDescriptors ?? []).map { StoreSort($0) }
    limit = request.map { $0.fetchLimit > 0 ? $0.fetchLimit : .max } ?? .max
    offset = max(0, request?.fetchOffset ?? 0)
  }

  /// Transactions and events are in stores on disk, so comparisons with nil follow SQL ([predicate-7]).
  func matches(_ item: some PredicateValueConvertible) -> Bool {
    guard let tree else { return predicate?.evaluate(with: item) ?? true }
    var evaluator = PredicateEvaluator.fetching(tree)
    evaluator.nilComparison = .asUnknown
    do throws(PredicateEvaluationError) { return try evaluator.matches(item.predicateValue) } catch {
      raiseException(error.message)
    }
  }

  /// The matching items, in the request's order and within its limits.
  func run<Item: PredicateValueConvertible>(_ items: [Item]) -> [Item] { page(items.filter(matches)) }

  func page<Item: PredicateValueConvertible>(_ items: [Item]) -> [Item] {
    let ordered = sort.isEmpty ? items : sort.sorted(items)
    return Array(ordered.dropFirst(offset).prefix(limit))
  }
}

extension NSEntityDescription {
  /// An entity outside of any model, for fetch requests of another kind.
  static func forRequests(
    _ name: String, _ attributes: [(String, NSAttributeDescription.AttributeType)]
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = attributes.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.type = type
      return attribute
    }
    entity.freeze()
    return entity
  }
}

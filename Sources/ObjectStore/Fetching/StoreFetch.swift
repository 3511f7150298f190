import LocalCloudPredicateFormat

/// A query for objects of a store. Entities are given by their indexes in the schema.
package struct StoreFetch: Sendable {
  /// The entities to fetch, without their subentities.
  package var entities: [Int]
  /// The condition; nil for all objects. Objects in it, and `SELF`, are as ``StoreView`` provides them:
  /// `PredicateObject`s of the type `NSManagedObject`. Their part `number` is the object's number, and `store` the
  /// store's identifier.
  package var predicate: PredicateTree?
  package var sort: [StoreSort] = []
  package var limit = Int.max
  package var offset = 0
  /// Whether indexes may be used. The result is the same without them.
  package var usesIndexes = true
  /// The result of the predicate's comparisons with nil.
  package var nilComparison = NilComparison.asUnknown
  /// The engine for the predicate's `MATCHES`. Nil refuses it.
  package var matching: PredicateEvaluator.Matching?

  package init(entities: [Int], predicate: PredicateTree? = nil) {
    self.entities = entities
    self.predicate = predicate
  }
}

package struct StoreSort: Sendable, Hashable {
  /// The key path to the value, name by name.
  package var path: [String]
  package var isAscending: Bool
  /// The order of texts.
  package var textOrder: TextOrder

  package init(path: [String], isAscending: Bool, textOrder: TextOrder = .plain) {
    (self.path, self.isAscending, self.textOrder) = (path, isAscending, textOrder)
  }

  /// The sort value of an object with that value at the path.
  package func sortValue(_ value: PredicateValue) -> SortValue {
    guard textOrder != .plain, case .string(let text) = value else { return SortValue(value) }
    return .text(textOrder.key(of: text))
  }
}

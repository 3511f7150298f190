import Foundation
import LocalCloudFoundationPredicates
import LocalCloudObjectStore
import LocalCloudPredicateFormat

/// A fetch with dictionaries as results: the values of properties, or computed values, of objects or of groups of
/// objects.
///
/// It returns the values in the stores; unsaved changes of contexts are ignored.
struct DictionaryFetch {
  private let plan: FetchPlan
  private let properties: [ResultProperty]
  private let columns: StoreColumns

  init<ResultType>(_ request: NSFetchRequest<ResultType>, _ plan: FetchPlan) {
    self.plan = plan
    let entity = plan.entity
    properties =
      request.propertiesToFetch.map { $0.map { ResultProperty($0, of: entity, "setPropertiesToFetch:") } }
      ?? ResultProperty.all(of: entity)
    var columns = StoreColumns(columns: properties.map(\.column), names: properties.map(\.name))
    columns.isDistinct = request.returnsDistinctResults
    if let groups = request.propertiesToGroupBy, !groups.isEmpty {
      let groups = groups.map { ResultProperty($0, of: entity, "setPropertiesToGroupBy:") }
      columns.groups = groups.map(\.column)
      for property in properties
      where !property.isStatistic && !groups.contains(where: { $0.column == property.column }) {
        raiseException(
          "SELECT clauses in queries with GROUP BY components can only contain properties named in the GROUP BY or "
            + "aggregate functions (\(property.name) is not in the GROUP BY)")
      }
    }
    if let having = request.havingPredicate {
      guard columns.groups != nil else {
        raiseException("A fetch request with a havingPredicate must have propertiesToGroupBy")
      }
      columns.having = StorePredicate.tree(having)
    }
    self.columns = columns
  }

  func results() throws -> [NSDictionary] {
    if columns.isByObject, plan.stores.count == 1, let store = plan.stores.first {
      return try plan.context.reader.reading(store) { try $0.results(plan.query(store), columns) }
        .map { dictionary($0, store) }
    }
    var table = ResultTable(columns, sort: plan.sort)
    table.matching = TextPattern.matching
    if let store = plan.stores.first { table.nilComparison = store.nilComparison }
    for (source, store) in plan.stores.enumerated() {
      let query = plan.query(store)
      table = try plan.context.reader.reading(store) { view in
        var table = table
        try view.collect(query, from: source, into: &table)
        return table
      }
    }
    return try table.results(offset: plan.offset, limit: plan.limit).map { source, row in
      dictionary(row, plan.stores.indices.contains(source) ? plan.stores[source] : nil)
    }
  }

  /// A nil value has no key.
  private func dictionary(_ row: [ResultValue], _ store: NSPersistentStore?) -> NSDictionary {
    let result = NSMutableDictionary()
    for (property, value) in zip(properties, row) {
      if let object = property.object(value, store) { result[property.name as NSString] = object }
    }
    return result
  }
}

import LocalCloudModel
import LocalCloudStore

/// The records that are searched for a query's matches.
enum QueryPlan {
  /// All records of the type, by name.
  case all
  /// The records in some ranges of an index.
  case within(IndexedPart)
  /// All records of the type, in the order of the first sort key. If few of them match, the records of the part
  /// instead.
  case inOrder(IndexedField, otherwise: IndexedPart?)
}

/// A part of a field's index that contains all matches.
struct IndexedPart {
  var field: IndexedField
  var ranges: [IndexedRange]
  /// Whether there are so many entries that it may be faster to read all records in an order until enough of them
  /// match.
  var hasMany: Bool

  /// Whether its entries are in the order of names: in an index, the records of one value are.
  var isByName: Bool { ranges.allSatisfy(\.isOneValue) }
}

/// Chooses the plan by the query and the number of entries in the indexes.
struct QueryPlanner {
  private let query: Query
  private let limits: QueryIndexing
  private let options: [Option]
  private let order: IndexedField?

  private struct Option {
    var field: IndexedField
    var ranges: [IndexedRange]
    var selectivity: QueryFilter.Selectivity
    var isOfElements: Bool
  }

  init(_ query: Query, _ type: SchemaRecordType?, _ rules: QueryRules, _ limits: QueryIndexing, user: String?) {
    self.query = query
    self.limits = limits
    options = Self.options(query, rules, user)
    order = query.sorts.first.flatMap { sort in
      // Distances and encrypted values have another order than the index.
      if sort.relativeLocation != nil || type?.fields[sort.key]?.type.isEncrypted == true { return nil }
      return Self.field(sort.key, query)
    }
  }

  /// The indexed field for any of a field's names.
  private static func field(_ key: String, _ query: Query) -> IndexedField? {
    IndexedField(type: query.recordType, name: SystemField(key: key)?.rawValue ?? key)
  }

  /// Merges filters on one field, unless they concern elements of a list: a match of both is in the intersection of
  /// their ranges.
  private static func options(_ query: Query, _ rules: QueryRules, _ user: String?) -> [Option] {
    var options: [Option] = []
    for filter in query.condition.filters {
      guard let key = filter.key, let field = field(key, query), let indexed = filter.indexed(rules, user: user) else {
        continue
      }
      let isOfElements = filter.comparator.family.fieldIsList
      guard !isOfElements, let index = options.firstIndex(where: { $0.field == field && !$0.isOfElements }) else {
        options.append(
          Option(
            field: field, ranges: indexed.ranges, selectivity: indexed.selectivity, isOfElements: isOfElements))
        continue
      }
      let both = options[index].ranges.flatMap { one in indexed.ranges.map { one.intersection($0) } }
      options[index].ranges = both.filter { !$0.isEmpty }
      options[index].selectivity = min(options[index].selectivity, indexed.selectivity)
    }
    return options
  }

  func plan(in view: ZoneView) throws -> QueryPlan {
    if options.isEmpty, order == nil { return .all }
    let least = limits.leastRecords
    guard try view.count(ofType: query.recordType, limit: least) >= least else { return .all }
    guard let part = try best(in: view) else { return try ordered(in: view, otherwise: nil) ?? .all }
    if query.sorts.isEmpty || !part.hasMany { return .within(part) }
    return try ordered(in: view, otherwise: part) ?? .within(part)
  }

  private func ordered(in view: ZoneView, otherwise part: IndexedPart?) throws -> QueryPlan? {
    try order.flatMap { try view.hasKeys(of: $0) ? .inOrder($0, otherwise: part) : nil }
  }

  /// The option with the fewest entries. Creates index keys for the most promising option; considers the others only if
  /// they have index keys.
  private func best(in view: ZoneView) throws -> IndexedPart? {
    guard let promising = options.enumerated().min(by: { ($0.1.selectivity, $0.0) < ($1.1.selectivity, $1.0) }) else {
      return nil
    }
    var result: (option: Option, count: Int)?
    let isServed = try view.hasKeys(of: promising.element.field)
    for (index, option) in options.enumerated() {
      guard try index == promising.offset ? isServed : view.hasKeysAlready(of: option.field) else { continue }
      let least = result?.count ?? limits.fewMatches
      let count = try count(option, below: least, in: view)
      if result == nil || count < least { result = (option, count) }
    }
    return result.map { option, count in
      IndexedPart(field: option.field, ranges: option.ranges + [.always], hasMany: count >= limits.fewMatches)
    }
  }

  private func count(_ option: Option, below limit: Int, in view: ZoneView) throws -> Int {
    var count = 0
    for range in option.ranges where count < limit {
      count += try view.count(of: option.field, from: range.lower, to: range.upper, limit: limit - count)
    }
    return count
  }
}

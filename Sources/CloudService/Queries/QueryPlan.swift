import CloudModel
import CloudStore

/// Where a query's matches are looked for.
enum QueryPlan {
  /// Among all records of the type, in the order of their names.
  case all
  /// Among those that an index has in some ranges.
  case within(IndexedPart)
  /// Among all records of the type, in the order of the first sort key; where few of them pass, within the part.
  case inOrder(IndexedField, otherwise: IndexedPart?)
}

/// A part of a field's index in which all matches are.
struct IndexedPart {
  var field: IndexedField
  var ranges: [IndexedRange]
  /// So many that it may take less to look at all records in an order, until there are enough that pass.
  var hasMany: Bool

  /// In an index, records of one value come by name.
  var isByName: Bool { ranges.allSatisfy(\.isOneValue) }
}

/// Chooses the plan by what is asked and how much the indexes have of it.
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
      // Distances and what is encrypted have another order than their values.
      if sort.relativeLocation != nil || type?.fields[sort.key]?.type.isEncrypted == true { return nil }
      return Self.field(sort.key, query)
    }
  }

  /// One by any of its names.
  private static func field(_ key: String, _ query: Query) -> IndexedField? {
    IndexedField(type: query.recordType, name: SystemField(key: key)?.rawValue ?? key)
  }

  /// Filters on one value are one: what passes both is where their ranges meet.
  private static func options(_ query: Query, _ rules: QueryRules, _ user: String?) -> [Option] {
    var options: [Option] = []
    for filter in query.condition.filters {
      guard let key = filter.key, let field = field(key, query), let indexed = filter.indexed(rules, user: user) else {
        continue
      }
      let isOfElements = filter.comparator.family.fieldIsList
      guard !isOfElements, let place = options.firstIndex(where: { $0.field == field && !$0.isOfElements }) else {
        options.append(
          Option(
            field: field, ranges: indexed.ranges, selectivity: indexed.selectivity, isOfElements: isOfElements))
        continue
      }
      let both = options[place].ranges.flatMap { one in indexed.ranges.map { one.intersection($0) } }
      options[place].ranges = both.filter { !$0.isEmpty }
      options[place].selectivity = min(options[place].selectivity, indexed.selectivity)
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

  /// The option with the fewest matches. For the most promising one keys are made; others compete where they have some.
  private func best(in view: ZoneView) throws -> IndexedPart? {
    guard let promising = options.enumerated().min(by: { ($0.1.selectivity, $0.0) < ($1.1.selectivity, $1.0) }) else {
      return nil
    }
    var result: (option: Option, count: Int)?
    let isServed = try view.hasKeys(of: promising.element.field)
    for (place, option) in options.enumerated() {
      guard try place == promising.offset ? isServed : view.hasKeysAlready(of: option.field) else { continue }
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

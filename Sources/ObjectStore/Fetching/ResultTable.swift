import LocalCloudPredicateFormat

/// The results of objects, of one store or several, that were added one by one: each object's own, or one for each
/// group.
package struct ResultTable {
  private struct Group {
    var columns: [ResultValue]
    var statistics: [StatisticSum]
    /// The sort values of the group's first object.
    var values: [SortValue]
    /// The store of the group's first object.
    var source: Int
  }

  /// The result of the having predicate's comparisons with nil.
  package var nilComparison = NilComparison.asUnknown
  /// The engine for `MATCHES` in expressions and in the having predicate.
  package var matching: PredicateEvaluator.Matching? { didSet { evaluator.matching = matching } }
  private let wanted: StoreColumns
  private let sort: [StoreSort]
  /// The columns, with each statistic replaced by a variable.
  private var columns: [StoreColumns.Column] = []
  private var having: PredicateTree?
  private let statistics: [Statistic]
  private let isGrouped: Bool
  /// Keyed by the values that the objects of a group have in common.
  private var groups: [[ResultValue]: Group] = [:]
  /// The groups in the order of their first objects.
  private var order: [[ResultValue]] = []
  private var rows: [Group] = []
  private var evaluator = PredicateEvaluator(.constant(true))

  package init(_ wanted: StoreColumns, sort: [StoreSort]) {
    self.wanted = wanted
    self.sort = sort
    var search = StatisticSearch()
    for column in wanted.columns {
      switch column {
      case .path: columns.append(column)
      case .expression(let tree): columns.append(.expression(search.replacing(in: tree)))
      }
    }
    let hasStatistic = !search.found.isEmpty
    having = wanted.having.map { search.replacing(in: $0) }
    statistics = search.found
    isGrouped = wanted.groups != nil || hasStatistic
  }

  mutating func add(_ row: StoredRow, _ values: [SortValue], from source: Int, _ subjects: RowSubjects) throws {
    let subject = subjects.subject(row)
    guard isGrouped else {
      let columns = try columns.map { try value($0, row, subject, subjects) }
      return rows.append(Group(columns: columns, statistics: [], values: values, source: source))
    }
    let key = try (wanted.groups ?? []).map { try value($0, row, subject, subjects) }
    if groups[key] == nil {
      let columns = try columns.map { column -> ResultValue in
        // A column that contains a statistic is computed after all objects are added.
        if case .expression(let tree) = column, tree.hasStatistic { return .stored(.null) }
        return try value(column, row, subject, subjects)
      }
      groups[key] = Group(
        columns: columns, statistics: statistics.map { StatisticSum($0.function) }, values: values, source: source)
      order.append(key)
    }
    for (index, statistic) in statistics.enumerated() {
      guard let argument = statistic.argument else {
        groups[key]?.statistics[index].addObject()
        continue
      }
      let value = try evaluator.value(of: argument, for: subject)
      try groups[key]?.statistics[index].add(value, &evaluator)
    }
    try subjects.requireSuccess()
  }

  private mutating func value(
    _ column: StoreColumns.Column, _ row: StoredRow, _ subject: PredicateValue, _ subjects: RowSubjects
  ) throws -> ResultValue {
    switch column {
    case .path(let path): return try subjects.stored(row, path)
    case .expression(let tree):
      let value = try evaluator.value(of: tree, for: subject)
      try subjects.requireSuccess()
      return .computed(value)
    }
  }

  // MARK: Results

  /// The results in order, each with the index of its store. Call after all objects were added.
  package mutating func results(offset: Int, limit: Int) throws -> [(source: Int, row: [ResultValue])] {
    var rows = isGrouped ? try grouped() : self.rows
    if wanted.isDistinct {
      var known: Set<[ResultValue]> = []
      rows = rows.filter { known.insert($0.columns).inserted }
    }
    // Sorting is stable.
    if !sort.isEmpty { rows.sort { sort.precede($0.values, $1.values) ?? false } }
    return rows.dropFirst(max(0, offset)).prefix(max(0, limit)).map { ($0.source, $0.columns) }
  }

  private mutating func grouped() throws -> [Group] {
    if wanted.groups == nil, order.isEmpty {
      // Statistics of no objects.
      order.append([])
      groups[[]] = Group(
        columns: columns.map { _ in .stored(.null) }, statistics: statistics.map { StatisticSum($0.function) },
        values: sort.map { _ in .null }, source: 0)
    }
    var rows: [Group] = []
    for key in order {
      guard var group = groups[key] else { continue }
      evaluator.variables = [:]
      for (index, statistic) in statistics.enumerated() {
        evaluator.variables[statistic.variable] = group.statistics[index].result
      }
      // Of a group's objects, only the values that they have in common are available.
      var common: [String: PredicateValue] = [:]
      for (column, value) in zip(wanted.groups ?? [], key) {
        if case .path(let path) = column, path.count == 1 { common[path[0]] = value.predicateValue }
      }
      for (index, column) in columns.enumerated() {
        guard case .expression(let tree) = column, tree.hasStatistic else { continue }
        group.columns[index] = .computed(try evaluator.value(of: tree, for: .dictionary(common)))
      }
      if try matches(group, common) { rows.append(group) }
    }
    evaluator.variables = [:]
    return rows
  }

  private func matches(_ group: Group, _ common: [String: PredicateValue]) throws -> Bool {
    guard let having else { return true }
    var (names, variables) = (common, evaluator.variables)
    for (name, value) in zip(wanted.names, group.columns) {
      variables[name] = value.predicateValue
      names[name] = value.predicateValue
    }
    var evaluator = PredicateEvaluator(having, variables: variables, matching: matching)
    evaluator.nilComparison = nilComparison
    return try evaluator.matches(.dictionary(names))
  }
}

extension ResultValue {
  fileprivate var predicateValue: PredicateValue {
    switch self {
    case .stored(let value): PredicateValue(value)
    case .object(let id): .integer(id.number)
    case .computed(let value): value
    }
  }
}

extension ExpressionTree {
  /// Whether the expression contains a statistic's result.
  fileprivate var hasStatistic: Bool {
    if case .variable(let name) = self { return Statistic.isVariable(name) }
    return parts.hasStatistic
  }
}

extension TreeParts {
  fileprivate var hasStatistic: Bool {
    expressions.contains(where: \.hasStatistic) || predicates.contains(where: \.parts.hasStatistic)
  }
}

extension StoreView {
  /// Adds the results of all objects that a fetch matches. The fetch's order, offset and limit are ignored. `source`:
  /// the store's index among the stores that contribute results.
  package func collect(_ fetch: StoreFetch, from source: Int, into table: inout ResultTable) throws {
    var run = FetchRun(fetch, self)
    try run.forEachMatch { run, row, values in try table.add(row, values, from: source, run.subjects) }
  }

  /// The results of the objects that a fetch finds, one for each. The fetch's order, offset and limit count.
  package func results(_ fetch: StoreFetch, _ columns: StoreColumns) throws -> [[ResultValue]] {
    var table = ResultTable(columns, sort: [])
    table.matching = fetch.matching
    var run = FetchRun(fetch, self)
    for row in try run.rows() { try table.add(row, [], from: 0, run.subjects) }
    return try table.results(offset: 0, limit: .max).map(\.row)
  }
}

import LocalCloudPredicateFormat

/// The columns that a fetch returns instead of objects: values of each object, or values of groups of objects.
package struct StoreColumns: Sendable {
  package enum Column: Sendable, Hashable {
    /// The value at the end of a path over to-one relationships.
    case path([String])
    /// A statistic in the expression, for example `sum:` of one expression or a key path that begins with `@sum`,
    /// covers all objects of a group.
    case expression(ExpressionTree)
  }

  package var columns: [Column]
  /// The columns' names, by which ``having`` has them as variables.
  package var names: [String]
  /// The values by which objects are grouped; nil if they are not grouped.
  package var groups: [Column]?
  /// The condition that a group has to match.
  package var having: PredicateTree?
  /// Whether equal results are one.
  package var isDistinct = false

  package init(columns: [Column], names: [String]) {
    self.columns = columns
    self.names = names
  }

  /// Whether each object gives a result of its own.
  package var isByObject: Bool { groups == nil && !isDistinct && !hasStatistic }

  package var hasStatistic: Bool {
    var search = StatisticSearch()
    for case .expression(let tree) in columns { _ = search.replacing(in: tree) }
    return !search.found.isEmpty
  }
}

/// A value of a result.
package enum ResultValue: Sendable, Hashable {
  case stored(StoredValue)
  case object(RowID)
  case computed(PredicateValue)
}

/// A statistic of the objects of a group.
struct Statistic: Hashable {
  var function: PredicateFunction
  /// The statistic's argument; nil for the number of the objects.
  var argument: ExpressionTree?
  /// The variable that stands for the result.
  var variable: String

  /// A format can't name a variable like this.
  static func variable(_ index: Int) -> String { " \(index)" }
  static func isVariable(_ name: String) -> Bool { name.hasPrefix(" ") }
}

/// Finds the statistics of an expression, and replaces them by variables.
struct StatisticSearch {
  private(set) var found: [Statistic] = []

  private static let functions: Set<PredicateFunction> = [.sum, .count, .minimum, .maximum, .average]
  private static let operators: [String: PredicateFunction] = [
    "@sum": .sum, "@min": .minimum, "@max": .maximum, "@avg": .average,
  ]

  mutating func replacing(in tree: ExpressionTree) -> ExpressionTree {
    switch tree {
    case .call(let function, let arguments):
      if arguments.count == 1, Self.functions.contains(function) {
        if case .constant = arguments[0] { return tree }
        let isRows = function == .count && arguments[0] == .subject
        return add(function, isRows ? nil : arguments[0])
      }
      return .call(function, arguments.map { replacing(in: $0) })
    case .keyPath(.subject, let names):
      if names == ["@count"] { return add(.count, nil) }
      if names.count > 1, let function = Self.operators[names[0]] {
        return add(function, .keyPath(.subject, Array(names.dropFirst())))
      }
      return tree
    // Expressions that are evaluated for each object have statistics of their own.
    case .assignment, .index, .method, .subquery, .fetch: return tree
    default: return tree.mapParts({ replacing(in: $0) }, { replacing(in: $0) })
    }
  }

  mutating func replacing(in tree: PredicateTree) -> PredicateTree {
    tree.mapParts({ replacing(in: $0) }, { replacing(in: $0) })
  }

  private mutating func add(_ function: PredicateFunction, _ argument: ExpressionTree?) -> ExpressionTree {
    if let known = found.first(where: { $0.function == function && $0.argument == argument }) {
      return .variable(known.variable)
    }
    let statistic = Statistic(function: function, argument: argument, variable: Statistic.variable(found.count))
    found.append(statistic)
    return .variable(statistic.variable)
  }
}

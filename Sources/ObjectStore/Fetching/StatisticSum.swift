import LocalCloudPredicateFormat

/// Accumulates one statistic, value by value, in constant memory. Nil is ignored.
struct StatisticSum {
  private let function: PredicateFunction
  private var count: Int64 = 0
  /// The sum while all values are integers and it is one.
  private var integers: Int64? = 0
  private var doubles = 0.0
  private var best = PredicateValue.null

  init(_ function: PredicateFunction) { self.function = function }

  /// Counts an object, whatever its values are.
  mutating func addObject() { count += 1 }

  /// Throws for a value that the statistic can't take.
  mutating func add(_ value: PredicateValue, _ evaluator: inout PredicateEvaluator) throws {
    // A to-many relationship gives a value for each.
    if case .list(let members) = value {
      for member in members { try add(member, &evaluator) }
      return
    }
    if value == .null { return }
    count += 1
    switch function {
    case .count: break
    case .minimum, .maximum:
      guard best != .null else {
        best = value
        return
      }
      let isBefore = try evaluator.matches(value, .less, best)
      let isAfter = try !isBefore && evaluator.matches(best, .less, value)
      if function == .minimum ? isBefore : isAfter { best = value }
    default: try addNumber(value)
    }
  }

  private mutating func addNumber(_ value: PredicateValue) throws {
    switch value {
    case .integer(let number):
      doubles += Double(number)
      let sum = integers.map { $0.addingReportingOverflow(number) }
      integers = sum.flatMap { $0.overflow ? nil : $0.partialValue }
    case .double(let number):
      doubles += number
      integers = nil
    default: throw PredicateEvaluationError(.type, "\(function.rawValue) takes numbers only")
    }
  }

  /// The sum of no values is 0, as is their count; other statistics of no values are null.
  var result: PredicateValue {
    switch function {
    case .count: .integer(count)
    case .sum: integers.map { .integer($0) } ?? .double(doubles)
    case .average: count == 0 ? .null : .double(doubles / Double(count))
    default: best
    }
  }
}

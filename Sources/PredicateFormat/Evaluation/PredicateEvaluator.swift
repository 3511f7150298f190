#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Evaluates a predicate for any number of subjects.
///
/// Every step is counted. More than ``maximumSteps`` for one subject throw an error, so no evaluation hangs.
package struct PredicateEvaluator {
  package let predicate: PredicateTree
  /// The values of the variables, by name without the `$`.
  package var variables: [String: PredicateValue]
  /// The value of `now()`, in seconds since the start of 2001. Nil uses the clock, once for each subject.
  package var now: Double?
  /// The result of a comparison with nil.
  package var nilComparison = NilComparison.asValue
  /// The limit of steps for one subject. An operand, an element or a character counts as one step.
  package var maximumSteps = 20_000_000
  /// Returns the results of `FETCH` for a request and a context, or their number if its last argument is true; nil if
  /// the second argument is not a context.
  package var fetch:
    (
      @Sendable (_ request: PredicateValue, _ context: PredicateValue, _ countOnly: Bool)
        throws(PredicateEvaluationError) -> PredicateValue?
    )?

  /// Whether a whole text matches a regular expression, and the steps that the search took. The engine has limits of
  /// its own.
  package typealias Matching =
    @Sendable (_ text: String, _ pattern: String, _ ignoresCase: Bool)
    throws(PredicateEvaluationError) -> (isMatch: Bool, steps: Int)
  /// The engine for `MATCHES`. Nil refuses it.
  package var matching: Matching?

  var subject = PredicateValue.null
  var moment: Double?
  private var steps = 0
  private var depth = 0

  package init(
    _ predicate: PredicateTree, variables: [String: PredicateValue] = [:], now: Double? = nil,
    matching: Matching? = nil
  ) {
    self.matching = matching
    self.predicate = predicate
    self.variables = variables
    self.now = now
  }

  /// Whether the subject matches the predicate. An unknown result counts as false.
  ///
  /// - Throws: ``PredicateEvaluationError``, also if the evaluation exceeds ``maximumSteps`` or the maximum depth.
  package mutating func matches(_ subject: PredicateValue) throws(PredicateEvaluationError) -> Bool {
    self.subject = subject
    moment = now
    (steps, depth) = (0, 0)
    return try truth(predicate) == true
  }

  /// The value of an expression for the subject. It has the same limits and errors as ``matches(_:)``.
  package mutating func value(
    of expression: ExpressionTree, for subject: PredicateValue
  ) throws(PredicateEvaluationError) -> PredicateValue {
    self.subject = subject
    moment = now
    (steps, depth) = (0, 0)
    return try value(expression)
  }

  /// Whether a comparison of two values is true. It has the same limits and errors as ``matches(_:)``.
  package mutating func matches(
    _ left: PredicateValue, _ comparator: PredicateComparison.Operator, _ right: PredicateValue
  ) throws(PredicateEvaluationError) -> Bool {
    (steps, depth) = (0, 0)
    return try compare(left, PredicateComparison(.constant(left), comparator, .constant(right)), right)
  }

  // MARK: Limits

  mutating func charge(_ count: Int = 1) throws(PredicateEvaluationError) {
    steps += count
    guard steps <= maximumSteps else {
      throw PredicateEvaluationError(.limit, "Evaluating the predicate takes more than \(maximumSteps) steps")
    }
  }

  mutating func nested<Result>(
    _ body: (inout Self) throws(PredicateEvaluationError) -> Result
  ) throws(PredicateEvaluationError) -> Result {
    depth += 1
    defer { depth -= 1 }
    // The predicate and the subject may each have the maximum depth.
    guard depth <= 2 * PredicateTree.maximumDepth else {
      throw PredicateEvaluationError(.limit, "The predicate or what it is about is too deeply nested")
    }
    try charge()
    return try body(&self)
  }

  // MARK: Predicates

  /// Nil stands for unknown, and is only returned with ``NilComparison/asUnknown``.
  mutating func truth(_ tree: PredicateTree) throws(PredicateEvaluationError) -> Bool? {
    try nested { (evaluator) throws(PredicateEvaluationError) in
      switch tree {
      case .constant(let truth): return truth
      case .comparison(let comparison): return try evaluator.truth(comparison)
      case .and(let members): return try evaluator.truth(members, deciding: false)
      case .or(let members): return try evaluator.truth(members, deciding: true)
      case .not(let member): return try evaluator.truth(member).map { !$0 }
      }
    }
  }

  /// - Parameter deciding: the truth of one member that decides the result, regardless of the other members.
  private mutating func truth(
    _ members: [PredicateTree], deciding: Bool
  ) throws(PredicateEvaluationError) -> Bool? {
    var result: Bool? = !deciding
    for member in members {
      guard let truth = try truth(member) else {
        result = nil
        continue
      }
      if truth == deciding { return deciding }
    }
    return result
  }

  private mutating func truth(_ comparison: PredicateComparison) throws(PredicateEvaluationError) -> Bool? {
    let left = try value(comparison.left)
    let right = try value(comparison.right)
    guard let modifier = comparison.modifier else { return try truth(left, comparison, right) }
    // A nil collection has no members.
    guard left != .null else { return modifier == .all }
    guard let elements = left.elements else {
      throw PredicateEvaluationError(
        .collection, "The left hand side for an ALL or ANY operator must be either an NSArray or an NSSet.")
    }
    for element in elements {
      try charge()
      // For a nil member the comparison may be unknown. Unknown is not true.
      let isTrue = try truth(element, comparison, right) == true
      if isTrue != (modifier == .all) { return modifier == .any }
    }
    return modifier == .all
  }

  // MARK: Expressions

  mutating func value(_ tree: ExpressionTree) throws(PredicateEvaluationError) -> PredicateValue {
    try nested { (evaluator) throws(PredicateEvaluationError) in
      switch tree {
      case .constant(let value): return value
      case .subject: return evaluator.subject
      case .variable(let name):
        guard let value = evaluator.variables[name] else {
          throw PredicateEvaluationError(.variable, "Can't get value for '\(name)' in bindings")
        }
        return value
      case .keyPath(let base, let names):
        return try evaluator.value(of: evaluator.value(base), at: names[...])
      case .index(let base, let index): return try evaluator.element(evaluator.value(base), index)
      case .aggregate(let members): return .list(try evaluator.values(members))
      case .call(let function, let arguments):
        return try evaluator.result(of: function, evaluator.values(arguments))
      case .subquery(let collection, let variable, let condition):
        return try evaluator.subquery(collection, variable, condition)
      case .ternary(let condition, let yes, let no):
        return try evaluator.value(evaluator.truth(condition) == true ? yes : no)
      case .method(_, let selector, _):
        throw PredicateEvaluationError(.unsupported, "There is no method \(PredicatePrinter.quoted(selector)) to call")
      case .assignment: throw PredicateEvaluationError(.unsupported, "Variables can't be assigned while evaluating")
      case .fetch(let request, let context, let countOnly):
        return try evaluator.fetched(request, context, countOnly)
      case .anyKey: throw PredicateEvaluationError(.unsupported, "ANYKEY has a value only in Spotlight's queries")
      }
    }
  }

  private mutating func fetched(
    _ request: ExpressionTree, _ context: ExpressionTree, _ countOnly: ExpressionTree
  ) throws(PredicateEvaluationError) -> PredicateValue {
    let arguments = try values([request, context, countOnly])
    guard let found = try fetch?(arguments[0], arguments[1], arguments[2] == .boolean(true)) else {
      throw PredicateEvaluationError(.unsupported, "FETCH needs a managed object context")
    }
    return found
  }

  private mutating func values(_ trees: [ExpressionTree]) throws(PredicateEvaluationError) -> [PredicateValue] {
    var values: [PredicateValue] = []
    values.reserveCapacity(trees.count)
    for tree in trees { values.append(try value(tree)) }
    return values
  }

  /// The members that match the condition; nil for a nil collection.
  private mutating func subquery(
    _ collection: ExpressionTree, _ variable: String, _ condition: PredicateTree
  ) throws(PredicateEvaluationError) -> PredicateValue {
    let value = try value(collection)
    guard value != .null else { return .null }
    guard let elements = value.elements else {
      throw PredicateEvaluationError(.collection, "SUBQUERY needs a collection, not \(value.shortText)")
    }
    let outer = variables[variable]
    defer { variables[variable] = outer }
    var found: [PredicateValue] = []
    for element in elements {
      variables[variable] = element
      if try truth(condition) == true { found.append(element) }
    }
    return .list(found)
  }

  // MARK: Patterns

  mutating func matchesExpression(
    _ text: String, _ pattern: String, _ options: PredicateComparison.Options
  ) throws(PredicateEvaluationError) -> Bool {
    guard let matching else { throw PredicateEvaluationError(.unsupported, "There is no engine for MATCHES") }
    try charge(pattern.utf8.count + text.utf8.count)
    let result = try matching(text, pattern, options.contains(.caseInsensitive))
    try charge(result.steps)
    return result.isMatch
  }
}

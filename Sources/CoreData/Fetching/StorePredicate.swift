import Foundation
import LocalCloudFoundationPredicates
import LocalCloudPredicateFormat

/// Transforms a predicate into the form that rows and objects evaluate, like stores on SQLite: a comparison over a
/// relationship to many objects is true if it is true for one of them, and a constant is converted to the type of the
/// value it is compared with.
struct StorePredicate {
  private var scope: PathScope
  /// Called with a key path that leads to no property.
  private let refuse: (String) -> Never

  /// The tree of a predicate. Stops the process for a predicate made of a block, and for a key path that leads to no
  /// property; Apple's framework raises an exception.
  static func tree(_ predicate: NSPredicate, of entity: NSEntityDescription) -> PredicateTree {
    let transform = StorePredicate(scope: PathScope(entity)) { path in
      raiseException("keypath \(path) not found in entity \(entity.name ?? "")")
    }
    return transform.form(tree(predicate))
  }

  /// The tree of an expression. Stops the process for a key path that leads to no property; Apple's framework raises an
  /// exception that names the method.
  static func tree(_ expression: ExpressionTree, of entity: NSEntityDescription, _ method: String) -> ExpressionTree {
    let transform = StorePredicate(scope: PathScope(entity)) { path in
      raiseException("Invalid keypath expression (\(path)) passed to \(method)")
    }
    return transform.form(expression)
  }

  /// The tree of a predicate, unchanged. Stops the process for a predicate made of a block.
  static func tree(_ predicate: NSPredicate) -> PredicateTree {
    if let tree = predicate.tree { return tree }
    let address = String(UInt(bitPattern: ObjectIdentifier(predicate)), radix: 16)
    raiseException("Problem with subpredicate BLOCKPREDICATE(0x\(address))")
  }

  private func form(_ tree: PredicateTree) -> PredicateTree {
    if case .comparison(let comparison) = tree { return form(comparison) }
    return tree.mapParts(form, form)
  }

  // MARK: Comparisons

  private func form(_ comparison: PredicateComparison) -> PredicateTree {
    var result = comparison
    let (left, right) = (scope.path(of: comparison.left), scope.path(of: comparison.right))
    if let left, case .constant(let value) = comparison.right {
      if left.isToMany, !left.hasOperator, left.entity != nil, value == .null, comparison.modifier == nil,
        let number = isEmpty(comparison)
      {
        return number
      }
      result.right = .constant(fitting(value, left))
    } else if let right, case .constant(let value) = comparison.left {
      result.left = .constant(fitting(value, right))
    }
    if comparison.modifier == nil, let left, left.isToMany, !left.hasOperator,
      comparison.comparator != .contains || left.entity == nil
    {
      result.modifier = .any
    } else if comparison.modifier == nil, let right, right.isToMany, !right.hasOperator,
      let mirrored = comparison.comparator.mirrored
    {
      (result.left, result.comparator, result.right) = (result.right, mirrored, result.left)
      result.modifier = .any
    }
    result.left = form(result.left)
    result.right = form(result.right)
    return .comparison(result)
  }

  /// A relationship to many objects compares as nil if there are none.
  private func isEmpty(_ comparison: PredicateComparison) -> PredicateTree? {
    guard case .keyPath(let base, let names) = comparison.left,
      comparison.comparator == .equal || comparison.comparator == .notEqual
    else { return nil }
    let count = form(ExpressionTree.keyPath(base, names))
    return .comparison(
      PredicateComparison(
        .call(.count, [count]), comparison.comparator == .equal ? .equal : .greater, .constant(.integer(0))))
  }

  // MARK: Constants

  /// The value, converted to the type of the compared attribute if possible.
  private func fitting(_ value: PredicateValue, _ path: EntityPath) -> PredicateValue {
    guard case .attribute(let attribute) = path.end else { return value }
    return Self.fitting(value, attribute.type)
  }

  private static func fitting(_ value: PredicateValue, _ type: NSAttributeDescription.AttributeType) -> PredicateValue {
    switch (type, value) {
    case (_, .list(let values)): return .list(values.map { fitting($0, type) })
    case (.integer16, .string(let text)), (.integer32, .string(let text)), (.integer64, .string(let text)),
      (.decimal, .string(let text)), (.double, .string(let text)), (.float, .string(let text)),
      (.boolean, .string(let text)):
      return Int64(text).map { .integer($0) } ?? Double(text).map { .double($0) } ?? value
    case (.integer16, .date(let number)), (.integer32, .date(let number)), (.integer64, .date(let number)),
      (.decimal, .date(let number)), (.double, .date(let number)), (.float, .date(let number)):
      return .double(number)
    case (.date, .integer(let seconds)): return .date(Double(seconds))
    case (.date, .double(let seconds)): return .date(seconds)
    case (.string, .integer(let number)): return .string("\(number)")
    case (.string, .double(let number)): return .string("\(number)")
    default: return value
    }
  }

  // MARK: Paths

  /// Paths from a variable of an unknown entity are checked by the evaluation.
  private func form(_ tree: ExpressionTree) -> ExpressionTree {
    switch tree {
    case .keyPath(let base, let names):
      guard let path = scope.path(of: tree) else { return .keyPath(form(base), names) }
      if path.isNothing { refuse(names.joined(separator: ".")) }
      return .keyPath(base, path.hasOperator ? names : Self.united(names, path.toManyIndexes))
    case .subquery(let collection, let variable, let condition):
      var inner = self
      inner.scope = scope.inside(variable, of: collection)
      return .subquery(form(collection), variable: variable, inner.form(condition))
    case .fetch: return .constant(Self.fetched(tree.mapParts(form, form)))
    default: return tree.mapParts(form, form)
    }
  }

  /// The results of a request within the predicate. Stops the process if it can't be executed; Apple's framework raises
  /// an exception.
  private static func fetched(_ tree: ExpressionTree) -> PredicateValue {
    var evaluator = PredicateEvaluator.fetching(.constant(true))
    do throws(PredicateEvaluationError) { return try evaluator.value(of: tree, for: .null) } catch {
      raiseException(error.message)
    }
  }

  /// A path over several relationships to many objects leads to the values of all, not to nested lists.
  private static func united(_ names: [String], _ indexes: [Int]) -> [String] {
    guard indexes.count > 1 else { return names }
    var result: [String] = []
    for (index, name) in names.enumerated() {
      result.append(name)
      if indexes.dropLast().contains(index) { result.append("@unionOfArrays") }
    }
    return result
  }
}

import Foundation
import LocalCloudPredicateFormat

/// Looks for key paths that lead to no property which stores hold.
///
/// What a variable stands for is known in a subquery only; paths from others are left to the evaluation.
struct PathCheck {
  private var scope: PathScope

  init(_ entity: NSEntityDescription) { scope = PathScope(entity) }

  /// Calls `found` for each path that leads nowhere.
  func check(_ tree: ExpressionTree, _ found: (String) -> Void) {
    switch tree {
    case .keyPath(_, let names):
      guard let path = scope.path(of: tree) else { return check(tree.parts, found) }
      if path.isNothing { found(names.joined(separator: ".")) }
    case .subquery(let collection, let variable, let condition):
      check(collection, found)
      var inner = self
      inner.scope = scope.inside(variable, of: collection)
      inner.check(condition, found)
    default: check(tree.parts, found)
    }
  }

  func check(_ tree: PredicateTree, _ found: (String) -> Void) { check(tree.parts, found) }

  private func check(_ parts: TreeParts, _ found: (String) -> Void) {
    for expression in parts.expressions { check(expression, found) }
    for predicate in parts.predicates { check(predicate, found) }
  }
}

/// What the subject of a predicate and the variables of its subqueries stand for.
struct PathScope {
  private let entity: NSEntityDescription
  private var variables: [String: NSEntityDescription?] = [:]

  init(_ entity: NSEntityDescription) { self.entity = entity }

  /// Where a path from the subject or from a variable leads; nil for other expressions.
  func path(of tree: ExpressionTree) -> EntityPath? {
    switch tree {
    case .subject: EntityPath([], from: entity)
    case .keyPath(.subject, let names): EntityPath(names, from: entity)
    case .variable(let name): (variables[name] ?? nil).map { EntityPath([], from: $0) }
    case .keyPath(.variable(let name), let names): (variables[name] ?? nil).map { EntityPath(names, from: $0) }
    default: nil
    }
  }

  /// The scope of the condition of a subquery.
  func inside(_ variable: String, of collection: ExpressionTree) -> PathScope {
    var scope = self
    // It hides one of the same name outside, also where it is not known what it stands for.
    scope.variables[variable] = .some(destination(of: collection))
    return scope
  }

  private func destination(of collection: ExpressionTree) -> NSEntityDescription? {
    if case .subquery(let inner, _, _) = collection { return destination(of: inner) }
    return path(of: collection)?.entity
  }
}

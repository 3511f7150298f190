import Foundation
import LocalCloudPredicateFormat

/// Finds key paths that lead to no stored property.
///
/// The entity of a variable is known only in a subquery; paths from other variables are checked by the evaluation.
struct PathCheck {
  private var scope: PathScope

  init(_ entity: NSEntityDescription) { scope = PathScope(entity) }

  /// Calls `found` for each path that leads to no property.
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

/// The entities of a predicate's subject and of its subqueries' variables.
struct PathScope {
  private let entity: NSEntityDescription
  private var variables: [String: NSEntityDescription?] = [:]

  init(_ entity: NSEntityDescription) { self.entity = entity }

  /// The end of a path from the subject or from a variable; nil for other expressions.
  func path(of tree: ExpressionTree) -> EntityPath? {
    switch tree {
    case .subject: EntityPath([], from: entity)
    case .keyPath(.subject, let names): EntityPath(names, from: entity)
    case .variable(let name): (variables[name] ?? nil).map { EntityPath([], from: $0) }
    case .keyPath(.variable(let name), let names): (variables[name] ?? nil).map { EntityPath(names, from: $0) }
    default: nil
    }
  }

  /// The scope of a subquery's condition.
  func inside(_ variable: String, of collection: ExpressionTree) -> PathScope {
    var scope = self
    // It hides an outer variable of the same name, also if its own entity is unknown.
    scope.variables[variable] = .some(destination(of: collection))
    return scope
  }

  private func destination(of collection: ExpressionTree) -> NSEntityDescription? {
    if case .subquery(let inner, _, _) = collection { return destination(of: inner) }
    return path(of: collection)?.entity
  }
}

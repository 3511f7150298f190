import Foundation
import PredicateFormat

/// Looks for key paths that lead to no property which stores hold.
///
/// What a variable stands for is known in a subquery only; paths from others are left to the evaluation.
struct PathCheck {
  private var scope: PathScope

  init(_ entity: NSEntityDescription) { scope = PathScope(entity) }

  /// Calls `found` for each path that leads nowhere.
  func check(_ tree: ExpressionTree, _ found: (String) -> Void) {
    switch tree {
    case .constant, .subject, .variable, .anyKey: break
    case .assignment(_, let value): check(value, found)
    case .keyPath(let base, let names):
      if let path = scope.path(of: tree) {
        if path.isNothing { found(names.joined(separator: ".")) }
      } else {
        check(base, found)
      }
    case .index(let base, .place(let place)): for part in [base, place] { check(part, found) }
    case .index(let base, _): check(base, found)
    case .aggregate(let parts), .call(_, let parts): for part in parts { check(part, found) }
    case .method(let object, _, let arguments): for part in [object] + arguments { check(part, found) }
    case .subquery(let collection, let variable, let condition):
      check(collection, found)
      var inner = self
      inner.scope = scope.inside(variable, of: collection)
      inner.check(condition, found)
    case .ternary(let condition, let yes, let no):
      check(condition, found)
      for part in [yes, no] { check(part, found) }
    case .fetch(let request, let context, let flag): for part in [request, context, flag] { check(part, found) }
    }
  }

  func check(_ tree: PredicateTree, _ found: (String) -> Void) {
    switch tree {
    case .constant: break
    case .comparison(let comparison): for part in [comparison.left, comparison.right] { check(part, found) }
    case .and(let members), .or(let members): for member in members { check(member, found) }
    case .not(let member): check(member, found)
    }
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

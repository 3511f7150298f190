import Foundation
import LocalCloudPredicateFormat

/// The result of following a key path from an object of an entity.
struct EntityPath {
  enum End {
    case attribute(NSAttributeDescription)
    case object(NSEntityDescription)
    /// The result of a collection operator, or a part of a value.
    case value
    /// The path leads to no stored property.
    case nothing
  }

  private(set) var end: End
  /// Whether there may be several values.
  private(set) var isToMany = false
  /// Whether the path has a collection operator.
  private(set) var hasOperator = false
  /// The indexes in the path of the relationships to many objects.
  private(set) var toManyIndexes: [Int] = []

  init(_ names: [String], from entity: NSEntityDescription) {
    end = .object(entity)
    for (index, name) in names.enumerated() where !["self", "SELF", "objectID"].contains(name) {
      if name.hasPrefix("@") {
        hasOperator = true
        isToMany = name.contains("union") || name.contains("Union")
        continue
      }
      guard case .object(let holder) = end else {
        end = .value
        return
      }
      switch holder.propertiesByName[name] {
      case let relationship as NSRelationshipDescription:
        if relationship.isToMany {
          isToMany = true
          toManyIndexes.append(index)
        }
        end = relationship.destinationEntity.map { .object($0) } ?? .nothing
      case let attribute as NSAttributeDescription where !attribute.isTransient: end = .attribute(attribute)
      default: end = name == "entity" ? .value : .nothing
      }
      if case .nothing = end { return }
    }
    if hasOperator { end = .value }
  }

  var isNothing: Bool { if case .nothing = end { true } else { false } }

  /// The entity of the objects at the end of the path; nil if it leads to values.
  var entity: NSEntityDescription? { if case .object(let entity) = end { entity } else { nil } }
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

import Foundation
import LocalCloudFoundationPredicates
import LocalCloudObjectStore
import LocalCloudPredicateFormat

/// Methods that the expressions of mapping models call.
enum MigrationSelector: String {
  /// A fetch request for an entity of the source, with a predicate's format.
  case fetchRequest = "fetchRequestForSourceEntityNamed:predicateString:"
  case destinations = "destinationInstancesForEntityMappingNamed:sourceInstances:"
  case sources = "sourceInstancesForEntityMappingNamed:destinationInstances:"
  /// The objects that those of a relationship became by any mapping.
  case relatedDestinations = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
}

/// Evaluates the expressions of an entity mapping.
///
/// Values of attributes pass as they are: they are not converted to values of the predicate language, but for the arguments of
/// its functions.
struct MappingEvaluator {
  private let manager: NSMigrationManager
  private let mapping: NSEntityMapping
  private let destination: NSManagedObject?
  private var variables: [String: Any] = [:]

  init(
    _ manager: NSMigrationManager, _ mapping: NSEntityMapping, _ policy: NSEntityMigrationPolicy,
    source: NSManagedObject? = nil, destination: NSManagedObject? = nil
  ) {
    self.manager = manager
    self.mapping = mapping
    self.destination = destination
    variables[NSMigrationManagerKey] = manager
    variables[NSMigrationEntityMappingKey] = mapping
    variables[NSMigrationEntityPolicyKey] = policy
    variables[NSMigrationSourceObjectKey] = source
    variables[NSMigrationDestinationObjectKey] = destination
  }

  // MARK: Properties

  /// Sets an attribute of the destination to the value of a mapping's expression.
  func setAttribute(_ property: NSPropertyMapping) throws {
    guard let name = property.name, let expression = property.valueExpression, let destination else { return }
    guard let attribute = destination.entity.attributesByName[name] else { throw unknown(name, destination.entity) }
    let value = try value(of: expression, property)
    if let value, !attribute.isTransient {
      do throws(StoredValue.Unacceptable) { _ = try StoredValue(checking: value, of: attribute) } catch {
        throw failure(error.reason)
      }
    }
    destination.setValue(value, forKey: name)
  }

  /// Sets a relationship of the destination to the value of a mapping's expression. Objects of another entity than that of the
  /// relationship's destination are left out.
  func setRelationship(_ property: NSPropertyMapping) throws {
    guard let name = property.name, let expression = property.valueExpression, let destination else { return }
    guard let relationship = destination.entity.relationshipsByName[name] else {
      throw unknown(name, destination.entity)
    }
    let objects = Self.objects(try value(of: expression, property)).filter { object in
      relationship.destinationEntity.map { object.entity.isKindOf(entity: $0) } ?? true
    }
    if !relationship.isToMany {
      destination.setValue(objects.first, forKey: name)
    } else if relationship.isOrdered {
      destination.setValue(NSOrderedSet(array: objects), forKey: name)
    } else {
      destination.setValue(Set(objects), forKey: name)
    }
  }

  private func unknown(_ name: String, _ entity: NSEntityDescription) -> NSError {
    failure("The entity \(entity.name ?? "") of the new model has no property \(name).")
  }

  private func failure(_ reason: String) -> NSError {
    CoreDataError.error(
      NSEntityMigrationPolicyError, reason: "The entity mapping \(mapping.name ?? "") can't be followed: \(reason)")
  }

  // MARK: Values

  /// The value of an expression; nil for null.
  func value(of expression: _NSExpression, _ property: NSPropertyMapping? = nil) throws -> Any? {
    guard let tree = ExpressionTree(expression) else { throw failure("An expression has no format: \(expression)") }
    #if !canImport(ObjectiveC)
      // The very object that a program made an expression of.
      if case .constant = tree { return expression.constantValue }
    #endif
    var evaluator = self
    evaluator.variables[NSMigrationPropertyMappingKey] = property
    return try evaluator.evaluate(tree)
  }

  private func evaluate(_ tree: ExpressionTree) throws -> Any? {
    switch tree {
    case .constant(let value): return value.object
    case .subject: return variables[NSMigrationSourceObjectKey]
    case .variable(let name):
      guard let value = variables[name] else {
        // A source expression is evaluated without objects.
        if [NSMigrationSourceObjectKey, NSMigrationDestinationObjectKey].contains(name) { return nil }
        throw failure("There is no variable $\(name).")
      }
      return value
    case .keyPath(let base, let names): return try member(names, of: try evaluate(base))
    case .method(let target, let selector, let arguments):
      return try call(selector, of: try evaluate(target), try arguments.map(evaluate))
    case .fetch(let request, let context, let countOnly):
      guard let context = try evaluate(context) as? NSManagedObjectContext else {
        throw failure("A fetch has no context.")
      }
      let isCount = (try evaluate(countOnly) as? NSNumber)?.boolValue ?? false
      return try context.result(ofFetch: try evaluate(request), countOnly: isCount)
    case .aggregate(let members): return try members.map { try evaluate($0) ?? NSNull() }
    case .call(let function, let arguments):
      return try evaluated(.call(function, try arguments.map { try constant($0) }), variables: [:])
    case .index(let base, .at(let index)):
      return try evaluated(.index(try constant(base), .at(try constant(index))), variables: [:])
    case .index(let base, let index): return try evaluated(.index(try constant(base), index), variables: [:])
    case .ternary(let condition, let yes, let no):
      let truth = try evaluated(.ternary(condition, .constant(.boolean(true)), .constant(.boolean(false))))
      return try evaluate((truth as? NSNumber)?.boolValue == true ? yes : no)
    case .subquery, .assignment, .anyKey: return try evaluated(tree)
    }
  }

  private func constant(_ tree: ExpressionTree) throws -> ExpressionTree {
    .constant(PredicateValue(object: try evaluate(tree)))
  }

  /// The value of an expression of the predicate language.
  ///
  /// - Parameter variables: Nil for those of the evaluator. An expression of constants needs none.
  private func evaluated(_ tree: ExpressionTree, variables: [String: PredicateValue]? = nil) throws -> Any? {
    let variables = variables ?? self.variables.mapValues { PredicateValue(object: $0) }
    var evaluator = PredicateEvaluator.fetching(.constant(true), variables: variables)
    do throws(PredicateEvaluationError) {
      return try evaluator.value(of: tree, for: PredicateValue(object: self.variables[NSMigrationSourceObjectKey]))
        .object
    } catch { throw failure(error.message) }
  }

  /// The value at a key path of an object.
  private func member(_ names: [String], of base: Any?) throws -> Any? {
    switch base {
    case nil: return nil
    case let object as NSManagedObject:
      try requireProperties(names, of: object.entity)
      return object.value(forKeyPath: names.joined(separator: "."))
    case is NSMigrationManager, is NSEntityMapping, is NSPropertyMapping:
      guard let first = names.first, let found = Self.part(first, of: base) else {
        throw failure("There is no value at the key path \(names.joined(separator: ".")).")
      }
      return names.count == 1 ? found : try member(Array(names.dropFirst()), of: found)
    default:
      let values = PredicateValue(object: base)
      return try evaluated(.keyPath(.constant(values), names))
    }
  }

  /// Throws for a key path with a property that an entity on its way lacks. Key-value coding would raise an exception.
  private func requireProperties(_ names: [String], of first: NSEntityDescription) throws {
    var entity: NSEntityDescription? = first
    for name in names where !name.hasPrefix("@") {
      guard let present = entity else { return }
      guard let property = present.propertiesByName[name] else {
        if UnmodeledValues.isOfEachObject(name) { return }
        throw failure("The entity \(present.name ?? "") of the old model has no property \(name).")
      }
      entity = (property as? NSRelationshipDescription)?.destinationEntity
    }
  }

  /// A property of the migration by its key.
  private static func part(_ name: String, of base: Any?) -> Any?? {
    switch (base, name) {
    case (let manager as NSMigrationManager, "sourceContext"): .some(manager.sourceContext)
    case (let manager as NSMigrationManager, "destinationContext"): .some(manager.destinationContext)
    case (let manager as NSMigrationManager, "sourceModel"): .some(manager.sourceModel)
    case (let manager as NSMigrationManager, "destinationModel"): .some(manager.destinationModel)
    case (let manager as NSMigrationManager, "mappingModel"): .some(manager.mappingModel)
    case (let manager as NSMigrationManager, "currentEntityMapping"): .some(manager.currentEntityMapping)
    case (let manager as NSMigrationManager, "userInfo"): .some(manager.userInfo)
    case (let mapping as NSEntityMapping, "name"): .some(mapping.name)
    case (let mapping as NSEntityMapping, "sourceEntityName"): .some(mapping.sourceEntityName)
    case (let mapping as NSEntityMapping, "destinationEntityName"): .some(mapping.destinationEntityName)
    case (let mapping as NSEntityMapping, "userInfo"): .some(mapping.userInfo)
    case (let mapping as NSPropertyMapping, "name"): .some(mapping.name)
    case (let mapping as NSPropertyMapping, "userInfo"): .some(mapping.userInfo)
    default: nil
    }
  }

  // MARK: Methods

  private func call(_ selector: String, of target: Any?, _ arguments: [Any?]) throws -> Any? {
    if selector == "valueForKeyPath:" || selector == "valueForKey:", let path = arguments.first as? String {
      return try member(path.split(separator: ".").map(String.init), of: target)
    }
    guard target is NSMigrationManager, let known = MigrationSelector(rawValue: selector), arguments.count == 2,
      let name = arguments[0] as? String
    else {
      throw failure("There is no method \(selector) that expressions can call.")
    }
    switch known {
    case .fetchRequest:
      guard let format = arguments[1] as? String, let predicate = PredicateArchive.predicate(format: format) else {
        throw failure("The predicate of the source can't be read.")
      }
      let request = NSFetchRequest<NSManagedObject>(entityName: name)
      request.predicate = predicate
      request.includesSubentities = false
      return request
    case .destinations:
      return manager.destinationInstances(forEntityMappingName: name, sourceInstances: Self.objects(arguments[1]))
    case .sources:
      return manager.sourceInstances(forEntityMappingName: name, destinationInstances: Self.objects(arguments[1]))
    case .relatedDestinations:
      return Self.objects(arguments[1]).flatMap { manager.destinationInstances(of: $0) }
    }
  }

  /// The objects of a value: one, several in a collection, or none for nil.
  private static func objects(_ value: Any?) -> [NSManagedObject] {
    switch value {
    case let object as NSManagedObject: [object]
    case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
    case let set as Set<NSManagedObject>: Array(set)
    case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
    case let list as [Any]: list.compactMap { $0 as? NSManagedObject }
    case let list as NSArray: list.compactMap { $0 as? NSManagedObject }
    default: []
    }
  }
}

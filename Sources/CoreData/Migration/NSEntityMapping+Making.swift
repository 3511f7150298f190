import Foundation
import LocalCloudCoreDataModel
import LocalCloudFoundationPredicates
import LocalCloudObjectStore
import LocalCloudPredicateFormat

// MARK: Inferred mappings

extension NSEntityMapping {
  /// - Assumption: the names are those of reports, like `IEM_Copy_Post`. The names of properties in `userInfo` are sets, as
  ///   programs' tests read them.
  static func all(
    of mapping: StoreMapping, _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel
  ) -> [NSEntityMapping] {
    var found: [NSEntityMapping] = []
    for (index, entity) in mapping.destination.entities.enumerated() {
      let before = mapping.entities[index].source.map { mapping.source.entities[$0] }
      let result = NSEntityMapping(source, before?.name, destination, entity.name)
      let isSame = before?.versionHash == entity.versionHash
      result.mappingType =
        before == nil ? .addEntityMappingType : isSame ? .copyEntityMappingType : .transformEntityMappingType
      result.name = (before == nil ? "IEM_Add_" : isSame ? "IEM_Copy_" : "IEM_Transform_") + entity.name
      // Names of the source's properties, by those of the destination.
      var sources: [String: String] = [:]
      for (attribute, mapped) in zip(entity.attributes, mapping.entities[index].attributes) {
        sources[attribute.name] = mapped.source.flatMap { before?.attributes[$0].name }
      }
      for relationship in entity.relationships where before != nil {
        sources[mapping.destination.relationships[relationship].name] =
          mapping.relationships[relationship].map { mapping.source.relationships[$0].name }
      }
      result.attributeMappings = entity.attributes.map { attribute in
        NSPropertyMapping(attribute.name, sources[attribute.name].map { .sourceProperty($0) })
      }
      let relationships = entity.relationships.map { mapping.destination.relationships[$0].name }
      result.relationshipMappings = relationships.map { name in
        NSPropertyMapping(name, sources[name].map { .destinations(ofRelationship: $0) })
      }
      if let before {
        result.sourceExpression = ExpressionTree.sources(before.name).expression
        let names = before.attributes.map(\.name) + before.relationships.map { mapping.source.relationships[$0].name }
        let properties = Set(entity.attributes.map(\.name) + relationships)
        result.userInfo = [
          "mappedProperties": Set(sources.keys), "addedProperties": properties.subtracting(sources.keys),
          "removedProperties": Set(names).subtracting(sources.values),
        ]
      }
      found.append(result)
    }
    for (index, entity) in mapping.source.entities.enumerated() where mapping.targets[index] == nil {
      let result = NSEntityMapping(source, entity.name, destination, nil)
      result.name = "IEM_Remove_" + entity.name
      result.mappingType = .removeEntityMappingType
      found.append(result)
    }
    return found
  }

  private convenience init(
    _ source: NSManagedObjectModel, _ sourceName: String?, _ destination: NSManagedObjectModel,
    _ destinationName: String?
  ) {
    self.init()
    sourceEntityName = sourceName
    sourceEntityVersionHash = sourceName.flatMap { source.entitiesByName[$0]?.versionHash }
    destinationEntityName = destinationName
    destinationEntityVersionHash = destinationName.flatMap { destination.entitiesByName[$0]?.versionHash }
  }
}

// MARK: Mappings of files

extension NSEntityMapping {
  /// The entity mappings of a file.
  static func all(
    of mapping: MappingModel, from old: NSManagedObjectModel, to new: NSManagedObjectModel
  ) throws -> [NSEntityMapping] {
    try mapping.entities.map { entity in
      let result = NSEntityMapping(old, entity.source, new, entity.destination)
      result.name = entity.name
      result.mappingType = NSEntityMappingType(rawValue: entity.kind.rawValue) ?? .undefinedEntityMappingType
      result.entityMigrationPolicyClassName = entity.policyClassName
      result.userInfo = entity.userInfo.objects
      let before = entity.source.flatMap { old.entitiesByName[$0] }
      let after = entity.destination.flatMap { new.entitiesByName[$0] }
      if before != nil, entity.kind != .remove, let name = entity.source {
        result.sourceExpression = ExpressionTree.sources(name).expression
      }
      result.attributeMappings = try entity.attributes.map { property in
        try NSPropertyMapping(property) {
          before?.attributesByName[$0] == nil ? nil : .sourceProperty($0)
        }
      }
      result.relationshipMappings = try entity.relationships.map { property in
        try NSPropertyMapping(property) { name in
          guard let relationship = before?.relationshipsByName[name] else { return nil }
          return mapping.destinations(of: relationship, for: after?.relationshipsByName[name])
        }
      }
      return result
    }
  }
}

extension MappingModel {
  /// The expression of the objects that a relationship of a source leads to, as objects of the destination.
  ///
  /// As in Xcode's files, the expression names the entity mapping if only one mapping makes the objects.
  fileprivate func destinations(
    of relationship: NSRelationshipDescription, for property: NSRelationshipDescription?
  ) -> ExpressionTree {
    let target = relationship.destinationEntity
    let mappings = entities.filter {
      $0.source == target?.name && $0.destination == property?.destinationEntity?.name
    }
    guard mappings.count == 1, let mapping = mappings.first, target?.subentities.isEmpty ?? true else {
      return .destinations(ofRelationship: relationship.name)
    }
    return .method(
      .variable(NSMigrationManagerKey), MigrationSelector.destinations.rawValue,
      [.constant(.string(mapping.name)), .sourceProperty(relationship.name)])
  }
}

extension NSPropertyMapping {
  fileprivate convenience init(_ name: String, _ expression: ExpressionTree?) {
    self.init()
    self.name = name
    valueExpression = expression?.expression
  }

  /// - Parameter generated: Returns the expression of a property that has none in its file.
  fileprivate convenience init(
    _ property: MappedProperty, _ generated: (String) -> ExpressionTree?
  ) throws(ExpressionTree.UnknownFunction) {
    if let expression = property.expression {
      self.init(property.name, try ExpressionTree(expression, of: property.name))
    } else {
      self.init(property.name, property.isGenerated ? generated(property.name) : nil)
    }
    userInfo = property.userInfo.objects
  }
}

extension [String: MappedValue] {
  /// User information; nil for an empty one.
  fileprivate var objects: [AnyHashable: Any]? {
    let values = mapValues { PredicateValue($0).object ?? NSNull() }
    return isEmpty ? nil : [AnyHashable: Any](uniqueKeysWithValues: values.map { (AnyHashable($0), $1) })
  }
}

extension PredicateValue {
  fileprivate init(_ value: MappedValue) {
    switch value {
    case .null: self = .null
    case .boolean(let truth): self = .boolean(truth)
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .double(number)
    case .date(let seconds): self = .date(seconds)
    case .data(let bytes): self = .data(bytes)
    case .string(let text): self = .string(text)
    case .list(let values): self = .list(values.map { PredicateValue($0) })
    case .dictionary(let values): self = .dictionary(values.mapValues { PredicateValue($0) })
    }
  }
}

extension ExpressionTree {
  /// An expression of a file names a function that the predicate language does not have.
  struct UnknownFunction: Error, CustomStringConvertible {
    var property: String
    var name: String
    var count: Int

    var description: String {
      "The value expression of \(property) can't be read: there is no function \(name) with \(count) arguments."
    }
  }

  /// - Parameter property: The name of the property, for the error.
  fileprivate init(_ expression: MappedExpression, of property: String) throws(UnknownFunction) {
    func trees(_ expressions: [MappedExpression]) throws(UnknownFunction) -> [ExpressionTree] {
      var result: [ExpressionTree] = []
      for expression in expressions { result.append(try ExpressionTree(expression, of: property)) }
      return result
    }
    switch expression {
    case .constant(let value): self = .constant(PredicateValue(value))
    case .subject: self = .subject
    case .variable(let name): self = .variable(name)
    case .keyPath(let base, let names): self = .keyPath(try ExpressionTree(base, of: property), names)
    case .list(let members): self = .aggregate(try trees(members))
    case .method(let target, let selector, let arguments):
      self = .method(try ExpressionTree(target, of: property), selector, try trees(arguments))
    case .function(let name, let arguments):
      guard let function = PredicateFunction(name: name, argumentCount: arguments.count),
        function.argumentCounts.contains(arguments.count)
      else { throw UnknownFunction(property: property, name: name, count: arguments.count) }
      let values = try trees(arguments)
      self = function == .element ? .index(values[0], .at(values[1])) : .call(function, values)
    }
  }
}

// MARK: Expressions

extension ExpressionTree {
  /// `$source.name`.
  fileprivate static func sourceProperty(_ name: String) -> ExpressionTree {
    .keyPath(.variable(NSMigrationSourceObjectKey), [name])
  }

  /// The objects of the destination that were made of the members of a source's relationship.
  fileprivate static func destinations(ofRelationship name: String) -> ExpressionTree {
    .method(
      .variable(NSMigrationManagerKey), MigrationSelector.relatedDestinations.rawValue,
      [.constant(.string(name)), .sourceProperty(name)])
  }

  /// The objects of an entity in the source.
  fileprivate static func sources(_ entity: String) -> ExpressionTree {
    let manager = ExpressionTree.variable(NSMigrationManagerKey)
    return .fetch(
      .method(
        manager, MigrationSelector.fetchRequest.rawValue,
        [.constant(.string(entity)), .constant(.string("TRUEPREDICATE"))]),
      .keyPath(manager, ["sourceContext"]), .constant(.boolean(false)))
  }

  /// Nil on Apple's platforms for an expression without a format.
  fileprivate var expression: _NSExpression? {
    #if canImport(ObjectiveC)
      return (try? format).map { NSExpression(format: $0, argumentArray: []) }
    #else
      return _TreeExpression.make(self)
    #endif
  }
}

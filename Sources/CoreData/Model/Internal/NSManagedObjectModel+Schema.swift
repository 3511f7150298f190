import LocalCloudObjectStore

extension NSManagedObjectModel {
  /// The object store's schema of a store with a configuration's entities.
  func storeSchema(configuration: String?) -> StoreSchema {
    StoreSchema(declarations(storedEntities(forConfigurationName: configuration) ?? entities))
  }

  /// An attribute that is not transient and that no store supports.
  var unstoredAttribute: (attribute: NSAttributeDescription, entity: NSEntityDescription)? {
    for entity in entities {
      for case let attribute as NSAttributeDescription in entity.ownProperties
      where !attribute.isTransient && StoreSchema.AttributeType(attribute.type) == nil {
        return (attribute, entity)
      }
    }
    return nil
  }

  /// An entity without its parent among the entities declares the inherited properties itself. A relationship that
  /// leads out of the entities is not stored.
  func declarations(_ entities: [NSEntityDescription]) -> [StoreSchema.Declaration] {
    let names = Set(entities.compactMap(\.name))
    return entities.map { entity in
      let others = Array(entity.line.dropFirst())
      let parent = others.first { names.contains($0.name ?? "") }
      var declaration = StoreSchema.Declaration(name: entity.name ?? "", parent: parent?.name)
      declaration.isAbstract = entity.isAbstract
      declaration.versionHash = VersionHash.hex(entity.versionText)
      declaration.renamingIdentifier = entity.renamingIdentifier.flatMap { $0 == entity.name ? nil : $0 }
      for entity in [entity] + others.prefix(while: { $0 !== parent }) {
        for property in entity.ownProperties where !property.isTransient {
          switch property {
          case let attribute as NSAttributeDescription:
            if let attribute = StoreSchema.Attribute(attribute) { declaration.attributes.append(attribute) }
          case let relationship as NSRelationshipDescription:
            if let relationship = StoreSchema.RelationshipDeclaration(relationship, among: names) {
              declaration.relationships.append(relationship)
            }
          default: break
          }
        }
        declaration.indexes += entity.indexes.compactMap(StoreSchema.FetchIndex.init)
        declaration.indexes += entity.ownUniquenessConstraints.map(StoreSchema.FetchIndex.init(unique:))
      }
      return declaration
    }
  }
}

extension StoreSchema.Attribute {
  /// Nil for an attribute of a type that is not stored.
  init?(_ attribute: NSAttributeDescription) {
    guard let type = StoreSchema.AttributeType(attribute.type) else { return nil }
    self.init(
      name: attribute.name, type: type, isExternal: attribute.allowsExternalBinaryDataStorage,
      isPreserved: attribute.preservesValueInHistoryOnDeletion, isEncrypted: attribute.allowsCloudEncryption,
      derivation: (attribute as? NSDerivedAttributeDescription).map { $0.derivationText ?? "" },
      isRequired: !attribute.isOptional, renamingIdentifier: attribute.changedIdentifier)
  }
}

extension StoreSchema.AttributeType {
  /// Nil for a type that no store has.
  init?(_ type: NSAttributeDescription.AttributeType) {
    guard let found = Self.allCases.first(where: { NSAttributeDescription.AttributeType($0) == type }) else {
      return nil
    }
    self = found
  }
}

extension StoreSchema.RelationshipDeclaration {
  fileprivate init?(_ relationship: NSRelationshipDescription, among entities: Set<String>) {
    guard let destination = relationship.destinationEntity?.name, entities.contains(destination) else { return nil }
    self.init(
      name: relationship.name, destination: destination, isToMany: relationship.isToMany,
      isOrdered: relationship.isOrdered && relationship.isToMany, inverse: relationship.inverseRelationship?.name,
      renamingIdentifier: relationship.changedIdentifier)
  }
}

extension NSPropertyDescription {
  /// The renaming identifier, if it differs from the name.
  fileprivate var changedIdentifier: String? { renamingIdentifier.flatMap { $0 == name ? nil : $0 } }
}

extension StoreSchema.FetchIndex {
  /// Nil for an index that the store does not create.
  fileprivate init?(_ index: NSFetchIndexDescription) {
    guard index.partialIndexPredicate == nil, !index.elements.isEmpty else { return nil }
    var elements: [Element] = []
    for element in index.elements {
      guard element.collationType == .binary, let name = element.propertyName, Self.isStored(element.property) else {
        return nil
      }
      elements.append(Element(property: name, isAscending: element.isAscending))
    }
    self.init(name: index.name, elements: elements)
  }

  /// A uniqueness constraint. Its properties are stored ones; the opening of a store checks that.
  fileprivate init(unique names: [String]) {
    self.init(
      name: "unique(\(names.joined(separator: ",")))",
      elements: names.map { Element(property: $0, isAscending: true) }, isUnique: true)
  }

  static func isStored(_ property: NSPropertyDescription?) -> Bool {
    guard let property, !property.isTransient else { return false }
    if let attribute = property as? NSAttributeDescription { return StoreSchema.AttributeType(attribute.type) != nil }
    return (property as? NSRelationshipDescription).map { !$0.isToMany } ?? false
  }
}

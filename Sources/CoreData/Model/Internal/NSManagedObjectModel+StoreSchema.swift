import Foundation
import LocalCloudObjectStore

extension NSManagedObjectModel {
  /// The model of a store, from the parts of it that the store stores.
  convenience init(_ schema: StoreSchema) {
    self.init()
    let entities = schema.entities.map { _ in NSEntityDescription() }
    let relationships = schema.relationships.map { source in
      NSRelationshipDescription(source, to: entities[source.destination])
    }
    for (source, relationship) in zip(schema.relationships, relationships) {
      relationship.inverseRelationship = source.inverse.map { relationships[$0] }
    }
    for (index, (source, entity)) in zip(schema.entities, entities).enumerated() {
      let parent = source.parent.map { schema.entities[$0] }
      entity.name = source.name
      entity.isAbstract = source.isAbstract
      entity.renamingIdentifier = source.renamingIdentifier
      entity.subentities = entities.indices.filter { schema.entities[$0].parent == index }.map { entities[$0] }
      let attributes = source.attributes.filter { attribute in
        parent?.attributes.contains { $0.name == attribute.name } != true
      }
      let own: [NSPropertyDescription] = relationships.indices
        .filter { schema.relationships[$0].entity == index }.map { relationships[$0] }
      entity.properties = attributes.map(NSAttributeDescription.described) + own
    }
    // The properties of an index may be inherited.
    for (source, entity) in zip(schema.entities, entities) {
      let inherited = source.parent.map { schema.entities[$0].indexes } ?? []
      let own = source.indexes.filter { !inherited.contains($0) }
      entity.uniquenessConstraints = own.filter(\.isUnique).map { $0.elements.map(\.property) }
      let properties = entity.propertiesByName
      entity.indexes = own.filter { !$0.isUnique }.map { index in
        NSFetchIndexDescription(
          name: index.name,
          elements: index.elements.compactMap { element in
            guard let property = properties[element.property] else { return nil }
            let described = NSFetchIndexElementDescription(property: property, collationType: .binary)
            described.isAscending = element.isAscending
            return described
          })
      }
    }
    self.entities = entities
  }
}

extension NSRelationshipDescription {
  fileprivate convenience init(_ source: StoreSchema.Relationship, to destination: NSEntityDescription) {
    self.init()
    name = source.name
    destinationEntity = destination
    maxCount = source.isToMany ? 0 : 1
    isOrdered = source.isOrdered
    renamingIdentifier = source.renamingIdentifier
  }
}

extension NSAttributeDescription {
  fileprivate static func described(_ source: StoreSchema.Attribute) -> NSPropertyDescription {
    let derived = source.isDerived ? NSDerivedAttributeDescription() : nil
    derived?.derivationText = source.derivation
    let attribute = derived ?? NSAttributeDescription()
    attribute.name = source.name
    attribute.type = AttributeType(source.type)
    attribute.isOptional = !source.isRequired
    attribute.allowsExternalBinaryDataStorage = source.isExternal
    attribute.preservesValueInHistoryOnDeletion = source.isPreserved
    attribute.allowsCloudEncryption = source.isEncrypted
    attribute.renamingIdentifier = source.renamingIdentifier
    return attribute
  }
}

extension NSAttributeDescription.AttributeType {
  init(_ type: StoreSchema.AttributeType) {
    self =
      switch type {
      case .integer16: .integer16
      case .integer32: .integer32
      case .integer64: .integer64
      case .decimal: .decimal
      case .double: .double
      case .float: .float
      case .string: .string
      case .boolean: .boolean
      case .date: .date
      case .binary: .binaryData
      case .uuid: .uuid
      case .uri: .uri
      case .transformable: .transformable
      }
  }
}

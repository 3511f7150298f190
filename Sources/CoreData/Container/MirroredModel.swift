import Foundation
import LocalCloudCoreDataMirroring
import LocalCloudObjectStore

extension MirroringModelRules {
  /// The reason why a model, or the entities of one of its configurations, can't be mirrored; nil if they can.
  static func failureReason(_ model: NSManagedObjectModel, configuration: String?, isPublic: Bool = false) -> String? {
    let entities = model.storedEntities(forConfigurationName: configuration) ?? model.entities
    let names = Set(entities.compactMap(\.name))
    return failureReason(entities.map { Entity($0, within: names) }, isPublic: isPublic)
  }
}

extension MirroringModelRules.Entity {
  fileprivate init(_ entity: NSEntityDescription, within names: Set<String>) {
    var root = entity
    while let parent = root.superentity { root = parent }
    self.init(name: entity.name ?? "", root: root.name)
    let inherited = Set(entity.superentity?.propertiesByName.keys.map { $0 } ?? [])
    for (name, attribute) in entity.attributesByName.sorted(by: { $0.key < $1.key }) where !inherited.contains(name) {
      attributes.append(MirroringModelRules.Attribute(attribute))
    }
    for (name, relationship) in entity.relationshipsByName.sorted(by: { $0.key < $1.key })
    where !inherited.contains(name) && !relationship.isTransient {
      var rule = MirroringModelRules.Relationship(name: name)
      rule.hasInverse = relationship.inverseRelationship != nil
      rule.isOptional = relationship.isOptional
      rule.isOrdered = relationship.isOrdered
      rule.denies = relationship.deleteRule == .denyDeleteRule
      rule.isWithinConfiguration = names.contains(relationship.destinationEntity?.name ?? "")
      if !relationship.isToMany { rule.field = MirroringModelRules.Field(kind: .string) }
      relationships.append(rule)
    }
    constraints = entity.ownUniquenessConstraints
  }
}

extension MirroringModelRules.Attribute {
  fileprivate init(_ attribute: NSAttributeDescription) {
    self.init(name: attribute.name)
    isOptional = attribute.isOptional
    hasDefault = attribute.defaultValue != nil
    isTransient = attribute.isTransient
    kind =
      switch attribute.type {
      case .undefined: .undefined
      case .objectID: .objectID
      case .composite: .composite
      default: .ordinary
      }
    guard !isTransient, !(attribute is NSDerivedAttributeDescription) else { return }
    field = MirroringModelRules.Field(attribute.type)
    field?.isEncrypted = attribute.allowsCloudEncryption
  }
}

extension MirroringModelRules.Field {
  /// The type of field that CloudKit uses for values of `type`; nil for types that ``MirroringModelRules`` rejects.
  fileprivate init?(_ type: NSAttributeDescription.AttributeType) {
    switch type {
    case .string: self.init(kind: .string)
    case .uuid, .uri: self.init(kind: .string)
    case .integer16, .integer32, .integer64, .boolean: self.init(kind: .integer)
    case .decimal, .double, .float: self.init(kind: .double)
    case .date: self.init(kind: .date)
    case .binaryData, .transformable: self.init(kind: .bytes)
    default: return nil
    }
    hasAsset = type == .string || kind == .bytes
  }
}

extension NSManagedObjectModel {
  /// The default values of attributes that must have a value, by the names of entity and attribute.
  var requiredDefaults: [String: [String: StoredValue]] {
    entitiesByName.mapValues { entity in
      entity.attributesByName.compactMapValues { $0.isOptional || $0.isTransient ? nil : $0.storedDefault }
    }
  }
}

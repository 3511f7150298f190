import Foundation
import LocalCloudCoreDataModel

/// Creates the entities of a model file.
struct ModelBuilder {
  let entities: [NSEntityDescription]
  private let byName: [String: NSEntityDescription]
  private let module: String?

  init(_ model: ManagedModel, module: String?) {
    self.module = module
    entities = model.entities.map { _ in NSEntityDescription() }
    byName = Dictionary(zip(model.entities.map(\.name), entities)) { first, _ in first }
    for (source, entity) in zip(model.entities, entities) { fill(entity, from: source) }
    let children = Dictionary(grouping: model.entities, by: \.parent)
    for (source, entity) in zip(model.entities, entities) {
      entity.subentities = (children[source.name] ?? []).compactMap { byName[$0.name] }
    }
    // Names of properties can be resolved once all entities exist, with their inherited properties.
    for (source, entity) in zip(model.entities, entities) {
      connect(entity, source)
      addIndexes(entity, source)
    }
  }

  private func fill(_ entity: NSEntityDescription, from source: ModelEntity) {
    entity.name = source.name
    entity.managedObjectClassName = className(source)
    entity.isAbstract = source.isAbstract
    entity.renamingIdentifier = source.renamingIdentifier
    entity.versionHashModifier = source.versionHashModifier
    entity.userInfo = source.userInfo
    entity.properties =
      source.attributes.map(attribute) + source.relationships.map(relationship)
      + source.fetchedProperties.map(fetchedProperty)
    entity.uniquenessConstraints = source.uniquenessConstraints
  }

  private func className(_ source: ModelEntity) -> String {
    guard let name = source.className else { return NSEntityDescription.defaultClassName }
    guard let module = name.module ?? module else { return name.name }
    return name.runtimeName(in: module)
  }

  // MARK: Properties

  private func relationship(_ source: ModelRelationship) -> NSPropertyDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = source.name
    relationship.isOptional = source.isOptional
    relationship.isTransient = source.isTransient
    relationship.isOrdered = source.isOrdered
    relationship.minCount = source.minCount
    relationship.maxCount = source.maxCount
    relationship.deleteRule = NSDeleteRule(rawValue: source.deleteRule.rawValue) ?? .nullifyDeleteRule
    relationship.renamingIdentifier = source.renamingIdentifier
    relationship.versionHashModifier = source.versionHashModifier
    relationship.userInfo = source.userInfo
    return relationship
  }

  private func fetchedProperty(_ source: ModelFetchedProperty) -> NSPropertyDescription {
    let property = NSFetchedPropertyDescription()
    property.name = source.name
    property.isOptional = source.isOptional
    property.fetchRequest = Self.request(source.fetchRequest, byName[source.fetchRequest.entity])
    property.renamingIdentifier = source.renamingIdentifier
    property.versionHashModifier = source.versionHashModifier
    property.userInfo = source.userInfo
    return property
  }

  private func attribute(_ source: ModelAttribute) -> NSPropertyDescription {
    let derived = source.derivationExpression == nil ? nil : NSDerivedAttributeDescription()
    derived?.derivationText = source.derivationExpression
    let attribute = derived ?? NSAttributeDescription()
    attribute.name = source.name
    attribute.type = NSAttributeDescription.AttributeType(rawValue: source.type.rawValue)
    if let name = source.customClassName { attribute.attributeValueClassName = name }
    attribute.isOptional = source.isOptional
    attribute.isTransient = source.isTransient
    attribute.defaultValue = AttributeText.defaultValue(source)
    attribute.valueTransformerName = source.valueTransformerName
    attribute.allowsExternalBinaryDataStorage = source.allowsExternalBinaryDataStorage
    attribute.allowsCloudEncryption = source.allowsCloudEncryption
    attribute.preservesValueInHistoryOnDeletion = source.preservesValueInHistoryOnDeletion
    attribute.renamingIdentifier = source.renamingIdentifier
    attribute.versionHashModifier = source.versionHashModifier
    attribute.userInfo = source.userInfo
    attribute.bounds = AttributeText.bounds(source)
    return attribute
  }

  // MARK: Connections

  private func connect(_ entity: NSEntityDescription, _ source: ModelEntity) {
    let relationships = entity.relationshipsByName
    for source in source.relationships {
      guard let relationship = relationships[source.name] else { continue }
      relationship.destinationEntity = byName[source.destination]
      relationship.inverseRelationship = source.inverse.flatMap { byName[$0.entity]?.relationshipsByName[$0.name] }
    }
  }

  private func addIndexes(_ entity: NSEntityDescription, _ source: ModelEntity) {
    let properties = entity.propertiesByName
    entity.indexes = source.fetchIndexes.map { index in
      NSFetchIndexDescription(
        name: index.name,
        elements: index.elements.map { element in
          var property: NSPropertyDescription?
          if case .property(let name) = element.subject { property = properties[name] }
          let type = NSFetchIndexElementType(rawValue: element.collation.rawValue) ?? .binary
          let made = NSFetchIndexElementDescription(
            propertyName: property?.name, property: property, collationType: type)
          made.isAscending = element.isAscending
          return made
        })
    }
  }
}

/// Converts the texts of a model file to values of an attribute.
enum AttributeText {
  /// Nil if there is no default.
  static func defaultValue(_ source: ModelAttribute) -> Any? {
    if source.type == .date { return source.defaultDateInterval.map(Date.init(timeIntervalSinceReferenceDate:)) }
    guard let text = source.defaultValue else { return nil }
    switch source.type {
    case .integer16, .integer32, .integer64:
      return DefaultText.integer(text).map { NSNumber(value: $0) }
    case .double: return NSNumber(value: DefaultText.double(text))
    case .float: return NSNumber(value: Float(DefaultText.double(text)))
    case .decimal: return Decimal(string: text).map(NSDecimalNumber.init(decimal:))
    case .boolean: return NSNumber(value: DefaultText.boolean(text))
    case .string: return text
    case .uuid: return UUID(uuidString: text)
    case .uri: return URL(string: text)
    default: return nil
    }
  }

  static func bounds(_ source: ModelAttribute) -> [PropertyBound] {
    var bounds: [PropertyBound?] = []
    switch source.type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float:
      bounds.append(source.minValue.flatMap(PropertyBound.Number.init).map(PropertyBound.smallest))
      bounds.append(source.maxValue.flatMap(PropertyBound.Number.init).map(PropertyBound.largest))
    case .date:
      bounds.append(source.minDateInterval.map { .earliest(Date(timeIntervalSinceReferenceDate: $0)) })
      bounds.append(source.maxDateInterval.map { .latest(Date(timeIntervalSinceReferenceDate: $0)) })
    case .string:
      bounds.append(length(source.minValue).map(PropertyBound.shortest))
      bounds.append(length(source.maxValue).map(PropertyBound.longest))
      bounds.append(source.regularExpression.map(PropertyBound.pattern))
    default: break
    }
    return bounds.compactMap { $0 }
  }

  private static func length(_ text: String?) -> Int? { text.flatMap(Double.init).flatMap { Int(exactly: $0) } }
}

import CoreData

/// The model of ``GraphRun``: folders with items, tags, covers and owners. All entities inherit from one abstract
/// entity. Its attribute `key` identifies an object in every process.
struct GraphSchema {
  struct Relationship {
    var name: String
    var destination: String
    var inverse: String
    var isToMany: Bool
    var isOrdered = false
    var rule: NSDeleteRule = .nullifyDeleteRule
  }

  struct Entity {
    var name: String
    var parent = GraphSchema.root
    var attributes: [String: NSAttributeDescription.AttributeType] = [:]
    var relationships: [Relationship] = []
  }

  static let root = "Thing"
  /// Values of new objects.
  static let defaults = ["size": "0"]

  static let entities: [Entity] = [
    Entity(
      name: "Folder", attributes: ["name": .string, "rank": .integer32],
      relationships: [
        Relationship(name: "items", destination: "Item", inverse: "folder", isToMany: true, rule: .cascadeDeleteRule),
        Relationship(name: "children", destination: "Folder", inverse: "parent", isToMany: true),
        Relationship(name: "parent", destination: "Folder", inverse: "children", isToMany: false),
        Relationship(name: "owner", destination: "Owner", inverse: "folders", isToMany: false),
        Relationship(name: "pinned", destination: "Item", inverse: "pinnedIn", isToMany: true, isOrdered: true),
      ]),
    Entity(
      name: "Item",
      attributes: [
        "title": .string, "size": .integer64, "weight": .double, "due": .date, "body": .binaryData, "uid": .uuid,
        "price": .decimal, "isDone": .boolean,
      ],
      relationships: [
        Relationship(name: "folder", destination: "Folder", inverse: "items", isToMany: false),
        Relationship(name: "tags", destination: "Tag", inverse: "items", isToMany: true),
        Relationship(name: "cover", destination: "Cover", inverse: "item", isToMany: false, rule: .cascadeDeleteRule),
        Relationship(name: "pinnedIn", destination: "Folder", inverse: "pinned", isToMany: false),
      ]),
    Entity(name: "Note", parent: "Item", attributes: ["text": .string]),
    Entity(
      name: "Tag", attributes: ["name": .string],
      relationships: [
        Relationship(name: "items", destination: "Item", inverse: "tags", isToMany: true),
        Relationship(name: "rivals", destination: "Tag", inverse: "rivals", isToMany: true),
      ]),
    Entity(
      name: "Cover", attributes: ["color": .integer16],
      relationships: [Relationship(name: "item", destination: "Item", inverse: "cover", isToMany: false)]),
    Entity(
      name: "Owner", attributes: ["name": .string],
      relationships: [
        Relationship(name: "folders", destination: "Folder", inverse: "owner", isToMany: true, rule: .denyDeleteRule)
      ]),
  ]

  /// An entity with its ancestors, itself first; without the root.
  static func lineage(_ name: String) -> [Entity] {
    guard let entity = entities.first(where: { $0.name == name }) else { return [] }
    return [entity] + lineage(entity.parent)
  }

  static func attributes(of entity: String) -> [String: NSAttributeDescription.AttributeType] {
    lineage(entity).reduce(into: [:]) { $0.merge($1.attributes) { first, _ in first } }
  }

  static func relationships(of entity: String) -> [Relationship] { lineage(entity).flatMap(\.relationships) }

  static func relationship(_ name: String, of entity: String) -> Relationship {
    guard let found = relationships(of: entity).first(where: { $0.name == name }) else {
      fatalError("no relationship \(entity).\(name)")
    }
    return found
  }

  static func isKind(_ entity: String, of other: String) -> Bool { lineage(entity).contains { $0.name == other } }

  /// The names of all properties.
  static func properties(of entity: String) -> [String] {
    attributes(of: entity).keys + relationships(of: entity).map(\.name)
  }

  // MARK: Core Data's model

  static func makeModel() -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    let key = NSAttributeDescription()
    key.name = "key"
    key.type = .integer64
    key.isOptional = false
    key.preservesValueInHistoryOnDeletion = true
    let thing = NSEntityDescription()
    thing.name = root
    thing.isAbstract = true
    thing.properties = [key]
    thing.indexes = [
      NSFetchIndexDescription(
        name: "byKey", elements: [NSFetchIndexElementDescription(property: key, collationType: .binary)])
    ]
    var made: [String: NSEntityDescription] = [root: thing]
    for entity in entities {
      let description = NSEntityDescription()
      description.name = entity.name
      description.properties = entity.attributes.sorted { $0.key < $1.key }.map(makeAttribute)
      made[entity.name] = description
    }
    var relationships: [String: NSRelationshipDescription] = [:]
    for entity in entities {
      made[entity.parent]?.subentities.append(made[entity.name] ?? thing)
      for relationship in entity.relationships {
        let description = NSRelationshipDescription()
        description.name = relationship.name
        description.destinationEntity = made[relationship.destination]
        description.maxCount = relationship.isToMany ? 0 : 1
        description.deleteRule = relationship.rule
        description.isOrdered = relationship.isOrdered
        description.isOptional = true
        made[entity.name]?.properties.append(description)
        relationships["\(entity.name).\(relationship.name)"] = description
      }
    }
    for entity in entities {
      for relationship in entity.relationships {
        relationships["\(entity.name).\(relationship.name)"]?.inverseRelationship =
          relationships["\(relationship.destination).\(relationship.inverse)"]
      }
    }
    model.entities = [thing] + entities.compactMap { made[$0.name] }
    return model
  }

  private static func makeAttribute(
    _ name: String, _ type: NSAttributeDescription.AttributeType
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.type = type
    attribute.isOptional = true
    attribute.allowsExternalBinaryDataStorage = type == .binaryData
    if let value = defaults[name] { attribute.defaultValue = GraphValue.value(value, type) }
    return attribute
  }
}

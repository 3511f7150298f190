import CoreData
import FaultInjection
import Foundation

/// A container of products with unique numbers, in its own folder.
final class Shop: @unchecked Sendable {
  let folder: TemporaryFolder
  let container: NSPersistentContainer

  init(_ model: NSManagedObjectModel = Shop.model) throws {
    folder = try TemporaryFolder()
    container = NSPersistentContainer(name: "Shop", managedObjectModel: model)
    let url = URL(fileURLWithPath: folder.path).appendingPathComponent("shop.sqlite")
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
  }

  func context(_ policy: NSMergePolicy = .error) -> NSManagedObjectContext {
    let context = container.newBackgroundContext()
    context.mergePolicy = policy
    return context
  }

  /// Runs `body` with a new context, on the context's queue.
  func using<Result>(
    _ policy: NSMergePolicy = .error, _ body: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let context = context(policy)
    return try context.performAndWait { try body(context) }
  }

  /// Products have a unique number, and books also an ISBN; a part is unique in its product. Reviews, labels and covers
  /// are related to products one-to-many, many-to-many and one-to-one; a mark's relationship has no inverse.
  static let model: NSManagedObjectModel = {
    let names = ["Product", "Book", "Part", "Label", "Review", "Cover", "Mark"]
    let entities = Dictionary(
      uniqueKeysWithValues: names.map { name in
        let entity = NSEntityDescription()
        entity.name = name
        return (name, entity)
      })
    func link(
      _ from: String, _ name: String, _ to: String, many: Bool, _ rule: NSDeleteRule = .nullifyDeleteRule
    ) -> NSRelationshipDescription {
      let relationship = BlogModel.relationship(name, to: entities[to]!, isToMany: many, rule)
      entities[from]!.properties.append(relationship)
      return relationship
    }
    func attributes(_ entity: String, _ all: [NSAttributeDescription]) { entities[entity]!.properties += all }
    attributes(
      "Product",
      [
        BlogModel.attribute("number", .string), BlogModel.attribute("name", .string),
        BlogModel.attribute("price", .integer64, default: 0),
      ])
    attributes("Book", [BlogModel.attribute("isbn", .string)])
    attributes("Part", [BlogModel.attribute("place", .integer32)])
    for name in ["Label", "Review", "Cover", "Mark"] { attributes(name, [BlogModel.attribute("text", .string)]) }
    BlogModel.pair(
      link("Product", "reviews", "Review", many: true, .cascadeDeleteRule),
      link("Review", "product", "Product", many: false))
    BlogModel.pair(link("Product", "labels", "Label", many: true), link("Label", "products", "Product", many: true))
    BlogModel.pair(
      link("Product", "cover", "Cover", many: false, .cascadeDeleteRule),
      link("Cover", "product", "Product", many: false))
    BlogModel.pair(
      link("Product", "parts", "Part", many: true, .denyDeleteRule), link("Part", "product", "Product", many: false))
    BlogModel.pair(
      link("Product", "successors", "Product", many: true), link("Product", "predecessor", "Product", many: false))
    _ = link("Mark", "product", "Product", many: false)
    entities["Product"]!.subentities = [entities["Book"]!]
    entities["Product"]!.uniquenessConstraints = [["number"]]
    entities["Book"]!.uniquenessConstraints = [["isbn"], ["number", "isbn"]]
    entities["Part"]!.uniquenessConstraints = [["product", "place"]]
    let model = NSManagedObjectModel()
    model.entities = names.map { entities[$0]! }
    return model
  }()
}

extension NSManagedObjectContext {
  @discardableResult
  func add(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  func all(_ entity: String) throws -> [NSManagedObject] {
    try fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
  }

  /// The sorted values of a text attribute of all objects.
  func texts(_ entity: String, _ key: String) throws -> [String] {
    try all(entity).map { $0.value(forKey: key) as? String ?? "nil" }.sorted()
  }
}

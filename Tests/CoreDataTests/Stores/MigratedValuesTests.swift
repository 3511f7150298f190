import CoreData
import FaultInjection
import Foundation
import Testing

@Suite("Derived values and constraints in migrations")
struct MigratedValuesTests {
  private let folder: TemporaryFolder
  private var url: URL { URL(fileURLWithPath: folder.path).appendingPathComponent("one.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  /// Shelves with books.
  private func model(_ change: (_ shelf: NSEntityDescription, _ book: NSEntityDescription) -> Void = { _, _ in })
    -> NSManagedObjectModel
  {
    let (shelf, book) = (NSEntityDescription(), NSEntityDescription())
    (shelf.name, book.name) = ("Shelf", "Book")
    let books = BlogModel.relationship("books", to: book, isToMany: true, .nullifyDeleteRule)
    let on = BlogModel.relationship("shelf", to: shelf, isToMany: false, .nullifyDeleteRule)
    BlogModel.pair(books, on)
    shelf.properties = [BlogModel.attribute("name", .string), books]
    book.properties = [BlogModel.attribute("title", .string), BlogModel.attribute("pages", .integer32), on]
    change(shelf, book)
    let model = NSManagedObjectModel()
    model.entities = [shelf, book]
    return model
  }

  private func open(_ model: NSManagedObjectModel) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      type: .sqlite, at: url,
      options: [
        NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
      ])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private func fill(_ titles: [String]) throws {
    let context = try open(model())
    try context.performAndWait {
      let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
      shelf.setValue("Top", forKey: "name")
      for (pages, title) in titles.enumerated() {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue(title, forKey: "title")
        book.setValue(pages + 1, forKey: "pages")
        book.setValue(shelf, forKey: "shelf")
      }
      try context.save()
    }
  }

  private func first(_ entity: String, in context: NSManagedObjectContext) throws -> NSManagedObject {
    try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)).first)
  }

  @Test("[store-16] new derived attributes have their values after the migration")
  func newDerivedAttributesHaveTheirValues() throws {
    try fill(["One", "Two", "Three"])
    let context = try open(
      model { shelf, _ in
        for (name, text) in [("count", "books.@count"), ("sum", "books.pages.@sum")] {
          let attribute = NSDerivedAttributeDescription()
          attribute.name = name
          attribute.type = .integer64
          attribute.isOptional = true
          attribute.derivationExpression = _NSExpression(format: text)
          shelf.properties.append(attribute)
        }
      })
    try context.performAndWait {
      let shelf = try first("Shelf", in: context)
      #expect(shelf.value(forKey: "count") as? Int == 3)
      #expect(shelf.value(forKey: "sum") as? Int == 6)
      context.delete(try first("Book", in: context))
      try context.save()
      context.refresh(shelf, mergeChanges: false)
      #expect(shelf.value(forKey: "count") as? Int == 2)
    }
  }

  @Test("[store-21] a migration that violates a new constraint leaves the store unchanged")
  func migrationThatViolatesANewConstraintLeaves() throws {
    try fill(["One", "One"])
    let strict = model { _, book in book.uniquenessConstraints = [["title"]] }
    let error = #expect(throws: NSError.self) { _ = try open(strict) }
    #expect(error?.domain == NSCocoaErrorDomain)
    #expect(error?.code == NSMigrationError)
    let context = try open(model())
    try context.performAndWait {
      context.delete(try first("Book", in: context))
      try context.save()
    }
    let migrated = try open(strict)
    try migrated.performAndWait {
      let left = try first("Book", in: migrated)
      #expect(left.value(forKey: "title") as? String == "One")
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: migrated)
      book.setValue("One", forKey: "title")
      let error = #expect(throws: NSError.self) { try migrated.save() }
      #expect(error?.code == NSManagedObjectConstraintMergeError)
    }
  }
}

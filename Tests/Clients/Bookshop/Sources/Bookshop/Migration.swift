import CoreData
import Foundation

/// Migrates a store of the model's first version by a mapping model, step by step and as it is opened.
enum Migration {
  static func run() throws {
    let bundle = Bundle.main
    guard let folder = bundle.url(forResource: "Bookshop", withExtension: "momd"),
      let old = NSManagedObjectModel(contentsOf: folder.appendingPathComponent("Bookshop.mom")),
      let new = NSManagedObjectModel(contentsOf: folder.appendingPathComponent("Bookshop 2.mom")),
      let url = bundle.url(forResource: "Bookshop 1 to 2", withExtension: "cdm"),
      let mapping = NSMappingModel(contentsOf: url)
    else { throw Wrong(description: "a version of the model, or the mapping model, is missing") }
    let found = NSMappingModel(from: [bundle], forSourceModel: old, destinationModel: new)
    try require(found == mapping, "the mapping model is found by both versions")
    try fill(old)
    let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
    try manager.migrateStore(
      from: store("old"), sourceType: NSSQLiteStoreType, options: nil, with: mapping, toDestinationURL: store("new"),
      destinationType: NSSQLiteStoreType, destinationOptions: nil)
    try check("new", new, [:])
    try check("old", new, [NSMigratePersistentStoresAutomaticallyOption: true])
  }

  private static func store(_ name: String) -> URL { URL(fileURLWithPath: "\(name).sqlite") }

  private static func context(
    _ model: NSManagedObjectModel, _ name: String, _ options: [AnyHashable: Any]
  ) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: store(name), options: options)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private static func fill(_ model: NSManagedObjectModel) throws {
    let context = try context(model, "old", [:])
    try context.performAndWait {
      let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
      shelf.setValue("north", forKey: "label")
      for title in ["Notes", "Sketches"] {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue(title, forKey: "title")
        book.setValue(shelf, forKey: "shelf")
        let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
        author.setValue("Author of \(title)", forKey: "name")
        book.setValue(Set([author]), forKey: "authors")
      }
      try context.save()
    }
  }

  private static func check(_ name: String, _ model: NSManagedObjectModel, _ options: [AnyHashable: Any]) throws {
    let context = try context(model, name, options)
    try context.performAndWait {
      let request = Book.fetchRequest()
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let books = try context.fetch(request)
      let pages = books.map { $0.value(forKey: "pages") as? Int }
      try require(pages == [100, 80], "\(name): pages by expression and policy: \(pages)")
      try require(books.first?.shelf?.label == "NORTH", "\(name): the shelf's label by a function")
      let authors = books.map { ($0.authors as? Set<Author>)?.first?.name }
      try require(authors == ["Author of Notes", "Author of Sketches"], "\(name): authors: \(authors)")
    }
  }
}

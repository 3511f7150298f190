import CoreData
import FaultInjection
import Foundation
import Testing

@Suite("Lightweight migration")
struct LightweightMigrationTests {
  private let folder: TemporaryFolder
  private var url: URL { URL(fileURLWithPath: folder.path).appendingPathComponent("one.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private static let both: [String: Bool] = [
    NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
    NSPersistentHistoryTrackingKey: true,
  ]

  private static func entity(_ name: String, _ properties: NSPropertyDescription...) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = properties
    return entity
  }

  private static func model(_ entities: NSEntityDescription...) -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = entities
    return model
  }

  private static func text(_ name: String) -> NSAttributeDescription { BlogModel.attribute(name, .string) }

  /// Books with a title and a writer.
  private static func first() -> NSManagedObjectModel {
    let (book, writer) = (
      entity("Book", text("title"), BlogModel.attribute("pages", .integer16)), entity("Writer", text("name"))
    )
    let (to, from) = (
      BlogModel.relationship("writer", to: writer, isToMany: false, .nullifyDeleteRule),
      BlogModel.relationship("books", to: book, isToMany: true, .nullifyDeleteRule)
    )
    BlogModel.pair(to, from)
    book.properties.append(to)
    writer.properties.append(from)
    return model(book, writer)
  }

  private func open(
    _ model: NSManagedObjectModel, _ options: [AnyHashable: Any]? = LightweightMigrationTests.both
  ) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private func objects(_ entity: String, in context: NSManagedObjectContext) throws -> [NSManagedObject] {
    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
  }

  /// Creates a store with a book and returns the book's URI.
  private func fill() throws -> URL {
    let context = try open(Self.first())
    return try context.performAndWait {
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      let writer = NSEntityDescription.insertNewObject(forEntityName: "Writer", into: context)
      book.setValue("One", forKey: "title")
      book.setValue(300, forKey: "pages")
      book.setValue(writer, forKey: "writer")
      writer.setValue("Ann", forKey: "name")
      try context.save()
      return book.objectID.uriRepresentation()
    }
  }

  private func error(_ code: Int, _ body: () throws -> Void) -> NSError? {
    let error = #expect(throws: NSError.self) { try body() }
    #expect(error?.domain == NSCocoaErrorDomain, "\(error as Any)")
    #expect(error?.code == code, "\(error as Any)")
    return error
  }

  // MARK: Tests

  @Test("[stores-14] without the options a store of another version is refused and stays unchanged")
  func withoutTheOptionsAStore() throws {
    let uri = try fill()
    let other = Self.model(Self.entity("Book", Self.text("title")))
    let mismatch = error(NSPersistentStoreIncompatibleVersionHashError) { _ = try open(other, nil) }
    let metadata = mismatch?.userInfo["metadata"] as? [String: Any]
    #expect((metadata?[NSStoreModelVersionHashesKey] as? [String: Data])?.keys.sorted() == ["Book", "Writer"])
    #expect(
      (mismatch?.userInfo["reason"] as? String)?.hasPrefix("The model used to open the store is incompatible") == true)
    _ = error(NSMigrationMissingMappingModelError) {
      _ = try open(other, [NSMigratePersistentStoresAutomaticallyOption: true])
    }
    var options: [AnyHashable: Any] = Self.both
    options[NSPersistentStoreStagedMigrationManagerOptionKey] = NSObject()
    _ = error(NSMigrationMissingMappingModelError) { _ = try open(other, options) }
    options = Self.both as [AnyHashable: Any]
    options[NSReadOnlyPersistentStoreOption] = true
    _ = error(NSMigrationError) { _ = try open(other, options) }
    _ = error(NSPersistentStoreIncompatibleVersionHashError) {
      _ = try open(other, [NSIgnorePersistentStoreVersioningOption: true])
    }
    let context = try open(Self.first(), nil)
    #expect(try context.performAndWait { try objects("Book", in: context)[0].objectID.uriRepresentation() } == uri)
  }

  @Test("[stores-15] [stores-18] names, defaults and relationships migrate; identities and tokens stay")
  func namesDefaultsAndRelationshipsMigrate() throws {
    let uri = try fill()
    let old = try open(Self.first())
    let token = try #require(old.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil))
    let volume = Self.entity("Volume", Self.text("heading"), BlogModel.attribute("pages", .integer64))
    volume.renamingIdentifier = "Book"
    volume.attributesByName["heading"]?.renamingIdentifier = "title"
    let language = BlogModel.attribute("language", .string, isOptional: false, default: "en")
    let (person, author) = (Self.entity("Person", Self.text("name")), Self.entity("Author"))
    author.renamingIdentifier = "Writer"
    person.subentities = [author]
    let (to, from) = (
      BlogModel.relationship("authors", to: author, isToMany: true, .nullifyDeleteRule),
      BlogModel.relationship("books", to: volume, isToMany: true, .nullifyDeleteRule)
    )
    to.renamingIdentifier = "writer"
    BlogModel.pair(to, from)
    volume.properties += [language, to]
    author.properties = [from]
    let model = Self.model(volume, person, author)
    model.versionIdentifiers = ["2"]
    // A store description sets both options.
    let container = NSPersistentContainer(name: "Books", managedObjectModel: model)
    let description = NSPersistentStoreDescription(url: url)
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    #expect(failure == nil)
    let coordinator = container.persistentStoreCoordinator
    let store = try #require(coordinator.persistentStores.first)
    #expect(store.metadata[NSStoreModelVersionIdentifiersKey] as? [String] == ["2"])
    #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: store.metadata))
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let book = try #require(try objects("Volume", in: context).first)
      #expect(book.value(forKey: "heading") as? String == "One")
      #expect(book.value(forKey: "pages") as? Int == 300)
      #expect(book.value(forKey: "language") as? String == "en")
      let authors = book.value(forKey: "authors") as? Set<NSManagedObject>
      #expect(authors?.first?.value(forKey: "name") as? String == "Ann")
      #expect(authors?.count == 1)
      #expect(book.objectID.uriRepresentation().lastPathComponent == uri.lastPathComponent)
      #expect(book.objectID.uriRepresentation().host == uri.host)
      book.setValue("Two", forKey: "heading")
      try context.save()
      func transactions(_ token: NSPersistentHistoryToken?) throws -> [NSPersistentHistoryTransaction] {
        let result = try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
        return (result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction] ?? []
      }
      let later = try transactions(token)
      #expect(later.count == 1 && later[0].changes?.first?.updatedProperties?.map(\.name) == ["heading"])
      let all = try transactions(nil)
      #expect(
        all.count == 2 && Set(all[0].changes?.compactMap(\.changedObjectID.entity.name) ?? []) == ["Volume", "Author"])
    }
    // A context that opened the store before the migration can't damage it.
    old.performAndWait {
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: old)
      book.setValue("Three", forKey: "title")
      _ = error(NSPersistentStoreOpenError) { try old.save() }
    }
    #expect(try context.performAndWait { try objects("Volume", in: context).count } == 1)
  }

  @Test("[stores-15] missing values get the default only when the attribute becomes required")
  func missingValuesGetTheDefault() throws {
    func model(isOptional: Bool, _ value: String?) -> NSManagedObjectModel {
      Self.model(Self.entity("Book", BlogModel.attribute("title", .string, isOptional: isOptional, default: value)))
    }
    let context = try open(model(isOptional: true, nil))
    try context.performAndWait {
      for title in [nil, "One"] {
        NSEntityDescription.insertNewObject(forEntityName: "Book", into: context).setValue(title, forKey: "title")
      }
      try context.save()
    }
    func titles(_ model: NSManagedObjectModel) throws -> Set<String> {
      let context = try open(model)
      return try context.performAndWait {
        Set(try objects("Book", in: context).map { $0.value(forKey: "title") as? String ?? "none" })
      }
    }
    // [stores-17]
    let failure = error(NSMigrationError) { _ = try titles(model(isOptional: false, nil)) }
    let cause = failure?.userInfo[NSUnderlyingErrorKey] as? NSError
    #expect(cause?.code == NSMigrationError)
    #expect(cause?.userInfo["attribute"] as? String == "title")
    #expect(cause?.userInfo["entity"] as? String == "Book")
    #expect(failure?.userInfo["sourceURL"] as? URL == url)
    #expect(
      failure?.userInfo["reason"] as? String
        == "Cannot migrate store in-place: Validation error missing attribute values on mandatory destination attribute"
    )
    #expect(try titles(model(isOptional: true, nil)) == ["none", "One"])
    #expect(try titles(model(isOptional: false, "new")) == ["new", "One"])
    #expect(try titles(model(isOptional: true, nil)) == ["new", "One"])
  }

  @Test("[stores-20] objects that violate a new uniqueness constraint fail the migration")
  func objectsThatViolateANewUniquenessConstraint() throws {
    func model(_ constraints: [[String]]) -> NSManagedObjectModel {
      let book = Self.entity("Volume", Self.text("title"), BlogModel.attribute("pages", .integer16))
      book.renamingIdentifier = "Book"
      book.uniquenessConstraints = constraints
      return Self.model(book)
    }
    let old = Self.model(Self.entity("Book", Self.text("title"), BlogModel.attribute("pages", .integer16)))
    let context = try open(old, nil)
    let names = try context.performAndWait {
      let books = [("One", 1), ("One", 1), ("Two", 2), ("Two", 3)].map { title, pages in
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue(title, forKey: "title")
        book.setValue(pages, forKey: "pages")
        return book
      }
      try context.save()
      return books.map { "Book/\($0.objectID.uriRepresentation().lastPathComponent.dropFirst())" }
    }
    let failure = error(NSMigrationError) { _ = try open(model([["title", "pages"]])) }
    let reason = "constraint violation during attempted migration"
    #expect(failure?.userInfo["reason"] as? String == "Cannot migrate store in-place: \(reason)")
    #expect(failure?.userInfo["sourceURL"] as? URL == url)
    let cause = try #require(failure?.userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect(cause.domain == NSCocoaErrorDomain)
    #expect(cause.code == NSMigrationConstraintViolationError)
    #expect(cause.userInfo["reason"] as? String == reason)
    #expect(
      cause.localizedFailureReason == "\(reason): \(names[0]), \(names[1]) have the same title, pages")
    #expect(cause.userInfo["objects"] as? [String] == [names[0], names[1]])
    let conflicts = try #require(cause.userInfo["conflictList"] as? [NSConstraintConflict])
    #expect(conflicts.map(\.constraint) == [["title", "pages"]])
    #expect(conflicts[0].constraintValues["title"] as? String == "One")
    #expect(conflicts[0].constraintValues["pages"] as? Int == 1)
    #expect(conflicts[0].conflictingSnapshots.count == 2 && conflicts[0].conflictingObjects == [])
    let both = error(NSMigrationError) { _ = try open(model([["title"]])) }
    let all = (both?.userInfo[NSUnderlyingErrorKey] as? NSError)?.userInfo
    #expect(all?["objects"] as? [String] == names)
    #expect((all?["conflictList"] as? [NSConstraintConflict])?.count == 2)
    // The failed migration changed nothing. With different values the store is migrated.
    try context.performAndWait {
      let books = try objects("Book", in: context)
      #expect(books.count == 4)
      for book in books where (book.value(forKey: "pages") as? Int) == 1 {
        book.setValue("\(book.objectID.uriRepresentation().lastPathComponent)", forKey: "title")
      }
      try context.save()
    }
    let migrated = try open(model([["title", "pages"]]))
    #expect(try migrated.performAndWait { try objects("Volume", in: migrated).count } == 4)
  }

  @Test("[stores-16] a migration that can't be inferred is an error and changes nothing")
  func notInferable() throws {
    let uri = try fill()
    let other = Self.model(Self.entity("Book", BlogModel.attribute("title", .integer64)))
    let failure = error(NSInferredMappingModelError) { _ = try open(other) }
    #expect(failure?.userInfo["entity"] as? String == "Book")
    #expect(failure?.userInfo["property"] as? String == "title")
    #expect(
      failure?.userInfo["reason"] as? String == "Source and destination attribute types are incompatible")
    let small = Self.model(Self.entity("Book", BlogModel.attribute("pages", .float)))
    _ = error(NSInferredMappingModelError) { _ = try open(small) }
    let context = try open(Self.first(), nil)
    #expect(try context.performAndWait { try objects("Book", in: context)[0].objectID.uriRepresentation() } == uri)
  }

  @Test("[stores-14] a version with the same schema opens with the option to ignore versions")
  func versionWithTheSameSchemaOpens() throws {
    func model(_ modifier: String?) -> NSManagedObjectModel {
      let entity = Self.entity("Book", Self.text("title"))
      entity.versionHashModifier = modifier
      return Self.model(entity)
    }
    _ = try open(model(nil), nil)
    _ = error(NSPersistentStoreIncompatibleVersionHashError) { _ = try open(model("2"), nil) }
    _ = try open(model("2"), [NSIgnorePersistentStoreVersioningOption: true])
    _ = try open(model("2"), nil)
  }

  @Test(
    "[stores-15] [stores-16] a mapping model is inferred from two models, and a manager migrates to another URL")
  func mappingModels() throws {
    _ = try fill()
    let (source, destination) = (
      Self.first(), Self.model(Self.entity("Book", Self.text("heading")), Self.entity("Shop"))
    )
    destination.entitiesByName["Book"]?.attributesByName["heading"]?.renamingIdentifier = "title"
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
    #expect(mapping.entityMappingsByName.keys.sorted() == ["IEM_Add_Shop", "IEM_Remove_Writer", "IEM_Transform_Book"])
    #expect(mapping.entityMappingsByName["IEM_Transform_Book"]?.attributeMappings?.map(\.name) == ["heading"])
    #expect(mapping.entityMappingsByName["IEM_Add_Shop"]?.mappingType == .addEntityMappingType)
    let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
    let other = URL(fileURLWithPath: folder.path).appendingPathComponent("two.sqlite")
    func migrate(_ mapping: NSMappingModel, _ target: URL) throws {
      try manager.migrateStore(from: url, type: .sqlite, mapping: mapping, to: target, type: .sqlite)
    }
    _ = error(NSMigrationMissingMappingModelError) { try migrate(NSMappingModel(), other) }
    manager.cancelMigrationWithError(CocoaError(.userCancelled))
    #expect(throws: CocoaError(.userCancelled)) { try migrate(mapping, other) }
    #expect(!FileManager.default.fileExists(atPath: other.path))
    try migrate(mapping, other)
    let copies = NSPersistentStoreCoordinator(managedObjectModel: destination)
    try copies.addPersistentStore(type: .sqlite, at: other)
    let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    reader.persistentStoreCoordinator = copies
    #expect(
      try reader.performAndWait { try objects("Book", in: reader).map { $0.value(forKey: "heading") as? String } }
        == ["One"])
    let context = try open(source, nil)
    #expect(try context.performAndWait { try objects("Writer", in: context).count } == 1)
    try migrate(mapping, url)
    let migrated = try open(destination, nil)
    #expect(try migrated.performAndWait { try objects("Book", in: migrated).count } == 1)
    _ = error(NSPersistentStoreIncompatibleVersionHashError) { try migrate(mapping, url) }
    mapping.entityMappings = []
    _ = error(NSMigrationMissingMappingModelError) { try migrate(mapping, url) }
    let text = Self.model(Self.entity("Book", BlogModel.attribute("title", .date)))
    _ = error(NSInferredMappingModelError) {
      _ = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: text)
    }
  }
}

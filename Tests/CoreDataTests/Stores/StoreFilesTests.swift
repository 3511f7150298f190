import FaultInjection
import Foundation
import Synchronization
import Testing

@testable import CoreData

@Suite("Stores, metadata and URLs")
struct StoreFilesTests {
  private let folder: TemporaryFolder
  private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: BlogModel.shared)

  init() throws { folder = try TemporaryFolder() }

  private func url(_ name: String) -> URL { URL(fileURLWithPath: folder.path).appendingPathComponent(name) }

  private func context() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  @discardableResult
  private func add(_ name: String, options: [AnyHashable: Any]? = nil) throws -> NSPersistentStore {
    try coordinator.addPersistentStore(type: .sqlite, at: url(name), options: options)
  }

  private func insert(_ title: String, _ context: NSManagedObjectContext) throws -> Post {
    let post = Post(context: context)
    post.title = title
    try context.save()
    return post
  }

  private func error(_ code: Int, _ body: () throws -> Void) {
    let error = #expect(throws: NSError.self) { try body() }
    #expect(error?.domain == NSCocoaErrorDomain, "\(error as Any)")
    #expect(error?.code == code, "\(error as Any)")
  }

  // MARK: Metadata

  @Test(
    "[stores-1] [stores-2] metadata describe the store, and a save stores the program's own metadata")
  func metadataDescribeTheStoreAndASave() throws {
    let store = try add("one.sqlite")
    let first = coordinator.metadata(for: store)
    #expect(first[NSStoreTypeKey] as? String == NSSQLiteStoreType)
    #expect(first[NSStoreUUIDKey] as? String == store.identifier)
    let hashes = first[NSStoreModelVersionHashesKey] as? [String: Data]
    #expect(hashes == BlogModel.shared.entityVersionHashesByName)
    #expect(BlogModel.shared.isConfiguration(withName: nil, compatibleWithStoreMetadata: first))
    let date = Date(timeIntervalSinceReferenceDate: 1.25)
    let own: [String: Any] = [
      "text": "a", "number": 3, "truth": true, "fraction": 0.5, "data": Data([1, 2]), "date": date,
      "list": ["x", 1] as [Any], "$nested": ["$data": "no data", "b": NSNumber(value: 7)] as [String: Any],
    ]
    coordinator.setMetadata(own, for: store)
    #expect(coordinator.metadata(for: store)["text"] as? String == "a")
    let read = {
      try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: self.url("one.sqlite"))
    }
    #expect(try read()["text"] == nil)
    let context = context()
    // A save without changed objects.
    try context.performAndWait { try context.save() }
    let stored = try read()
    #expect(stored["text"] as? String == "a")
    #expect(stored["number"] as? Int == 3)
    #expect(stored["truth"] as? Bool == true)
    #expect(stored["fraction"] as? Double == 0.5)
    #expect(stored["data"] as? Data == Data([1, 2]))
    #expect(stored["date"] as? Date == date)
    #expect((stored["list"] as? [Any])?.count == 2)
    let nested = stored["$nested"] as? [String: Any]
    #expect(nested?["$data"] as? String == "no data")
    #expect(nested?["b"] as? Int == 7)
    #expect(stored[NSStoreUUIDKey] as? String == store.identifier)
    // A save with a changed object.
    store.metadata = ["text": "b"]
    try context.performAndWait { _ = try insert("One", context) }
    #expect(try read()["text"] as? String == "b" && read()["number"] == nil)
    try store.loadMetadata()
    #expect(store.metadata["text"] as? String == "b")
  }

  @Test("[stores-2] [stores-3] metadata of a closed store can be read and set; a missing store is an error")
  func metadataOfAClosedStore() throws {
    let store = try add("one.sqlite")
    try coordinator.remove(store)
    let storeURL = url("one.sqlite")
    let other = UUID().uuidString
    try NSPersistentStoreCoordinator.setMetadata(
      ["a": 1, NSStoreUUIDKey: other, NSStoreTypeKey: "X"], type: .sqlite, at: storeURL)
    let metadata = try NSPersistentStore.metadataForPersistentStore(with: storeURL)
    #expect(metadata["a"] as? Int == 1)
    #expect(metadata[NSStoreUUIDKey] as? String == other)
    #expect(metadata[NSStoreTypeKey] as? String == NSSQLiteStoreType)
    #expect(try add("one.sqlite").identifier == other)
    error(CocoaError.Code.fileReadNoSuchFile.rawValue) {
      _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url("none.sqlite"))
    }
    error(CocoaError.Code.fileReadNoSuchFile.rawValue) {
      try NSPersistentStore.setMetadata(["a": 1], forPersistentStoreAt: url("none.sqlite"))
    }
    error(NSPersistentStoreInvalidTypeError) {
      _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .xml, at: storeURL)
    }
    error(NSPersistentStoreOperationError) {
      try NSPersistentStore.setMetadata(["a": NSObject()], forPersistentStoreAt: storeURL)
    }
    try Data("SQLite format 3\u{0}".utf8).write(to: url("database"))
    error(NSPersistentStoreOpenError) { _ = try NSPersistentStore.metadataForPersistentStore(with: url("database")) }
    #expect(!FileManager.default.fileExists(atPath: url("none.sqlite").path))
  }

  // [store-1]
  @Test("a store of a later format is refused: the error names both formats and the next step, and no file changes")
  func laterFormat() throws {
    try coordinator.remove(add("one.sqlite"))
    let file = url("one.sqlite").appendingPathComponent("store.json")
    let later = try String(contentsOf: file, encoding: .utf8).replacing(
      "\"formatVersion\": 1,", with: "\"formatVersion\": 2,")
    try later.write(to: file, atomically: false, encoding: .utf8)
    let before = try FolderImage(of: folder.path)
    let error = #expect(throws: NSError.self) { try add("one.sqlite") }
    #expect(error?.code == NSPersistentStoreOpenError)
    for part in ["the format 2", "up to 1", "Use the newer version"] {
      #expect(error?.localizedFailureReason?.contains(part) == true, "\(error as Any)")
    }
    #expect(try FolderImage(of: folder.path).differences(from: before) == [])
  }

  @Test("[stores-23] the cached model of a closed store is the program's model of the store's version")
  func cachedModelOfAClosedStore() throws {
    let entity = NSEntityDescription()
    entity.name = "Cached"
    entity.properties = [BlogModel.attribute("count", .integer16, default: 7)]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.remove(try coordinator.addPersistentStore(type: .sqlite, at: url("one.sqlite")))
    let cached = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url("one.sqlite"))
    #expect(cached == model)
    #expect(cached.entitiesByName["Cached"]?.attributesByName["count"]?.defaultValue as? Int == 7)
    // It is a copy, which can be changed.
    cached.versionIdentifiers = ["changed"]
    #expect(cached != model)
    error(CocoaError.Code.fileReadNoSuchFile.rawValue) {
      try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url("none.sqlite"))
    }
    try Data("SQLite format 3\u{0}".utf8).write(to: url("database"))
    error(NSPersistentStoreOpenError) {
      try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url("database"), options: [:])
    }
  }

  @Test("[stores-23] a store caches the stored part of its model, and can be opened with it")
  func storesDescriptionAsAModel() throws {
    let (store, writer) = (try add("one.sqlite"), context())
    try writer.performAndWait { _ = try insert("One", writer) }
    try coordinator.remove(store)
    let model = NSManagedObjectModel(BlogModel.shared.storeSchema(configuration: nil))
    let (found, wanted) = (model.entityVersionHashesByName, BlogModel.shared.entityVersionHashesByName)
    // A transient attribute of this entity is not in the store.
    #expect(found["Post"] != wanted["Post"])
    #expect(found.filter { $0.key != "Post" } == wanted.filter { $0.key != "Post" })
    let post = try #require(model.entitiesByName["Post"])
    #expect(post.indexes.map(\.name) == ["byTitle"])
    #expect(post.attributesByName["image"]?.allowsExternalBinaryDataStorage == true)
    #expect(post.relationshipsByName["author"]?.inverseRelationship?.name == "written")
    #expect(model.entitiesByName["Writer"]?.superentity?.name == "Person")
    let other = NSPersistentStoreCoordinator(managedObjectModel: model)
    error(NSPersistentStoreIncompatibleVersionHashError) {
      try other.addPersistentStore(type: .sqlite, at: url("one.sqlite"))
    }
    try other.addPersistentStore(
      type: .sqlite, at: url("one.sqlite"), options: [NSIgnorePersistentStoreVersioningOption: true])
    let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    reader.persistentStoreCoordinator = other
    let titles = try reader.performAndWait {
      try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Post")).map { $0.value(forKey: "title") as? String }
    }
    #expect(titles == ["One"])
  }

  @available(*, deprecated)
  @Test("[stores-2] [stores-3] older functions read and set metadata, also without a store type")
  func olderFunctionsReadAndSetMetadata() throws {
    typealias Coordinator = NSPersistentStoreCoordinator
    let storeURL = url("one.sqlite")
    let store = try add("one.sqlite")
    try coordinator.remove(store)
    let untyped: String? = nil
    try Coordinator.setMetadata(["a": 1], forPersistentStoreOfType: NSSQLiteStoreType, at: storeURL, options: nil)
    let typed = try Coordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: storeURL, options: nil)
    #expect(typed["a"] as? Int == 1)
    #expect(typed[NSStoreUUIDKey] as? String == store.identifier)
    try Coordinator.setMetadata(["a": 2], forPersistentStoreOfType: untyped, at: storeURL)
    #expect(try Coordinator.metadataForPersistentStore(ofType: untyped, at: storeURL)["a"] as? Int == 2)
    #expect(try Coordinator.metadataForPersistentStore(with: storeURL)["a"] as? Int == 2)
    error(NSPersistentStoreInvalidTypeError) {
      _ = try Coordinator.metadataForPersistentStore(ofType: NSXMLStoreType, at: storeURL, options: nil)
    }
    error(NSPersistentStoreInvalidTypeError) {
      try Coordinator.setMetadata([:], forPersistentStoreOfType: NSXMLStoreType, at: storeURL, options: nil)
    }
    for read in [
      { _ = try Coordinator.metadataForPersistentStore(ofType: untyped, at: self.url("none.sqlite")) },
      { _ = try Coordinator.metadataForPersistentStore(with: self.url("none.sqlite")) },
      { try Coordinator.setMetadata([:], forPersistentStoreOfType: untyped, at: self.url("none.sqlite")) },
    ] as [() throws -> Void] { error(CocoaError.Code.fileReadNoSuchFile.rawValue, read) }
  }

  // MARK: Files and URLs

  @Test("[stores-4] a coordinator adds a store once; several coordinators may add the same store")
  func coordinatorAddsAStoreOnce() throws {
    let store = try add("one.sqlite")
    error(134081) { try add("one.sqlite") }
    error(134081) { try add("sub/../one.sqlite") }
    #expect(coordinator.persistentStores == [store])
    #expect(coordinator.persistentStore(for: url("one.sqlite")) === store)
    let other = NSPersistentStoreCoordinator(managedObjectModel: BlogModel.shared)
    let second = try other.addPersistentStore(type: .sqlite, at: url("one.sqlite"))
    let context = context()
    let id = try context.performAndWait { try insert("One", context).objectID.uriRepresentation() }
    #expect(second.identifier == store.identifier)
    let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    reader.persistentStoreCoordinator = other
    let found = try #require(other.managedObjectID(for: id.absoluteString))
    #expect(try reader.performAndWait { try (reader.existingObject(with: found) as? Post)?.title } == "One")
    #expect(other.managedObjectID(for: "no URL") == nil)
  }

  @Test("[stores-5] a destroyed store can't be used by other coordinators; a new one can be created at its URL")
  func destroyedStoreCannotBeUsed() throws {
    let store = try add("one.sqlite")
    let other = NSPersistentStoreCoordinator(managedObjectModel: BlogModel.shared)
    try other.addPersistentStore(type: .sqlite, at: url("one.sqlite"))
    let context = context()
    try context.performAndWait { _ = try insert("One", context) }
    try coordinator.destroyPersistentStore(at: url("one.sqlite"), type: .sqlite)
    #expect(coordinator.persistentStores.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: url("one.sqlite").path).isEmpty)
    error(CocoaError.Code.fileReadNoSuchFile.rawValue) {
      _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url("one.sqlite"))
    }
    try coordinator.destroyPersistentStore(at: url("one.sqlite"), ofType: NSSQLiteStoreType)
    let writer = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    writer.persistentStoreCoordinator = other
    writer.performAndWait {
      _ = Post(context: writer)
      error(NSPersistentStoreOpenError) { try writer.save() }
    }
    #expect(try add("one.sqlite").identifier != store.identifier)
    #expect(try context.performAndWait { try context.count(for: Post.all()) } == 0)
    try Data([1]).write(to: url("letter"))
    error(NSPersistentStoreOpenError) { try coordinator.destroyPersistentStore(at: url("letter"), type: .sqlite) }
    error(NSPersistentStoreOpenError) {
      try coordinator.destroyPersistentStore(
        at: url("letter"), type: .sqlite, options: [NSPersistentStoreForceDestroyOption: true])
    }
    #expect(FileManager.default.fileExists(atPath: url("letter").path))
  }

  @Test("[stores-5] a program may remove the file of a destroyed store, or replace the store")
  func removingDestroyed() throws {
    try add("one.sqlite")
    try coordinator.destroyPersistentStore(at: url("one.sqlite"), type: .sqlite)
    try FileManager.default.removeItem(at: url("one.sqlite"))
    try coordinator.destroyPersistentStore(at: url("one.sqlite"), type: .sqlite)
    #expect(try FileManager.default.contentsOfDirectory(atPath: url("one.sqlite").path).isEmpty)
    let second = try add("two.sqlite")
    try add("one.sqlite")
    try coordinator.destroyPersistentStore(at: url("one.sqlite"), type: .sqlite)
    try coordinator.replacePersistentStore(
      at: url("one.sqlite"), withPersistentStoreFrom: url("two.sqlite"), type: .sqlite)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url("one.sqlite"))
    #expect(metadata[NSStoreUUIDKey] as? String == second.identifier)
  }

  @Test("[stores-5] destroying a missing store leaves an empty folder and creates no parent folder")
  func destroyingNothing() throws {
    try coordinator.destroyPersistentStore(at: url("none.sqlite"), type: .sqlite)
    #expect(try FileManager.default.contentsOfDirectory(atPath: url("none.sqlite").path).isEmpty)
    let store = try add("none.sqlite")
    #expect(store.url?.path == url("none.sqlite").path)
    try coordinator.destroyPersistentStore(at: url("none/none.sqlite"), type: .sqlite)
    #expect(!FileManager.default.fileExists(atPath: url("none").path))
  }

  @Test("[stores-6] a store replaces another or a missing one; an open one continues")
  func storeReplacesAnotherOrAMissingOne() throws {
    try add("one.sqlite", options: [NSPersistentHistoryTrackingKey: true])
    let context = context()
    let id = try context.performAndWait { try insert("One", context).objectID }
    let backups = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
    func replace(_ target: String, _ source: String, _ coordinator: NSPersistentStoreCoordinator) throws {
      try coordinator.replacePersistentStore(
        at: url(target), withPersistentStoreFrom: url(source), type: .sqlite)
    }
    try replace("backup.sqlite", "one.sqlite", backups)
    try context.performAndWait { _ = try insert("Two", context) }
    #expect(try context.performAndWait { try context.count(for: Post.all()) } == 2)
    try replace("one.sqlite", "backup.sqlite", coordinator)
    #expect(coordinator.persistentStores.count == 1)
    try context.performAndWait {
      context.reset()
      #expect(try context.count(for: Post.all()) == 1)
      let title = try (context.existingObject(with: id) as? Post)?.title
      #expect(title == "One")
      _ = try insert("Three", context)
      #expect(try context.count(for: Post.all()) == 2)
      let result = try context.execute(
        NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?))
      #expect(((result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction])?.count == 2)
    }
    // An open store can't continue after a replacement by a store with another identity.
    let third = NSPersistentStoreCoordinator(managedObjectModel: BlogModel.shared)
    try third.addPersistentStore(type: .sqlite, at: url("third.sqlite"))
    try replace("one.sqlite", "third.sqlite", coordinator)
    #expect(coordinator.persistentStores.isEmpty)
    error(CocoaError.Code.fileReadNoSuchFile.rawValue) { try replace("one.sqlite", "none.sqlite", coordinator) }
    error(NSPersistentStoreInvalidTypeError) {
      try coordinator.replacePersistentStore(
        at: url("one.sqlite"), withPersistentStoreFrom: url("third.sqlite"), ofType: NSXMLStoreType)
    }
    #expect(FileManager.default.fileExists(atPath: url("one.sqlite").path))
  }

  @Test("[stores-7] a store migrates to another URL and type, and its objects continue there")
  func storeMigratesToAnotherURLAndType() throws {
    let memory = try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let context = context()
    let post = try context.performAndWait { try insert("One", context) }
    let store = try coordinator.migratePersistentStore(memory, to: url("one.sqlite"), type: .sqlite)
    #expect(coordinator.persistentStores == [store])
    #expect(store.type == NSSQLiteStoreType)
    #expect(store.url?.path == url("one.sqlite").path)
    #expect(memory.persistentStoreCoordinator == nil)
    try context.performAndWait {
      #expect(post.objectID.persistentStore === store)
      post.title = "Two"
      try context.save()
    }
    let copy = try coordinator.migratePersistentStore(store, to: url("two.sqlite"), withType: NSSQLiteStoreType)
    try context.performAndWait {
      post.title = "Three"
      try context.save()
      #expect(try context.count(for: Post.all()) == 1)
    }
    #expect(coordinator.persistentStores == [copy])
    let reader = NSPersistentStoreCoordinator(managedObjectModel: BlogModel.shared)
    try reader.addPersistentStore(type: .sqlite, at: url("one.sqlite"))
    let old = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    old.persistentStoreCoordinator = reader
    #expect(try old.performAndWait { try old.fetch(Post.all()).map(\.title) } == ["Two"])
    error(NSPersistentStoreOperationError) {
      try coordinator.migratePersistentStore(copy, to: url("one.sqlite"), type: .sqlite)
    }
    error(NSPersistentStoreOperationError) {
      try coordinator.migratePersistentStore(store, to: url("three.sqlite"), type: .sqlite)
    }
    #expect(coordinator.persistentStores == [copy])
  }

  @Test(
    "[stores-8] [stores-10] a moved store continues at its new URL; a deleted one fails"
  )
  func movedStoreContinuesAtItsNewURL() throws {
    let store = try add("one.sqlite")
    let context = context()
    try context.performAndWait { _ = try insert("One", context) }
    // Files that an app removes or copies together with a database.
    for suffix in ["-wal", "-shm"] {
      try Data([1]).write(to: url("one.sqlite" + suffix))
      try FileManager.default.removeItem(at: url("one.sqlite" + suffix))
    }
    #expect(!coordinator.setURL(url("two.sqlite"), for: store))
    try FileManager.default.moveItem(at: url("one.sqlite"), to: url("two.sqlite"))
    try context.performAndWait {
      let post = Post(context: context)
      post.title = "Two"
      error(NSPersistentStoreOpenError) { try context.save() }
      #expect(coordinator.setURL(url("two.sqlite"), for: store))
      try context.save()
      #expect(try context.count(for: Post.all()) == 2)
    }
    #expect(coordinator.url(for: store).path == url("two.sqlite").path)
    #expect(!FileManager.default.fileExists(atPath: url("one.sqlite").path))
    try FileManager.default.removeItem(at: url("two.sqlite"))
    context.performAndWait {
      _ = Post(context: context)
      error(NSPersistentStoreOpenError) { try context.save() }
    }
    try coordinator.remove(store)
    #expect(try add("two.sqlite").identifier != store.identifier)
  }

  @Test("[stores-9] adding and removing stores post notifications")
  func addingAndRemovingStoresPostNotifications() throws {
    let box = Mutex(UncheckedBox<[(name: Notification.Name, info: [AnyHashable: Any])]>([]))
    let names: [Notification.Name] = [
      .NSPersistentStoreCoordinatorStoresDidChange, .NSPersistentStoreCoordinatorWillRemoveStore,
    ]
    let store = try add("one.sqlite")
    let tokens = zip(names, [coordinator, store]).map { name, object in
      NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) {
        let new = UncheckedBox(($0.name, $0.userInfo ?? [:]))
        box.withLock { $0 = UncheckedBox($0.value + [new.value]) }
      }
    }
    defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
    let second = try add("two.sqlite")
    try coordinator.remove(store)
    error(NSPersistentStoreOperationError) { try coordinator.remove(store) }
    let notices = box.withLock { $0 }.value
    try #require(notices.map(\.name) == [names[0], names[1], names[0]])
    #expect(notices[0].info[NSAddedPersistentStoresKey] as? [NSPersistentStore] == [second])
    #expect(notices[2].info[NSRemovedPersistentStoresKey] as? [NSPersistentStore] == [store])
    #expect(notices[2].info[NSAddedPersistentStoresKey] == nil)
  }

  @Test("[stores-12] changing a fixed property or an invalid assignment stops the process")
  func changingAFixedPropertyOrAnInvalid() async {
    await #expect(processExitsWith: .failure) {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: BlogModel.shared)
      let store = try coordinator.addPersistentStore(
        ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
      store.isReadOnly = true
    }
    await #expect(processExitsWith: .failure) {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: BlogModel.shared)
      let store = try coordinator.addPersistentStore(
        ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
      store.metadata = ["a": NSObject()]
    }
    await #expect(processExitsWith: .failure) {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: BlogModel.shared)
      let store = try coordinator.addPersistentStore(
        ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: BlogModel.shared)
      context.performAndWait { context.assign(Post(context: context), to: store) }
    }
  }
}

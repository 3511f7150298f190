import CoreData
import Foundation
import Testing

@Suite("Batch insertions")
struct BatchInsertTests {
  private let blog: Blog
  private let context: NSManagedObjectContext

  init() throws {
    blog = try Blog()
    context = blog.context()
    context.transactionAuthor = "importer"
    context.name = "batch"
  }

  private func posts() throws -> [Post] {
    let request = Post.all()
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    return try context.fetch(request)
  }

  @Test("[request-insert-1] [request-insert-2] dictionaries have values and defaults; each type of result")
  func dictionariesHaveValuesAndDefaults() throws {
    try context.performAndWait {
      let id = UUID()
      let request = NSBatchInsertRequest(
        entityName: "Post",
        objects: [
          ["title": "One", "views": 3, "identifier": id, "price": Decimal(string: "1.25") as Any],
          ["title": "Two", "isDraft": false, "rating": NSNull(), "image": Data(repeating: 7, count: 200_000)],
        ])
      #expect(request.entity == nil)
      #expect(request.entityName == "Post")
      #expect(request.requestType == .batchInsertRequestType)
      let status = try #require(try context.execute(request) as? NSBatchInsertResult)
      #expect(status.resultType == .statusOnly)
      #expect(status.result as? Bool == true)
      #expect(request.entity?.name == "Post")
      let found = try posts()
      #expect(found.map(\.title) == ["One", "Two"])
      #expect(found.map(\.views) == [3, 0])
      #expect(found.map(\.isDraft) == [true, false])
      #expect(found[0].identifier == id)
      #expect(found[0].price == NSDecimalNumber(string: "1.25"))
      #expect(found[1].image == Data(repeating: 7, count: 200_000))
      request.resultType = .count
      let count = try #require(try context.execute(request) as? NSBatchInsertResult)
      #expect(count.result as? Int == 2)
      request.resultType = .objectIDs
      request.objectsToInsert = [["title": "Three"]]
      let ids = try #require(try (context.execute(request) as? NSBatchInsertResult)?.result as? [NSManagedObjectID])
      let third = try context.existingObject(with: ids[0]) as? Post
      #expect(ids.count == 1)
      #expect(third?.title == "Three")
      // [request-insert-2] A required attribute without a value.
      let tags = NSBatchInsertRequest(entityName: "Tag", objects: [[:]])
      try context.execute(tags)
      #expect(try context.fetch(Tag.all()).map(\.name) == [nil])
    }
  }

  @Test("[request-insert-1] a request calls its block once for each object")
  func requestCallsItsBlockOnce() throws {
    try context.performAndWait {
      var calls = 0
      let request = NSBatchInsertRequest(entityName: "Post") { (dictionary: NSMutableDictionary) in
        calls += 1
        #expect(dictionary.count == 0)
        dictionary["title"] = "P\(calls)"
        return calls == 4
      }
      request.resultType = .count
      #expect(try (context.execute(request) as? NSBatchInsertResult)?.result as? Int == 3)
      #expect(calls == 4)
      #expect(try posts().map(\.title) == ["P1", "P2", "P3"])
      var rest = ["Q1", "Q2"]
      let entity = try #require(BlogModel.shared.entitiesByName["Post"])
      let objects = NSBatchInsertRequest(entity: entity) { (object: NSManagedObject) in
        guard let post = object as? Post, !rest.isEmpty else { return true }
        #expect(post.title == nil)
        #expect(post.isDraft)
        #expect(post.managedObjectContext == nil)
        post.title = rest.removeFirst()
        return false
      }
      try context.execute(objects)
      #expect(try posts().map(\.title) == ["P1", "P2", "P3", "Q1", "Q2"])
      #expect(!context.hasChanges)
    }
  }

  @Test("[request-insert-3] relationships and unknown keys are refused, and no object is inserted")
  func relationshipsAndUnknownKeysAreRefused() throws {
    try context.performAndWait {
      let ann = Person(context: context)
      try context.save()
      for wrong in ["author": ann as Any, "typo": 1] as [String: Any] {
        let request = NSBatchInsertRequest(
          entityName: "Post", objects: [["title": "One"], [wrong.key: wrong.value]])
        let error = #expect(throws: NSError.self) { try context.execute(request) }
        #expect(error?.localizedFailureReason?.contains("'\(wrong.key)' of the entity 'Post'") == true)
      }
      let request = NSBatchInsertRequest(entityName: "Post") { (object: NSManagedObject) in
        (object as? Post)?.author = ann
        return false
      }
      #expect(throws: NSError.self) { try context.execute(request) }
      #expect(ann.written?.count == 0)
      #expect(try context.count(for: Post.all()) == 0)
    }
  }

  @Test("[request-any-3] a batch is one transaction; contexts see it only after a merge of its result")
  func batchIsOneTransaction() throws {
    let other = blog.context()
    other.automaticallyMergesChangesFromParent = true
    try context.performAndWait {
      let objects: [[String: Any]] = (0..<2_500).map { ["title": "\($0)"] }
      let request = NSBatchInsertRequest(entityName: "Post", objects: objects)
      request.resultType = .objectIDs
      let ids = try #require(try (context.execute(request) as? NSBatchInsertResult)?.result as? [NSManagedObjectID])
      #expect(ids.count == 2_500)
      let history = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
      let result = try context.execute(history) as? NSPersistentHistoryResult
      let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
      #expect(transactions.map(\.author) == ["importer"])
      #expect(transactions[0].contextName == "batch")
      #expect(transactions[0].changes?.map(\.changedObjectID) == ids)
      #expect(transactions[0].changes?.allSatisfy { $0.changeType == .insert } == true)
      other.performAndWait { #expect(other.registeredObjects.isEmpty) }
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSInsertedObjectsKey: ids], into: [other])
      #expect(try other.performAndWait { try other.count(for: Post.all()) } == 2_500)
    }
  }

  @Test("[request-insert-3] a value of another type than its attribute's is an error, and no object is inserted")
  func wrongTypes() throws {
    let wrong: [[String: Any]] = [["title": 1], ["date": "today"], ["views": "many"], ["image": 3]]
    try context.performAndWait { () throws in
      for values in wrong {
        let request = NSBatchInsertRequest(entityName: "Post", objects: [["title": "fine"], values])
        let error = #expect(throws: NSError.self, "\(values)") { try context.execute(request) }
        #expect(error?.domain == NSCocoaErrorDomain)
        #expect(error?.code == NSCoreDataError)
        #expect(
          error?.localizedFailureReason?.hasPrefix("Unacceptable type of value for attribute: property = ") == true)
      }
      var isFirst = true
      let request = NSBatchInsertRequest(entityName: "Post") { (values: NSMutableDictionary) in
        defer { isFirst = false }
        values["title"] = 7
        return !isFirst
      }
      #expect(throws: NSError.self) { try context.execute(request) }
      #expect(try context.count(for: Post.all()) == 0)
    }
  }

  @Test("[request-any-3] a child's batches have the transaction author and context name of its topmost parent")
  func ofChild() throws {
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = context
    child.transactionAuthor = "child"
    child.name = "scratch"
    try child.performAndWait {
      _ = try child.execute(NSBatchInsertRequest(entityName: "Post", objects: [["title": "a"]]))
      let update = NSBatchUpdateRequest(entityName: "Post")
      update.propertiesToUpdate = ["title": "b"]
      _ = try child.execute(update)
      _ = try child.execute(NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Post")))
    }
    try context.performAndWait {
      let history = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
      let result = try context.execute(history) as? NSPersistentHistoryResult
      let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
      #expect(transactions.map(\.author) == ["importer", "importer", "importer"])
      #expect(transactions.map(\.contextName) == ["batch", "batch", "batch"])
    }
  }

  @Test("[request-any-3] a batch insertion posts a remote change")
  func batchInsertionPostsARemoteChange() async throws {
    let blog = try Blog(options: [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true])
    var iterator = RemoteChange.stream(of: blog.container).makeAsyncIterator()
    let context = blog.context()
    try await context.perform {
      _ = try context.execute(NSBatchInsertRequest(entityName: "Post", objects: [[:]]))
    }
    let change = try #require(await iterator.next())
    #expect(change.info[NSStoreUUIDKey] as? String == blog.store.identifier)
  }

  @Test("[request-any-2] stores at /dev/null execute batches, stores in memory refuse them")
  func storesAtDevNullExecuteBatchesStores() throws {
    for (url, type) in [("/dev/null", NSSQLiteStoreType), ("/tmp/none", NSInMemoryStoreType)] {
      let container = NSPersistentContainer(name: "Blog", managedObjectModel: BlogModel.shared)
      container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: url)
      container.persistentStoreDescriptions[0].type = type
      container.loadPersistentStores { #expect($1 == nil) }
      let context = container.newBackgroundContext()
      try context.performAndWait {
        let request = NSBatchInsertRequest(entityName: "Post", objects: [["title": "One"]])
        if type == NSSQLiteStoreType {
          try context.execute(request)
          #expect(try context.count(for: Post.all()) == 1)
        } else {
          let error = #expect(throws: NSError.self) { try context.execute(request) }
          #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
        }
      }
    }
  }
}

import CoreData
import Foundation
import Testing

@Suite("Types of requests and results")
struct RequestKindTests {
  private let blog: Blog
  private let context: NSManagedObjectContext

  init() throws {
    blog = try Blog()
    context = blog.context()
  }

  private func titles() throws -> [String?] {
    let request = Post.all()
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    return try context.fetch(request).map(\.title)
  }

  @Test("[request-any-1] a request has its type, and its result has the matching type")
  func requestHasItsTypeAndItsResult() throws {
    let objects = NSFetchRequest<any NSFetchRequestResult>(entityName: "Post")
    let requests: [NSPersistentStoreRequest] = [
      objects, NSBatchInsertRequest(entityName: "Post", objects: [["title": "One"]]),
      NSBatchUpdateRequest(entityName: "Post"),
      NSBatchDeleteRequest(fetchRequest: objects),
    ]
    #expect(
      requests.map(\.requestType) == [
        .fetchRequestType, .batchInsertRequestType, .batchUpdateRequestType, .batchDeleteRequestType,
      ])
    (requests[2] as? NSBatchUpdateRequest)?.propertiesToUpdate = ["views": 3]
    let results: [NSPersistentStoreResult] = try context.performAndWait { try requests.map { try context.execute($0) } }
    #expect(results[0] is NSAsynchronousFetchResult<any NSFetchRequestResult>)
    #expect((results[1] as? NSBatchInsertResult)?.result as? Bool == true)
    #expect((results[2] as? NSBatchUpdateResult)?.result as? Bool == true)
    #expect((results[3] as? NSBatchDeleteResult)?.result as? Bool == true)
    #expect(try context.performAndWait { try titles() } == [])
  }

  @Test("[request-any-5] a copy of a request is a separate object with the same settings")
  func copyOfARequestIsASeparate() throws {
    let stores = [blog.store]
    func copy<Request: NSPersistentStoreRequest>(_ request: Request) throws -> Request {
      request.affectedStores = stores
      let copy = try #require(request.copy() as? Request)
      #expect(copy !== request)
      #expect(copy.affectedStores == stores)
      #expect(copy.requestType == request.requestType)
      return copy
    }
    _ = try copy(NSPersistentStoreRequest())
    let update = NSBatchUpdateRequest(entityName: "Post")
    update.predicate = NSPredicate(format: "title == 'A'")
    update.includesSubentities = false
    update.propertiesToUpdate = ["title": "B"]
    update.resultType = .updatedObjectsCountResultType
    let updateCopy = try copy(update)
    #expect(updateCopy.predicate == update.predicate)
    #expect(!updateCopy.includesSubentities)
    #expect(updateCopy.propertiesToUpdate as? [String: String] == ["title": "B"])
    let insert = NSBatchInsertRequest(entityName: "Post", objects: [["title": "A"], ["title": "C"]])
    insert.resultType = .count
    let insertCopy = try copy(insert)
    insert.objectsToInsert = []
    let objects = NSFetchRequest<any NSFetchRequestResult>(entityName: "Post")
    objects.predicate = NSPredicate(format: "title == 'C'")
    let delete = NSBatchDeleteRequest(fetchRequest: objects)
    delete.resultType = .resultTypeCount
    let deleteCopy = try copy(delete)
    let save = try copy(NSSaveChangesRequest(inserted: [], updated: nil, deleted: nil, locked: []))
    #expect(save.insertedObjects == [])
    #expect(save.updatedObjects == nil)
    #expect(save.lockedObjects == [])
    let asynchronous = NSAsynchronousFetchRequest(fetchRequest: objects) { _ in }
    asynchronous.estimatedResultCount = 4
    let asynchronousCopy = try copy(asynchronous)
    #expect(asynchronousCopy.fetchRequest === objects)
    #expect(asynchronousCopy.estimatedResultCount == 4)
    #expect(asynchronousCopy.completionBlock != nil)
    let history = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
    history.resultType = .count
    let historyCopy = try copy(history)
    let events = NSPersistentCloudKitContainerEventRequest.fetchEvents(after: Date.distantPast)
    events.resultType = .countEvents
    #expect(try copy(events).resultType == .countEvents)
    try context.performAndWait {
      #expect((try context.execute(insertCopy) as? NSBatchInsertResult)?.result as? Int == 2)
      #expect((try context.execute(updateCopy) as? NSBatchUpdateResult)?.result as? Int == 1)
      #expect(try titles() == ["B", "C"])
      #expect((try context.execute(deleteCopy) as? NSBatchDeleteResult)?.result as? Int == 1)
      let named = NSBatchDeleteRequest(objectIDs: try context.fetch(Post.all()).map(\.objectID))
      try context.execute(try copy(named))
      #expect(try titles() == [])
      #expect((try context.execute(historyCopy) as? NSPersistentHistoryResult)?.result as? Int == 5)
    }
  }

  private final class Own: NSPersistentStoreRequest {}

  @Test("[request-any-5] copying a program's own request without an implementation stops the process")
  func ownCopies() async {
    await #expect(processExitsWith: .failure) { _ = Own().copy() }
  }

  @Test(
    "[request-insert-1] the objects come from the current block or dictionaries of the request")
  func objectsComeFromTheCurrentBlock() throws {
    let entity = try #require(BlogModel.shared.entitiesByName["Post"])
    try context.performAndWait {
      let request = NSBatchInsertRequest(entity: entity, objects: [["title": "A"]])
      #expect(request.entity === entity)
      #expect(request.entityName == "Post")
      #expect(request.dictionaryHandler == nil)
      try context.execute(request)
      var rest = ["B", "C"]
      let blocks = NSBatchInsertRequest(entity: entity) { (dictionary: NSMutableDictionary) in
        guard let title = rest.popLast() else { return true }
        dictionary["title"] = title
        return false
      }
      #expect(blocks.objectsToInsert == nil)
      #expect(blocks.managedObjectHandler == nil)
      try context.execute(blocks)
      #expect(try titles() == ["A", "B", "C"])
      var isDone = false
      blocks.dictionaryHandler = { dictionary in
        defer { isDone = true }
        dictionary["title"] = "D"
        return isDone
      }
      try context.execute(blocks)
      #expect(try titles() == ["A", "B", "C", "D"])
    }
  }

  @available(*, deprecated)
  @Test("[request-insert-1] a request made without an entity has no entity name")
  func requestMadeWithoutAnEntity() async {
    #expect(NSBatchInsertRequest().entityName == "")
    #expect(NSBatchInsertRequest().objectsToInsert?.isEmpty == true)
    await #expect(processExitsWith: .failure) {
      let tests = try RequestKindTests()
      try tests.context.performAndWait { _ = try tests.context.execute(NSBatchInsertRequest()) }
    }
  }

  @Test("[request-async-1] an asynchronous request has its fetch request and its completion block")
  func asynchronousRequestHasItsFetchRequest() async throws {
    let context = context
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Post")
    let silent = NSAsynchronousFetchRequest(fetchRequest: fetch)
    #expect(silent.fetchRequest === fetch)
    #expect(silent.completionBlock == nil)
    try await context.perform { () throws in
      Post(context: context).title = "One"
      try context.save()
      var found: [Int?] = []
      let request = NSAsynchronousFetchRequest(fetchRequest: fetch) { found.append($0.finalResult?.count) }
      let block: NSPersistentStoreAsynchronousFetchResultCompletionBlock = try #require(request.completionBlock)
      let result = try #require(
        try context.execute(request) as? NSAsynchronousFetchResult<any NSFetchRequestResult>)
      block(result)
      // The context's queue is occupied by this block: nothing has been fetched yet.
      #expect(found == [nil])
    }
  }
}

import CoreData
import Foundation
import Testing

@Suite("History requests")
struct HistoryRequestTests {
  private let blog: Blog
  private let context: NSManagedObjectContext

  /// Three transactions: the first inserts a post and a person, the second changes the post, the third deletes the
  /// person.
  init() throws {
    blog = try Blog()
    let context = blog.context()
    self.context = context
    try context.performAndWait {
      context.transactionAuthor = "one"
      let (post, ann) = (Post(context: context), Person(context: context))
      try context.save()
      context.transactionAuthor = "two"
      post.title = "changed"
      try context.save()
      context.transactionAuthor = "three"
      context.delete(ann)
      try context.save()
    }
  }

  private func run(_ request: NSPersistentHistoryChangeRequest) throws -> Any? {
    let result = try #require(try context.execute(request) as? NSPersistentHistoryResult)
    #expect(result.resultType == request.resultType)
    return result.result
  }

  private func all(_ type: NSPersistentHistoryResultType) throws -> Any? {
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
    request.resultType = type
    return try run(request)
  }

  @Test("[object-history-4] a request returns each type of result")
  func requestReturnsEachTypeOfResult() throws {
    try context.performAndWait {
      #expect(try all(.statusOnly) as? Bool == true)
      #expect(try all(.count) as? Int == 4)
      let ids = try #require(try all(.objectIDs) as? [NSManagedObjectID])
      #expect(ids.map(\.entity.name).sorted { $0 ?? "" < $1 ?? "" } == ["Person", "Person", "Post", "Post"])
      let bare = try #require(try all(.transactionsOnly) as? [NSPersistentHistoryTransaction])
      #expect(bare.map(\.author) == ["one", "two", "three"])
      #expect(bare.allSatisfy { $0.changes == nil })
      let full = try #require(try all(.transactionsAndChanges) as? [NSPersistentHistoryTransaction])
      #expect(full.map { $0.changes?.count } == [2, 1, 1])
      #expect(
        full.allSatisfy { transaction in transaction.changes?.allSatisfy { $0.transaction === transaction } == true })
      let changes = try #require(try all(.changesOnly) as? [NSPersistentHistoryChange])
      #expect(changes.map(\.changeType) == [.insert, .insert, .update, .delete])
      #expect(changes.map { $0.transaction?.author } == ["one", "one", "two", "three"])
      #expect(changes[0].transaction === changes[1].transaction)
      #expect(changes[0].transaction?.changes == nil)
    }
  }

  @Test("[object-history-5] a request for transactions honours predicate, order and limits")
  func requestForTransactionsHonoursPredicateOrder() throws {
    try context.performAndWait {
      let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
      fetch.predicate = NSPredicate(format: "author IN %@", ["one", "three"])
      fetch.sortDescriptors = [NSSortDescriptor(key: "transactionNumber", ascending: false)]
      let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
      #expect((try run(request) as? [NSPersistentHistoryTransaction])?.map(\.author) == ["three", "one"])
      fetch.fetchOffset = 1
      fetch.fetchLimit = 1
      #expect((try run(request) as? [NSPersistentHistoryTransaction])?.map(\.author) == ["one"])
      request.resultType = .changesOnly
      #expect((try run(request) as? [NSPersistentHistoryChange])?.count == 2)
      let entity = try #require(NSPersistentHistoryTransaction.entityDescription(with: context))
      let own = NSFetchRequest<any NSFetchRequestResult>()
      own.entity = entity
      own.predicate = NSPredicate(format: "author == 'two'")
      #expect((try run(.fetchHistory(withFetch: own)) as? [NSPersistentHistoryTransaction])?.count == 1)
    }
  }

  @Test("[predicate-7] transactions without an author match only the comparison with nil")
  func withoutAuthor() throws {
    try context.performAndWait {
      context.transactionAuthor = nil
      Post(context: context).title = "of nobody"
      try context.save()
      let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
      func authors(_ format: String) throws -> [String?]? {
        fetch.predicate = NSPredicate(format: format)
        return (try run(.fetchHistory(withFetch: fetch)) as? [NSPersistentHistoryTransaction])?.map(\.author)
      }
      #expect(try authors("author != 'one'") == ["two", "three"])
      #expect(try authors("NOT author IN {'one', 'two'}") == ["three"])
      #expect(try authors("author == nil") == [nil])
      #expect(try authors("author == nil OR author != 'one'") == ["two", "three", nil])
    }
  }

  @Test("[object-history-5] a request for changes omits other changes, and transactions without any")
  func requestForChangesOmitsOtherChanges() throws {
    try context.performAndWait {
      let fetch = try #require(NSPersistentHistoryChange.fetchRequest)
      let full = try #require(try all(.transactionsAndChanges) as? [NSPersistentHistoryTransaction])
      let updated = try #require(full[1].changes?.first).changedObjectID
      func authors(_ predicate: NSPredicate) throws -> [String?] {
        fetch.predicate = predicate
        let found = try run(.fetchHistory(withFetch: fetch)) as? [NSPersistentHistoryTransaction]
        #expect(found?.allSatisfy { $0.changes?.count == 1 } == true)
        return found?.map(\.author) ?? []
      }
      #expect(try authors(NSPredicate(format: "changedObjectID == %@", updated)) == ["one", "two"])
      let deletes = NSPredicate(format: "changeType == %d", NSPersistentHistoryChangeType.delete.rawValue)
      #expect(try authors(deletes) == ["three"])
      #expect(try authors(NSPredicate(format: "changedEntity.name == 'Post'")) == ["one", "two"])
      #expect(
        try authors(NSPredicate(format: "changedEntity == %@ AND transaction.author != 'one'", updated.entity))
          == ["two"])
      fetch.predicate = deletes
      let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
      request.resultType = .transactionsOnly
      let bare = try run(request) as? [NSPersistentHistoryTransaction]
      #expect(bare?.map(\.author) == ["three"])
      #expect(bare?.first?.changes == nil)
      request.resultType = .count
      #expect(try run(request) as? Int == 1)
    }
  }

  @Test("[object-history-6] a token has the position in each store; one store can be queried")
  func tokenHasThePositionInEachStore() throws {
    let second = try context.persistentStoreCoordinator?.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil,
      at: URL(fileURLWithPath: blog.folder.path).appendingPathComponent("second.sqlite"),
      options: [NSPersistentHistoryTrackingKey: true])
    let other = try #require(second)
    try context.performAndWait {
      let coordinator = try #require(context.persistentStoreCoordinator)
      let token = try #require(coordinator.currentPersistentHistoryToken(fromStores: nil))
      let first = try #require(coordinator.currentPersistentHistoryToken(fromStores: [blog.store]))
      #expect(token != first)
      for store in [blog.store, other] {
        context.assign(Post(context: context), to: store)
        context.transactionAuthor = store === other ? "second" : "first"
        try context.save()
      }
      func authors(_ token: NSPersistentHistoryToken, _ stores: [NSPersistentStore]? = nil) throws -> [String?] {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        request.affectedStores = stores
        return (try run(request) as? [NSPersistentHistoryTransaction])?.map(\.author) ?? []
      }
      #expect(try authors(token) == ["first", "second"])
      #expect(try authors(token, [other]) == ["second"] && authors(first, [blog.store]) == ["first"])
      let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
      let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
      #expect(try authors(#require(read)) == ["first", "second"])
      let deletion = NSPersistentHistoryChangeRequest.deleteHistory(
        before: coordinator.currentPersistentHistoryToken(fromStores: [blog.store]))
      #expect(try run(deletion) as? Bool == true)
      let rest = try run(.fetchHistory(after: nil as NSPersistentHistoryToken?)) as? [NSPersistentHistoryTransaction]
      #expect(rest?.map(\.author) == ["second"])
    }
  }

  @Test("[coredata-history-5] a deletion by a context or a batch leaves a tombstone with preserved values")
  func deletionByAContextOrABatch() throws {
    let (model, note) = (NSManagedObjectModel(), NSEntityDescription())
    note.name = "Note"
    let (id, text) = (BlogModel.attribute("id", .uuid), BlogModel.attribute("text", .string))
    id.preservesValueInHistoryOnDeletion = true
    note.properties = [id, text]
    model.entities = [note]
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
    container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: "/dev/null")
    container.persistentStoreDescriptions[0].setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    container.loadPersistentStores { #expect($1 == nil) }
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let ids = [UUID(), UUID()]
      let notes = ids.map { id in
        let object = NSManagedObject(entity: note, insertInto: context)
        object.setValue(id, forKey: "id")
        object.setValue("text", forKey: "text")
        return object
      }
      _ = NSManagedObject(entity: note, insertInto: context)
      try context.save()
      context.delete(notes[0])
      try context.save()
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
      request.sortDescriptors = [NSSortDescriptor(key: "id", ascending: false)]
      try context.execute(NSBatchDeleteRequest(fetchRequest: request))
      let history = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
      history.resultType = .changesOnly
      let result = try context.execute(history) as? NSPersistentHistoryResult
      let deletions = (result?.result as? [NSPersistentHistoryChange])?.filter { $0.changeType == .delete } ?? []
      #expect(deletions.map { $0.tombstone?["id"] as? UUID } == [ids[0], ids[1], nil])
      #expect(deletions.map { $0.tombstone?.count } == [1, 1, nil])
    }
  }

  @Test("[coredata-history-4] the history before a date or a transaction is deleted")
  func historyBeforeADateOrATransaction() throws {
    try context.performAndWait {
      let full = try #require(try all(.transactionsOnly) as? [NSPersistentHistoryTransaction])
      _ = try run(.deleteHistory(before: full[1] as NSPersistentHistoryTransaction?))
      #expect((try all(.transactionsOnly) as? [NSPersistentHistoryTransaction])?.map(\.author) == ["two", "three"])
      _ = try run(.deleteHistory(before: Date.distantPast))
      _ = try run(.deleteHistory(before: nil as NSPersistentHistoryToken?))
      #expect((try all(.transactionsOnly) as? [NSPersistentHistoryTransaction])?.count == 2)
      _ = try run(.deleteHistory(before: Date(timeIntervalSinceNow: 1000)))
      #expect((try all(.transactionsOnly) as? [NSPersistentHistoryTransaction])?.isEmpty == true)
      let error = #expect(throws: NSError.self) { try run(.fetchHistory(after: full[1].token)) }
      #expect(error?.code == NSPersistentHistoryTokenExpiredError)
    }
  }
}

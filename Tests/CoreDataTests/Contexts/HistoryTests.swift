import CoreData
import Foundation
import Testing

@Suite("Persistent history and remote change notifications")
struct ContextHistoryTests {
  private let blog: Blog
  private let context: NSManagedObjectContext

  init() throws {
    blog = try Blog(options: [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true])
    context = blog.context()
    context.transactionAuthor = "app"
    context.name = "editor"
  }

  private func transactions(after token: NSPersistentHistoryToken?) throws -> [NSPersistentHistoryTransaction] {
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
    let result = try context.execute(request) as? NSPersistentHistoryResult
    return try #require(result?.result as? [NSPersistentHistoryTransaction])
  }

  @Test("[object-history-1] a transaction is later than each moment before its save, also within a millisecond")
  func transactionIsLaterThanEachMoment() throws {
    try context.performAndWait {
      for number in 0..<20 {
        let before = Date()
        Post(context: context).views = Int64(number)
        try context.save()
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: before)
        let result = try context.execute(request) as? NSPersistentHistoryResult
        let found = try #require(result?.result as? [NSPersistentHistoryTransaction])
        #expect(found.count == 1 && found[0].timestamp > before && found[0].timestamp <= Date())
        let later = NSPersistentHistoryChangeRequest.fetchHistory(after: try #require(found.first).timestamp)
        let none = try context.execute(later) as? NSPersistentHistoryResult
        #expect((none?.result as? [NSPersistentHistoryTransaction])?.isEmpty == true)
      }
    }
  }

  @Test("[object-history-1] each save is a transaction; [object-history-2] a request reads those after a token")
  func eachSaveIsATransaction() throws {
    try context.performAndWait {
      let post = Post(context: context)
      post.title = "One"
      try context.save()
      let first = try transactions(after: nil)
      #expect(first.count == 1 && first[0].author == "app" && first[0].contextName == "editor")
      #expect(first[0].changes?.map(\.changeType) == [.insert])
      #expect(first[0].changes?[0].changedObjectID == post.objectID)
      #expect(first[0].storeID == blog.store.identifier)
      #expect(abs(first[0].timestamp.timeIntervalSinceNow) < 60)
      let token = first[0].token
      #expect(try transactions(after: token).isEmpty)
      post.title = "Two"
      post.views = 3
      context.transactionAuthor = "other"
      try context.save()
      context.delete(post)
      try context.save()
      let later = try transactions(after: token)
      #expect(later.map(\.author) == ["other", "other"])
      #expect(later[0].changes?[0].updatedProperties.map { Set($0.map(\.name)) } == ["title", "views"])
      #expect(later[1].changes?.map(\.changeType) == [.delete])
      #expect(
        context.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil) == later[1].token)
      let archived = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
      let unarchived = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: archived)
      #expect(try transactions(after: unarchived).count == 2)
      let filtered = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
      let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
      fetch.predicate = NSPredicate(format: "author != %@", "app")
      filtered.fetchRequest = fetch
      let result = try context.execute(filtered) as? NSPersistentHistoryResult
      #expect((result?.result as? [NSPersistentHistoryTransaction])?.count == 2)
    }
  }

  @Test("[object-history-2] a token before purged history has expired")
  func tokenBeforePurgedHistoryHasExpired() throws {
    try context.performAndWait {
      for number in 0..<3 {
        Post(context: context).views = Int64(number)
        try context.save()
      }
      let all = try transactions(after: nil)
      try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: all[1].token))
      #expect(try transactions(after: all[1].token).count == 1)
      let error = #expect(throws: NSError.self) { try transactions(after: all[0].token) }
      #expect(error?.domain == NSCocoaErrorDomain)
      #expect(error?.code == NSPersistentHistoryTokenExpiredError)
      let rest = try transactions(after: nil)
      #expect(rest.map(\.token) == [all[2].token])
      #expect(try context.count(for: Post.all()) == 3)
    }
  }

  @Test("a context merges a transaction's notification")
  func contextMergesATransactionsNotification() throws {
    let other = blog.context()
    try context.performAndWait {
      let post = Post(context: context)
      post.title = "One"
      try context.save()
      let copy = try #require(try other.existingObject(with: post.objectID) as? Post)
      post.title = "Two"
      try context.save()
      for transaction in try transactions(after: nil) {
        other.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
      }
      #expect(copy.title == "Two")
    }
  }

  @Test("[object-history-3] each save posts a remote change, also one of another coordinator")
  func eachSavePostsARemoteChange() async throws {
    var iterator = RemoteChange.stream(of: blog.container).makeAsyncIterator()
    let context = context
    try await context.perform {
      _ = Post(context: context)
      try context.save()
    }
    let first = try #require(await iterator.next())
    #expect(first.info[NSStoreUUIDKey] as? String == blog.store.identifier)
    #expect(first.info[NSPersistentStoreURLKey] as? URL == blog.url)
    let token = try #require(first.info[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken)
    #expect(try context.performAndWait { try transactions(after: token).isEmpty })
    // Another coordinator stands for another process.
    let second = try Blog(blog.folder)
    let foreign = second.context()
    try await foreign.perform {
      Post(context: foreign).title = "Foreign"
      try foreign.save()
    }
    _ = try #require(await iterator.next())
    #expect(try context.performAndWait { try transactions(after: token).count } == 1)
  }
}

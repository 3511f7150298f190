import CoreData
import Foundation
import Testing

@Suite("Temporary stores")
struct MemoryStoreTests {
  private func container(_ type: String, _ url: URL?) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Blog", managedObjectModel: BlogModel.shared)
    let description = NSPersistentStoreDescription()
    description.type = type
    description.url = url
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    return container
  }

  private static let kinds: [(String, URL?)] = [
    (NSInMemoryStoreType, nil), (NSSQLiteStoreType, URL(fileURLWithPath: "/dev/null")),
  ]

  // [object-memory-1]
  @Test("each temporary store is empty at first and separate from others of the same model", arguments: [0, 1])
  func eachTemporaryStoreIsEmptyAtFirst(_ kind: Int) throws {
    let (type, url) = Self.kinds[kind]
    let containers = try (0..<3).map { _ in try container(type, url) }
    for (number, container) in containers.enumerated() {
      let context = container.newBackgroundContext()
      try context.performAndWait {
        #expect(try context.count(for: Post.all()) == 0)
        for _ in 0...number { _ = Post(context: context) }
        try context.save()
      }
    }
    for (number, container) in containers.enumerated() {
      #expect(try container.viewContext.count(for: Post.all()) == number + 1)
      let coordinator = container.persistentStoreCoordinator
      try coordinator.remove(try #require(coordinator.persistentStores.first))
      #expect(coordinator.persistentStores.isEmpty)
    }
    #expect(try container(type, url).viewContext.count(for: Post.all()) == 0)
  }

  // [object-memory-2]
  @Test("a store at /dev/null has a history")
  func storeAtDevNullHasAHistory() throws {
    let container = try container(NSSQLiteStoreType, URL(fileURLWithPath: "/dev/null"))
    let context = container.newBackgroundContext()
    context.transactionAuthor = "test"
    try context.performAndWait {
      let post = Post(context: context)
      try context.save()
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
      #expect(transactions.map(\.author) == ["test"])
      #expect(transactions[0].changes?.map(\.changedObjectID) == [post.objectID])
    }
  }
}

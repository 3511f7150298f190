import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite("Requests for events of the mirroring", .timeLimit(.minutes(2)))
struct EventRequestTests {
  private typealias Request = NSPersistentCloudKitContainerEventRequest

  @Test("[request-event-1] requests return or count events after a date or event; [request-event-2] after a relaunch")
  func requestsReturnOrCountEvents() async throws {
    let cloud = try TemporaryCloud()
    let blog = try CloudBlog("alice", "phone", in: cloud)
    await blog.drain()
    let context = blog.context()
    try await context.perform {
      _ = NSEntityDescription.insertNewObject(forEntityName: "Post", into: context)
      try context.save()
    }
    await blog.drain()
    // Later events are not part of this test.
    for (_, engine) in blog.container.engines { engine.stop() }
    let store = blog.privateStore
    try await context.perform {
      func run(_ request: Request) throws -> [NSPersistentCloudKitContainer.Event] {
        request.affectedStores = [store]
        let result = try #require(try context.execute(request) as? NSPersistentCloudKitContainerEventResult)
        #expect(result.resultType == .events)
        return try #require(result.result as? [NSPersistentCloudKitContainer.Event])
      }
      let all = try run(.fetchEvents(after: nil as NSPersistentCloudKitContainer.Event?))
      #expect(all.count >= 3)
      #expect(all.first?.type == .setup)
      #expect(all.contains { $0.type == .export && $0.succeeded })
      #expect(all.allSatisfy { $0.storeIdentifier == store.identifier && $0.endDate != nil })
      #expect(try run(.fetchEvents(after: all[1])) == Array(all[2...]))
      #expect(try run(.fetchEvents(after: Date.distantPast)) == all && run(.fetchEvents(after: Date())).isEmpty)
      let fetch = Request.fetchForEvents()
      fetch.predicate = NSPredicate(
        format: "type == %d AND succeeded == YES AND storeIdentifier == %@ AND endDate != nil",
        NSPersistentCloudKitContainer.EventType.export.rawValue, store.identifier ?? "")
      fetch.sortDescriptors = [NSSortDescriptor(key: "startDate", ascending: false)]
      let exports = try run(.fetchEvents(matchingFetch: fetch))
      #expect(exports.map(\.identifier) == all.filter { $0.type == .export }.reversed().map(\.identifier))
      fetch.fetchLimit = 1
      #expect(try run(.fetchEvents(matchingFetch: fetch)) == Array(exports.prefix(1)))
      let count = Request.fetchEvents(after: nil as NSPersistentCloudKitContainer.Event?)
      count.resultType = .countEvents
      count.affectedStores = [store]
      let counted = try context.execute(count) as? NSPersistentCloudKitContainerEventResult
      #expect(counted?.resultType == .countEvents)
      #expect(counted?.result as? Int == all.count)
      count.affectedStores = nil
      let both = try context.execute(count) as? NSPersistentCloudKitContainerEventResult
      #expect((both?.result as? Int ?? 0) > all.count)
      // Another launch reads the events from the store.
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: blog.container.managedObjectModel)
      let again = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: store.url,
        options: [NSReadOnlyPersistentStoreOption: true])
      let later = NSManagedObjectContext(.privateQueue)
      later.persistentStoreCoordinator = coordinator
      try later.performAndWait {
        let request = Request.fetchEvents(after: nil as NSPersistentCloudKitContainer.Event?)
        let found = try later.execute(request) as? NSPersistentCloudKitContainerEventResult
        #expect(found?.result as? [NSPersistentCloudKitContainer.Event] == all)
        #expect(again.identifier == store.identifier)
      }
    }
  }

  @Test("[request-event-1] a store that is not mirrored has no events")
  func storeThatIsNotMirrored() throws {
    let blog = try Blog()
    let context = blog.context()
    try context.performAndWait {
      let request = Request.fetchEvents(after: Date.distantPast)
      let result = try context.execute(request) as? NSPersistentCloudKitContainerEventResult
      #expect((result?.result as? [NSPersistentCloudKitContainer.Event])?.isEmpty == true)
    }
  }
}

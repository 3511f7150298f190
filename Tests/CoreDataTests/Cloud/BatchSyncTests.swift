import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite("Synchronisation of batch requests", .timeLimit(.minutes(2)))
struct BatchSyncTests {
  private func run(_ request: NSPersistentStoreRequest, on blog: CloudBlog) async throws {
    let context = blog.context()
    let request = UncheckedBox(request)
    try await context.perform { _ = try context.execute(request.value) }
    await blog.drain()
  }

  private func count(_ entity: String, _ blog: CloudBlog) async throws -> Int {
    let context = blog.context()
    return try await context.perform { try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity)) }
  }

  private func fetch(_ entity: String, _ predicate: NSPredicate) -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
    request.predicate = predicate
    return request
  }

  @Test("[request-any-3] another device receives the insertions, updates and deletions of batch requests")
  func anotherDeviceReceivesTheInsertionsUpdates() async throws {
    let cloud = try TemporaryCloud()
    let (phone, tablet) = (try CloudBlog("alice", "phone", in: cloud), try CloudBlog("alice", "tablet", in: cloud))
    try await run(
      NSBatchInsertRequest(entityName: "Post", objects: [["title": "One"], ["title": "Two"], ["title": "Three"]]),
      on: phone)
    await tablet.drain()
    #expect(try await tablet.titles() == ["One", "Three", "Two"])

    let update = NSBatchUpdateRequest(entityName: "Post")
    update.predicate = NSPredicate(format: "title != 'Two'")
    update.propertiesToUpdate = ["title": "changed", "location": "here"]
    try await run(update, on: tablet)
    await phone.drain()
    #expect(try await phone.titles() == ["Two", "changed", "changed"])

    let context = phone.context()
    try await context.perform {
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      for post in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Post")) {
        post.setValue(NSSet(object: tag), forKey: "tags")
        let attachment = NSEntityDescription.insertNewObject(forEntityName: "Attachment", into: context)
        attachment.setValue(post, forKey: "post")
      }
      try context.save()
    }
    await phone.drain()
    await tablet.drain()
    #expect(try await count("Attachment", tablet) == 3)
    try await run(
      NSBatchDeleteRequest(fetchRequest: fetch("Post", NSPredicate(format: "title == 'changed'"))), on: phone)
    await tablet.drain()
    #expect(try await tablet.titles() == ["Two"])
    #expect(try await count("Attachment", tablet) == 1)
    #expect(try await count("Tag", tablet) == 1)
    let reader = tablet.context()
    let members = try await reader.perform {
      let tag = try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).first
      return (tag?.value(forKey: "posts") as? NSSet)?.count
    }
    #expect(members == 1)
    try await run(NSBatchDeleteRequest(fetchRequest: fetch("Tag", NSPredicate(value: true))), on: tablet)
    await phone.drain()
    #expect(try await count("Tag", phone) == 0)
    #expect(try await count("Post", phone) == 1)
    #expect(try phone.privateStore.objects.check() == [] && tablet.privateStore.objects.check() == [])
  }
}

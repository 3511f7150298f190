import CoreData
import Foundation
import Testing

@Suite("Batch deletions")
struct BatchDeleteTests {
  private let blog: Blog
  private let context: NSManagedObjectContext

  init() throws {
    blog = try Blog()
    let context = blog.context()
    self.context = context
    try context.performAndWait {
      let ann = Person(context: context)
      ann.name = "Ann"
      let tag = Tag(context: context)
      tag.name = "t"
      for number in 0..<5 {
        let post = Post(context: context)
        post.title = "P\(number)"
        post.views = Int64(number)
        post.author = ann
        post.addToTags(tag)
        let attachment = Attachment(context: context)
        attachment.post = post
        Preview(context: context).attachment = attachment
      }
      try context.save()
      context.reset()
    }
  }

  private func count(_ entity: String) throws -> Int {
    try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
  }

  private func fetch(_ entity: String, _ predicate: NSPredicate? = nil) -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
    request.predicate = predicate
    return request
  }

  private func lastTransaction() throws -> NSPersistentHistoryTransaction? {
    let history = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
    let result = try context.execute(history) as? NSPersistentHistoryResult
    return (result?.result as? [NSPersistentHistoryTransaction])?.last
  }

  @Test("[request-delete-1] a deletion honours predicate, order, limit and offset, and has each type of result")
  func deletionHonoursPredicateOrderLimitAndOffset() throws {
    try context.performAndWait {
      let posts = try context.fetch(Post.all())
      let request = NSBatchDeleteRequest(fetchRequest: fetch("Post", NSPredicate(format: "views > 3")))
      #expect(request.requestType == .batchDeleteRequestType)
      let status = try #require(try context.execute(request) as? NSBatchDeleteResult)
      #expect(status.resultType == .resultTypeStatusOnly)
      #expect(status.result as? Bool == true)
      #expect(try count("Post") == 4)
      let page = fetch("Post")
      page.sortDescriptors = [NSSortDescriptor(key: "views", ascending: false)]
      page.fetchOffset = 1
      page.fetchLimit = 2
      let paged = NSBatchDeleteRequest(fetchRequest: page)
      // The request has a copy of the fetch request.
      page.fetchLimit = 0
      #expect(paged.fetchRequest.fetchLimit == 2)
      #expect(paged.fetchRequest !== page)
      paged.resultType = .resultTypeObjectIDs
      let ids = try (context.execute(paged) as? NSBatchDeleteResult)?.result as? [NSManagedObjectID]
      let byTitle = Dictionary(posts.map { ($0.title, $0.objectID) }) { first, _ in first }
      #expect(ids == ["P2", "P1"].compactMap { byTitle[$0] })
      #expect(ids?.count == 2)
      // [request-any-3]
      #expect(posts.filter { !$0.isDeleted && $0.managedObjectContext != nil }.count == 5)
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: ids ?? []], into: [context])
      #expect(posts.filter(\.isDeleted).count == 2)
      context.processPendingChanges()
      #expect(posts.filter { $0.managedObjectContext == nil }.count == 2)
      let rest = NSBatchDeleteRequest(fetchRequest: fetch("Post"))
      rest.resultType = .resultTypeCount
      #expect(try (context.execute(rest) as? NSBatchDeleteResult)?.result as? Int == 2)
      #expect(try (context.execute(rest) as? NSBatchDeleteResult)?.result as? Int == 0)
    }
  }

  @Test("[request-delete-1] a deletion by identities deletes the objects that exist")
  func deletionByIdentitiesDeletesTheObjects() throws {
    try context.performAndWait {
      let ids = try context.fetch(Post.all()).map(\.objectID)
      let request = NSBatchDeleteRequest(objectIDs: [ids[0], ids[1], ids[0]])
      request.resultType = .resultTypeCount
      #expect(request.fetchRequest.entity?.name == "Post")
      #expect(try (context.execute(request) as? NSBatchDeleteResult)?.result as? Int == 2)
      #expect(try (context.execute(request) as? NSBatchDeleteResult)?.result as? Int == 0)
      let none = NSBatchDeleteRequest(objectIDs: [])
      none.resultType = .resultTypeObjectIDs
      #expect(try (context.execute(none) as? NSBatchDeleteResult)?.result as? [NSManagedObjectID] == [])
      #expect(try count("Post") == 3)
    }
  }

  @Test("[request-delete-2] Cascade and Nullify apply, and the history has all changes")
  func cascadeAndNullifyApplyAndTheHistory() throws {
    try context.performAndWait {
      let request = NSBatchDeleteRequest(fetchRequest: fetch("Post", NSPredicate(format: "views < 2")))
      request.resultType = .resultTypeCount
      #expect(try (context.execute(request) as? NSBatchDeleteResult)?.result as? Int == 2)
      #expect(try count("Post") == 3 && count("Attachment") == 3 && count("Preview") == 3)
      let tag = try #require(try context.fetch(Tag.all()).first)
      let ann = try #require(try context.fetch(Person.all()).first)
      #expect(tag.posts?.count == 3)
      #expect(ann.written?.count == 3)
      let changes = try #require(try lastTransaction()?.changes)
      #expect(changes.filter { $0.changeType == .delete }.count == 6)
      let updates = changes.filter { $0.changeType == .update }
      #expect(Set(updates.map(\.changedObjectID)) == [tag.objectID, ann.objectID])
      #expect(Set(updates.flatMap { $0.updatedProperties ?? [] }.map(\.name)) == ["posts", "written"])
      // The other side of a to-one relationship.
      try context.execute(NSBatchDeleteRequest(fetchRequest: fetch("Attachment")))
      #expect(try count("Preview") == 0 && count("Post") == 3)
      try context.execute(NSBatchDeleteRequest(fetchRequest: fetch("Tag")))
      context.reset()
      let titles = try context.fetch(Post.all()).map { $0.tags?.count }
      #expect(titles == [0, 0, 0])
    }
  }

  @Test("[request-delete-4] an entity with the rule Deny is refused")
  func entityWithTheRuleDenyIsRefused() throws {
    try context.performAndWait {
      let error = #expect(throws: NSError.self) {
        try context.execute(NSBatchDeleteRequest(fetchRequest: fetch("Person", NSPredicate(value: false))))
      }
      #expect(error?.userInfo["Relationship"] as? String == "Person.written")
      let people = try count("Person")
      #expect(people == 1)
    }
  }

  @Test("[request-delete-3] a deletion that would clear a required relationship fails")
  func deletionThatWouldClearARequiredRelationship() throws {
    let model = NSManagedObjectModel()
    let (room, role) = (NSEntityDescription(), NSEntityDescription())
    (room.name, role.name) = ("Room", "Role")
    let roles = BlogModel.relationship("roles", to: role, isToMany: true, .nullifyDeleteRule)
    let toRoom = BlogModel.relationship("room", to: room, isToMany: false, .nullifyDeleteRule)
    toRoom.isOptional = false
    BlogModel.pair(roles, toRoom)
    (room.properties, role.properties) = ([roles], [toRoom])
    model.entities = [room, role]
    let container = NSPersistentContainer(name: "Rooms", managedObjectModel: model)
    container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: "/dev/null")
    container.loadPersistentStores { #expect($1 == nil) }
    let context = container.newBackgroundContext()
    try context.performAndWait {
      for _ in 0..<2 {
        let room = NSManagedObject(entity: room, insertInto: context)
        NSManagedObject(entity: role, insertInto: context).setValue(room, forKey: "room")
      }
      _ = NSManagedObject(entity: room, insertInto: context)
      try context.save()
      let request = NSBatchDeleteRequest(fetchRequest: fetch("Room"))
      let thrown = #expect(throws: NSError.self) { try context.execute(request) }
      let error = try #require(thrown)
      #expect(error.domain == NSCocoaErrorDomain)
      #expect(error.code == NSPersistentStoreSaveConflictsError)
      #expect(
        error.localizedFailureReason
          == "Constraint trigger violation: Batch delete failed due to mandatory OTM nullify inverse on Room/roles")
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Room")) == 3)
      let empty = NSBatchDeleteRequest(fetchRequest: fetch("Room", NSPredicate(format: "roles.@count == 0")))
      empty.resultType = .resultTypeCount
      #expect(try (context.execute(empty) as? NSBatchDeleteResult)?.result as? Int == 1)
      try context.execute(NSBatchDeleteRequest(fetchRequest: fetch("Role")))
      try context.execute(request)
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Room")) == 0)
    }
  }
}

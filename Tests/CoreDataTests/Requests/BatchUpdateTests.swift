import CoreData
import Foundation
import Testing

@Suite("Batch updates")
struct BatchUpdateTests {
  private let blog: Blog
  private let context: NSManagedObjectContext

  init() throws {
    blog = try Blog()
    let context = blog.context()
    self.context = context
    try context.performAndWait {
      for number in 0..<5 {
        let post = Post(context: context)
        post.title = "P\(number)"
        post.views = Int64(number)
      }
      Person(context: context).name = "Ann"
      Writer(context: context).name = "Wim"
      try context.save()
    }
  }

  private func fresh<T: NSManagedObject>(_ request: NSFetchRequest<T>) throws -> [T] {
    context.reset()
    request.sortDescriptors = [NSSortDescriptor(key: T.self == Post.self ? "title" : "name", ascending: true)]
    return try context.fetch(request)
  }

  @Test("[request-update-1] an update sets values by name and description, and has each type of result")
  func updateSetsValuesByNameAndDescription() throws {
    try context.performAndWait {
      let entity = try #require(BlogModel.shared.entitiesByName["Post"])
      let title = try #require(entity.attributesByName["title"])
      let request = NSBatchUpdateRequest(entity: entity)
      #expect(request.entityName == "Post")
      #expect(request.includesSubentities)
      #expect(request.requestType == .batchUpdateRequestType)
      request.predicate = NSPredicate(format: "views >= 3")
      request.propertiesToUpdate = [title: "new", "views": 9, "date": NSNull(), "isDraft": false]
      let status = try #require(try context.execute(request) as? NSBatchUpdateResult)
      #expect(status.resultType == .statusOnlyResultType)
      #expect(status.result as? Bool == true)
      let posts = try fresh(Post.all())
      #expect(posts.map(\.title) == ["P0", "P1", "P2", "new", "new"])
      #expect(posts.map(\.views) == [0, 1, 2, 9, 9])
      #expect(posts.map { $0.date == nil } == [false, false, false, true, true])
      #expect(posts.map(\.isDraft) == [true, true, true, false, false])
      request.resultType = .updatedObjectsCountResultType
      #expect(try (context.execute(request) as? NSBatchUpdateResult)?.result as? Int == 2)
      request.resultType = .updatedObjectIDsResultType
      let ids = try (context.execute(request) as? NSBatchUpdateResult)?.result as? [NSManagedObjectID]
      #expect(ids.map(Set.init) == Set(posts.suffix(2).map(\.objectID)))
      request.predicate = NSPredicate(format: "views == 77")
      #expect(try (context.execute(request) as? NSBatchUpdateResult)?.result as? [NSManagedObjectID] == [])
      #expect(request.entity === entity)
    }
  }

  @Test("[request-update-1] an update includes subentities; [request-any-3] it is in the history and can be merged")
  func updateIncludesSubentities() throws {
    try context.performAndWait {
      let people = try fresh(Person.all())
      #expect(people.map(\.age) == [0, 0])
      let request = NSBatchUpdateRequest(entityName: "Person")
      request.propertiesToUpdate = ["age": 30]
      request.resultType = .updatedObjectIDsResultType
      let ids = try (context.execute(request) as? NSBatchUpdateResult)?.result as? [NSManagedObjectID]
      #expect(ids?.count == 2)
      #expect(people.map(\.age) == [0, 0])
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSUpdatedObjectsKey: ids ?? []], into: [context])
      #expect(people.map(\.age) == [30, 30])
      request.includesSubentities = false
      request.propertiesToUpdate = ["age": 31]
      let own = try (context.execute(request) as? NSBatchUpdateResult)?.result as? [NSManagedObjectID]
      #expect(own == [people[0].objectID])
      #expect(try fresh(Person.all()).map(\.age) == [31, 30])
      let history = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
      let result = try context.execute(history) as? NSPersistentHistoryResult
      let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
      #expect(transactions.count == 3 && transactions[1].changes?.map(\.changeType) == [.update, .update])
      #expect(transactions[1].changes?.first?.updatedProperties?.map(\.name) == ["age"])
    }
  }

  @Test("[request-update-1] an update validates nothing, and a later save detects the conflict")
  func updateValidatesNothingAndALaterSave() throws {
    try context.performAndWait {
      Tag(context: context).name = "t"
      try context.save()
      let tag = try #require(try context.fetch(Tag.all()).first)
      tag.name = "own"
      let request = NSBatchUpdateRequest(entityName: "Tag")
      request.propertiesToUpdate = ["name": NSNull()]
      try context.execute(request)
      #expect(tag.name == "own")
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectMergeError)
    }
  }

  @Test("[request-update-2] an update sets to-one relationships and their inverses")
  func updateSetsToOneRelationships() throws {
    try context.performAndWait {
      let people = try fresh(Person.all())
      let (ann, wim) = (people[0], people[1])
      let request = NSBatchUpdateRequest(entityName: "Post")
      request.predicate = NSPredicate(format: "views < 2")
      request.propertiesToUpdate = ["author": ann]
      try context.execute(request)
      request.predicate = NSPredicate(format: "views == 1")
      request.propertiesToUpdate = ["author": wim.objectID]
      try context.execute(request)
      func titles(_ name: String) throws -> [String?] {
        try fresh(Person.all()).first { $0.name == name }?.written?
          .compactMap { ($0 as? Post)?.title }.sorted() ?? []
      }
      #expect(try titles("Ann") == ["P0"] && titles("Wim") == ["P1"])
      request.propertiesToUpdate = ["author": NSNull()]
      try context.execute(request)
      #expect(try titles("Wim").isEmpty)
      // A one-to-one relationship, set from either side.
      let marry = NSBatchUpdateRequest(entityName: "Person")
      marry.predicate = NSPredicate(format: "name == %@", "Ann")
      marry.propertiesToUpdate = ["spouse": wim.objectID]
      try context.execute(marry)
      #expect(try fresh(Person.all()).map { $0.spouse?.name } == ["Wim", "Ann"])
      marry.predicate = NSPredicate(format: "name == %@", "Wim")
      marry.propertiesToUpdate = ["spouse": NSNull()]
      try context.execute(marry)
      #expect(try fresh(Person.all()).map { $0.spouse?.name } == [nil, nil])
    }
  }

  @Test("[request-update-2] relating to objects that are not in the store is refused")
  func relatingToObjects() throws {
    let other = try Blog()
    let elsewhere = other.context()
    let foreign = try elsewhere.performAndWait {
      let person = Person(context: elsewhere)
      try elsewhere.save()
      return person.objectID
    }
    try context.performAndWait {
      let request = NSBatchUpdateRequest(entityName: "Post")
      for id in [foreign, Person(context: context).objectID] {
        request.propertiesToUpdate = ["author": id]
        let error = #expect(throws: NSError.self) { try context.execute(request) }
        #expect(error?.code == NSManagedObjectExternalRelationshipError)
      }
      context.rollback()
      let ann = try #require(try fresh(Person.all()).first)
      request.propertiesToUpdate = ["author": ann.objectID]
      context.delete(ann)
      try context.save()
      let error = #expect(throws: NSError.self) { try context.execute(request) }
      #expect(error?.code == NSManagedObjectReferentialIntegrityError)
    }
  }
}

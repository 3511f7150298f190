import CoreData
import Foundation
import Testing

@Suite("Query generations")
struct QueryGenerationTests {
  private let blog: Blog
  private let reader: NSManagedObjectContext
  private let writer: NSManagedObjectContext

  init() throws {
    blog = try Blog()
    reader = blog.context()
    writer = blog.context()
    try add("One")
  }

  private func add(_ title: String) throws {
    try writer.performAndWait {
      let post = Post(context: writer)
      post.title = title
      let tag = Tag(context: writer)
      tag.name = "of " + title
      post.addToTags(tag)
      try writer.save()
    }
  }

  private func rename(_ title: String, to other: String) throws {
    try writer.performAndWait {
      let request = Post.all()
      request.predicate = NSPredicate(format: "title == %@", title)
      for post in try writer.fetch(request) { post.title = other }
      try writer.save()
    }
  }

  private func titles(_ context: NSManagedObjectContext) throws -> [String] {
    try context.performAndWait {
      let request = Post.all()
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      request.shouldRefreshRefetchedObjects = true
      let count = try context.count(for: request)
      let found = try context.fetch(request).map { $0.title ?? "" }
      #expect(found.count == count)
      return found
    }
  }

  @Test("[object-generation-1] a pinned context reads the state of its first read until it is pinned anew")
  func pinnedContextReadsTheState() throws {
    try reader.performAndWait { try reader.setQueryGenerationFrom(.current) }
    #expect(reader.queryGenerationToken == .current)
    try add("Two")
    #expect(try titles(reader) == ["One", "Two"])
    #expect(reader.queryGenerationToken != .current)
    try add("Three")
    try rename("One", to: "Other")
    #expect(try titles(reader) == ["One", "Two"])
    try reader.performAndWait {
      // Faults, relationships and single objects have the same generation.
      let request = Post.all()
      request.predicate = NSPredicate(format: "title == 'One'")
      let post = try #require(try reader.fetch(request).first)
      reader.refresh(post, mergeChanges: false)
      #expect(post.title == "One")
      #expect((post.tags as? Set<Tag>)?.map(\.name) == ["of One"])
    }
    try reader.performAndWait { try reader.setQueryGenerationFrom(.current) }
    #expect(try titles(reader) == ["Other", "Three", "Two"])
    try reader.performAndWait { try reader.setQueryGenerationFrom(nil) }
    try add("Zed")
    #expect(try titles(reader).last == "Zed" && reader.queryGenerationToken == nil)
  }

  @Test("[object-generation-1] a save, a merge and a reset move a pinned context to the current state")
  func saveAMergeAndAResetMove() throws {
    try reader.performAndWait { try reader.setQueryGenerationFrom(.current) }
    #expect(try titles(reader) == ["One"])
    try add("Two")
    #expect(try titles(reader) == ["One"])
    try reader.performAndWait {
      // The save has no changes: the generation stays.
      try reader.save()
      Tag(context: reader).name = "own"
    }
    #expect(try titles(reader) == ["One"])
    try reader.performAndWait { try reader.save() }
    #expect(reader.queryGenerationToken != .current)
    #expect(try titles(reader) == ["One", "Two"])
    try add("Three")
    #expect(try titles(reader) == ["One", "Two"])
    reader.performAndWait { reader.reset() }
    #expect(try titles(reader) == ["One", "Three", "Two"])
    try add("Four")
    #expect(try titles(reader).count == 3)
    reader.performAndWait { reader.mergeChanges(fromContextDidSave: Notification(name: .init("none"))) }
    #expect(try titles(reader).count == 4)
  }

  @Test("[object-generation-1] a merging context moves to the current state with every save of another context")
  func mergingContextMovesToTheCurrentState() throws {
    reader.automaticallyMergesChangesFromParent = true
    try reader.performAndWait { try reader.setQueryGenerationFrom(.current) }
    #expect(try titles(reader) == ["One"])
    try rename("One", to: "Other")
    #expect(try titles(reader) == ["Other"])
  }

  @Test("[object-generation-1] a pinned context reads its pending changes, and its save detects conflicts")
  func pinnedContextReadsItsPendingChanges() throws {
    try reader.performAndWait { try reader.setQueryGenerationFrom(.current) }
    #expect(try titles(reader) == ["One"])
    try rename("One", to: "Theirs")
    try reader.performAndWait {
      let post = try #require(try reader.fetch(Post.all()).first)
      post.title = "Ours"
      let error = #expect(throws: NSError.self) { try reader.save() }
      #expect(error?.code == NSManagedObjectMergeError)
      reader.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try reader.save()
    }
    #expect(try titles(writer) == ["Ours"])
  }

  @Test("[object-generation-2] another context reads the same state by its token; other coordinators refuse it")
  func anotherContextReadsTheSameState() throws {
    try reader.performAndWait { try reader.setQueryGenerationFrom(.current) }
    #expect(try titles(reader) == ["One"])
    try add("Two")
    let token = try #require(reader.queryGenerationToken)
    let third = blog.context()
    try third.performAndWait { try third.setQueryGenerationFrom(token) }
    #expect(try titles(third) == ["One"] && third.queryGenerationToken == token)
    let other = try Blog()
    let foreign = other.context()
    foreign.performAndWait {
      let error = #expect(throws: NSError.self) { try foreign.setQueryGenerationFrom(token) }
      #expect(error?.domain == NSCocoaErrorDomain)
      #expect(error?.code == NSPersistentStoreOperationError)
      #expect(foreign.queryGenerationToken == nil)
    }
    // The token `current` can be archived; other tokens end with the process.
    func archived(_ token: NSQueryGenerationToken) throws -> NSQueryGenerationToken? {
      let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
      return try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSQueryGenerationToken.self, from: data)
    }
    #expect(try archived(.current) == .current)
    #expect(try archived(token) == nil)
    #expect(NSSet(object: token).contains(token.copy()))
  }

  @Test("[object-generation-3] a child reads its parent's generation")
  func childReadsItsParentsGeneration() throws {
    try reader.performAndWait { try reader.setQueryGenerationFrom(.current) }
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = reader
    #expect(try titles(child) == ["One"])
    try add("Two")
    #expect(try titles(child) == ["One"] && child.queryGenerationToken == nil)
  }

  @Test("[object-generation-3] pinning has no effect on a store in memory")
  func inMemory() throws {
    let container = NSPersistentContainer(name: "Blog", managedObjectModel: BlogModel.shared)
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { #expect($1 == nil) }
    let (pinned, other) = (container.newBackgroundContext(), container.newBackgroundContext())
    try pinned.performAndWait { try pinned.setQueryGenerationFrom(.current) }
    #expect(try titles(pinned) == [])
    try other.performAndWait {
      Post(context: other).title = "One"
      try other.save()
    }
    #expect(try titles(pinned) == ["One"])
  }
}

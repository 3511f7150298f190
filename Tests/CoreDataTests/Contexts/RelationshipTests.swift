import CoreData
import Foundation
import Testing

@Suite("Relationships, delete rules and faults")
struct RelationshipTests {
  private let blog: Blog
  private let context: NSManagedObjectContext

  init() throws {
    blog = try Blog()
    context = blog.context()
  }

  private func named(_ name: String) -> Tag {
    let tag = Tag(context: context)
    tag.name = name
    return tag
  }

  @Test("[object-inverse-1] both sides of a relationship change at once, and in other contexts after a save")
  func bothSidesOfARelationshipChange() throws {
    try context.performAndWait {
      let post = Post(context: context)
      let (red, blue) = (named("red"), named("blue"))
      post.addToTags(red)
      blue.posts = [post]
      #expect(post.tags as? Set<Tag> == [red, blue])
      #expect(red.posts == [post])
      let (ann, bob) = (Person(context: context), Person(context: context))
      post.author = ann
      #expect(ann.written as? Set<Post> == [post])
      bob.written = NSSet(object: post)
      #expect(post.author === bob)
      #expect(ann.written?.count == 0)
      let cy = Person(context: context)
      ann.spouse = bob
      #expect(bob.spouse === ann)
      cy.spouse = bob
      #expect(bob.spouse === cy)
      #expect(ann.spouse == nil)
      try context.save()
    }
    let other = blog.context()
    try other.performAndWait {
      let post = try #require(try other.fetch(Post.all()).first)
      #expect(Set((post.tags as? Set<Tag>)?.map(\.name) ?? []) == ["red", "blue"])
      #expect(post.author?.written?.count == 1)
      #expect(post.author?.spouse?.spouse === post.author)
      let red = try #require((post.tags as? Set<Tag>)?.first { $0.name == "red" })
      post.removeFromTags(red)
      #expect(red.isUpdated)
      #expect(post.isUpdated)
      #expect(red.posts == [])
      try other.save()
    }
    try context.performAndWait {
      context.reset()
      let post = try #require(try context.fetch(Post.all()).first)
      #expect((post.tags as? Set<Tag>)?.map(\.name) == ["blue"])
    }
  }

  @Test("[object-inverse-2] relating objects of different contexts stops the process")
  func relatingObjectsOfDifferentContextsStops() async {
    await #expect(processExitsWith: .failure) {
      let blog = try Blog()
      let (one, other) = (blog.context(), blog.context())
      Post(context: one).author = Person(context: other)
    }
  }

  @Test("adding a member does not read the other members")
  func addingAMemberDoesNotRead() throws {
    try context.performAndWait {
      let person = Person(context: context)
      for _ in 0..<3 { Post(context: context).author = person }
      try context.save()
      context.reset()
      let again = try #require(try context.fetch(Person.all()).first)
      let post = Post(context: context)
      post.author = again
      #expect(again.hasFault(forRelationshipNamed: "written"))
      #expect(again.written?.count == 4)
      try context.save()
      let other = blog.context()
      #expect(try other.fetch(Person.all()).first?.written?.count == 4)
    }
  }

  @Test("[object-delete-1] a deletion applies Cascade and Nullify to related objects")
  func deletionAppliesCascadeAndNullifyToRelated() throws {
    try context.performAndWait {
      let post = Post(context: context)
      let attachment = Attachment(context: context)
      let preview = Preview(context: context)
      let tag = named("red")
      attachment.post = post
      preview.attachment = attachment
      post.addToTags(tag)
      try context.save()
      context.delete(post)
      #expect(post.isDeleted)
      #expect(post.calls.last == "prepareForDeletion")
      try context.save()
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Attachment")) == 0)
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Preview")) == 0)
      #expect(attachment.managedObjectContext == nil)
      #expect(preview.managedObjectContext == nil)
      #expect(tag.posts == [])
      #expect(!post.isDeleted)
      #expect(post.managedObjectContext == nil)
      let other = blog.context()
      #expect(try other.fetch(Tag.all()).map { $0.posts?.count } == [0])
    }
  }

  @Test("[object-delete-2] the rule Deny fails the save")
  func ruleDenyFailsTheSave() throws {
    try context.performAndWait {
      let post = Post(context: context)
      let person = Person(context: context)
      post.author = person
      try context.save()
      context.delete(person)
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSValidationRelationshipDeniedDeleteError)
      #expect(person.isDeleted)
      post.author = nil
      try context.save()
      #expect(try context.count(for: Person.all()) == 0)
    }
  }

  @Test("[object-delete-3] deleting an unsaved object removes it at once")
  func deletingAnUnsavedObjectRemoves() throws {
    try context.performAndWait {
      let tag = named("red")
      let post = Post(context: context)
      post.addToTags(tag)
      context.delete(post)
      context.processPendingChanges()
      #expect(!context.insertedObjects.contains(post))
      #expect(post.managedObjectContext == nil)
      #expect(tag.posts == [])
      try context.save()
      #expect(try context.count(for: Post.all()) == 0)
    }
  }

  @Test("[object-fault-1] one instance per object; [object-fault-2] by identity; [object-fault-3] access fires a fault")
  func oneInstancePerObject() throws {
    try context.performAndWait {
      let post = Post(context: context)
      post.title = "One"
      try context.save()
      let id = post.objectID
      let other = blog.context()
      let fault = try #require(other.object(with: id) as? Post)
      #expect(fault.isFault)
      #expect(fault.objectID == id)
      #expect(fault.entity === post.entity)
      #expect(fault.isFault)
      #expect(fault.title == "One")
      #expect(!fault.isFault)
      fault.title = "Pending"
      #expect(try other.fetch(Post.all()).first === fault && fault.title == "Pending")
      #expect(try other.existingObject(with: id) === fault)
      context.delete(post)
      try context.save()
      let third = blog.context()
      let error = #expect(throws: NSError.self) { try third.existingObject(with: id) }
      #expect(error?.code == NSManagedObjectReferentialIntegrityError)
    }
  }

  @Test("[object-fault-4] a fault of a deleted object reads nil")
  func faultOfADeletedObjectReadsNil() throws {
    try context.performAndWait {
      let post = Post(context: context)
      post.title = "One"
      try context.save()
      let other = blog.context()
      let fault = try #require(other.object(with: post.objectID) as? Post)
      context.delete(post)
      try context.save()
      #expect(fault.title == nil)
      #expect(fault.isDeleted)
      try other.save()
      #expect(fault.managedObjectContext == nil)
    }
  }

  /// A context that treats only the faults of tags as deleted objects.
  // Sendable: the list is used only on the context's queue.
  private final class Choosy: NSManagedObjectContext, @unchecked Sendable {
    var asked: [NSManagedObjectID] = []

    override func shouldHandleInaccessibleFault(
      _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
    ) -> Bool {
      asked.append(oid)
      return fault is Tag
    }
  }

  /// Reads the name or title of an object that another context deleted, in a context of this subclass.
  private func readGone(_ entity: String) throws {
    let choosy = Choosy(concurrencyType: .privateQueueConcurrencyType)
    choosy.persistentStoreCoordinator = blog.container.persistentStoreCoordinator
    let id = try context.performAndWait {
      let object = context.add(entity, entity == "Tag" ? ["name": "One"] : ["title": "One"])
      try context.save()
      return object.objectID
    }
    let fault = choosy.performAndWait { choosy.object(with: id) }
    try context.performAndWait {
      context.delete(context.object(with: id))
      try context.save()
    }
    choosy.performAndWait {
      #expect(choosy.shouldDeleteInaccessibleFaults)
      #expect(fault.value(forKey: entity == "Tag" ? "name" : "title") == nil)
      #expect(fault.isDeleted)
      #expect(choosy.asked == [id])
    }
  }

  @Test("[object-fault-4] a context's subclass decides for each object if a missing row reads as deleted")
  func contextsSubclassDecidesForEachObject() async throws {
    try readGone("Tag")
    await #expect(processExitsWith: .failure) { try RelationshipTests().readGone("Post") }
  }

  @Test("[object-fault-5] a refresh keeps changes if it merges; otherwise it discards them")
  func refreshKeepsChangesIfItMerges() throws {
    try context.performAndWait {
      let post = Post(context: context)
      post.title = "One"
      post.content = "Text"
      try context.save()
      let other = blog.context()
      let copy = try #require(try other.fetch(Post.all()).first)
      copy.content = "Mine"
      post.title = "Two"
      try context.save()
      #expect(copy.title == "One")
      other.refresh(copy, mergeChanges: true)
      #expect(copy.title == "Two")
      #expect(copy.content == "Mine")
      #expect(copy.hasChanges)
      other.refresh(copy, mergeChanges: false)
      #expect(copy.isFault)
      #expect(copy.content == "Text")
      #expect(!copy.hasChanges)
      #expect(!other.hasChanges)
    }
  }

  @Test("[object-fault-6] a context does not retain unchanged objects; a reset removes all")
  func contextDoesNotRetainUnchangedObjects() throws {
    try context.performAndWait {
      for _ in 0..<10 { _ = Post(context: context) }
      try context.save()
      #expect(context.registeredObjects.isEmpty)
      let posts = try context.fetch(Post.all())
      posts[0].title = "Changed"
      #expect(context.registeredObjects.count == 10)
      context.reset()
      #expect(context.registeredObjects.isEmpty && posts[0].managedObjectContext == nil && !context.hasChanges)
    }
  }
}

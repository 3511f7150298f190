import CoreData
import Foundation
import Testing

@Suite("Child contexts")
struct ChildContextTests {
  private let blog: Blog
  private let parent: NSManagedObjectContext
  private let child: NSManagedObjectContext

  init() throws {
    blog = try Blog()
    parent = blog.context()
    child = NSManagedObjectContext(.privateQueue)
    child.parent = parent
  }

  private func stored() throws -> Int {
    let context = blog.context()
    return try context.performAndWait { try context.count(for: Post.all()) }
  }

  @Test("[object-child-1] a child's save writes to its parent only")
  func oneLevel() throws {
    let post = child.performAndWait {
      let post = Post(context: child)
      post.title = "One"
      return post
    }
    try child.performAndWait {
      try child.save()
      #expect(!child.hasChanges)
      #expect(!post.isInserted)
      #expect(post.objectID.isTemporaryID)
      #expect(post.calls == ["awakeFromInsert", "willSave", "validate", "didSave"])
    }
    #expect(try stored() == 0)
    try parent.performAndWait {
      #expect(parent.insertedObjects.count == 1)
      let own = try #require(parent.insertedObjects.first as? Post)
      #expect(own.title == "One")
      #expect(own.objectID == post.objectID)
      #expect(own.calls.isEmpty)
      #expect(own.date == Date(timeIntervalSinceReferenceDate: 1))
      try parent.save()
      #expect(!own.objectID.isTemporaryID)
    }
    #expect(try stored() == 1)
  }

  @Test("[object-child-10] the parent's object takes transient values; a new object of the child has none")
  func parentsObjectTakesTransientValues() throws {
    let id = try child.performAndWait {
      let post = Post(context: child)
      (post.title, post.note) = ("One", "new")
      try child.save()
      return post.objectID
    }
    let own = try parent.performAndWait {
      let own = try #require(parent.object(with: id) as? Post)
      #expect(own.note == "new")
      try parent.save()
      return own
    }
    try child.performAndWait {
      let post = try #require(child.object(with: own.objectID) as? Post)
      #expect(post.note == nil)
      post.note = "changed"
      #expect(child.hasChanges)
      try child.save()
      #expect(post.note == "changed")
    }
    try parent.performAndWait {
      #expect(own.note == "changed")
      #expect(parent.updatedObjects == [own])
      #expect(own.changedValues().keys.sorted() == ["note"])
      try parent.save()
      #expect(!parent.hasChanges)
    }
  }

  @Test("[object-child-1] awakeFromInsert is called once, in the context that made the object")
  func awakeFromInsertIsCalledOnceInTheContext() throws {
    let post = child.performAndWait { Post(context: child) }
    try child.performAndWait { try child.save() }
    try parent.performAndWait {
      let own = try #require(parent.insertedObjects.first as? Post)
      #expect(own.calls.isEmpty)
      try parent.save()
      #expect(!own.calls.contains("awakeFromInsert"))
    }
    child.performAndWait { #expect(post.calls.count { $0 == "awakeFromInsert" } == 1) }
  }

  // The child applies its objects in the order of their memory addresses: among 32 posts both orders occur.
  @Test("an object that the child gives back to its owner leaves no change at the other owner")
  func givenBack() throws {
    let ids = try parent.performAndWait {
      let people = (0..<64).map { _ in Person(context: parent) }
      for person in people.prefix(32) { Post(context: parent).author = person }
      try parent.save()
      return people.map(\.objectID)
    }
    parent.performAndWait { parent.reset() }
    func person(_ number: Int, in context: NSManagedObjectContext) throws -> Person {
      try #require(try context.existingObject(with: ids[number]) as? Person)
    }
    let posts = try parent.performAndWait {
      let posts = try parent.fetch(Post.all()).map { post in
        (post, try #require(ids.firstIndex { $0 == post.author?.objectID }))
      }
      for (post, number) in posts { post.author = try person(number + 32, in: parent) }
      return posts.map { ($0.0.objectID, $0.1) }
    }
    try child.performAndWait {
      for (id, number) in posts {
        (try child.existingObject(with: id) as? Post)?.author = try person(number, in: child)
      }
      try child.save()
    }
    try parent.performAndWait {
      for number in 0..<64 {
        let changes = try person(number, in: parent).changedValues()
        #expect(changes.isEmpty, "\(number)")
      }
    }
  }

  @Test("[object-child-1] an invalid object stays in the child")
  func invalidObjectStaysInTheChild() {
    child.performAndWait {
      _ = Tag(context: child)
      let error = #expect(throws: NSError.self) { try child.save() }
      #expect(error?.code == NSValidationMissingMandatoryPropertyError)
      #expect(child.hasChanges)
    }
    parent.performAndWait { #expect(!parent.hasChanges) }
  }

  @Test("[object-child-2] a child sees its parent's unsaved changes")
  func childSeesItsParentsUnsavedChanges() throws {
    let tag = parent.performAndWait {
      let tag = Tag(context: parent)
      tag.name = "Swift"
      for title in ["B", "A", "C"] {
        let post = Post(context: parent)
        post.title = title
        post.addToTags(tag)
      }
      return tag.objectID
    }
    try child.performAndWait {
      let request = Post.all()
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      request.predicate = NSPredicate(format: "title > %@ AND ANY tags == %@", "A", tag)
      let found = try child.fetch(request)
      #expect(found.map(\.title) == ["B", "C"])
      let count = try child.count(for: request)
      #expect(count == 2)
      let own = try #require(try child.existingObject(with: tag) as? Tag)
      #expect(own.name == "Swift" && own.posts?.count == 3 && own.posts?.contains(found[0]) == true)
      // The child's own changes take precedence.
      found[0].title = "Z"
      child.delete(found[1])
      let again = try child.fetch(request)
      #expect(again.map(\.title) == ["Z"])
      request.fetchOffset = 1
      let rest = try child.fetch(request)
      #expect(rest.isEmpty)
    }
    try parent.performAndWait {
      let titles = try parent.fetch(Post.all()).compactMap(\.title).sorted()
      #expect(titles == ["A", "B", "C"])
    }
  }

  @Test("[object-child-2] a child reads values of a saved object that the parent changed or deleted")
  func readingChanged() throws {
    let (one, two) = try parent.performAndWait {
      let posts = ["One", "Two"].map { title in
        let post = Post(context: parent)
        post.title = title
        return post
      }
      try parent.save()
      posts[0].title = "Changed"
      parent.delete(posts[1])
      return (posts[0].objectID, posts[1].objectID)
    }
    try child.performAndWait {
      let post = try #require(try child.existingObject(with: one) as? Post)
      #expect(post.title == "Changed")
      let error = #expect(throws: NSError.self) { try child.existingObject(with: two) }
      #expect(error?.code == NSManagedObjectReferentialIntegrityError)
      let count = try child.count(for: Post.all())
      #expect(count == 1)
    }
  }

  @Test("[object-child-3] a child's objects get their permanent identities at the parent's save")
  func childsObjectsGetTheirPermanentIdentities() throws {
    let (post, temporary) = try child.performAndWait {
      let post = Post(context: child)
      let tag = Tag(context: child)
      tag.name = "Swift"
      post.addToTags(tag)
      let attachment = Attachment(context: child)
      attachment.post = post
      try child.save()
      return (post, post.objectID)
    }
    try parent.performAndWait { try parent.save() }
    try child.performAndWait {
      #expect(!post.objectID.isTemporaryID)
      #expect(post.objectID != temporary)
      let found = try child.fetch(Post.all())
      #expect(found.count == 1 && found[0] === post)
      #expect(child.object(with: temporary) === post)
      #expect(child.registeredObject(for: temporary) === post)
      child.refresh(post, mergeChanges: false)
      #expect(post.attachments.first?.post === post)
      #expect((post.tags as? Set<Tag>)?.first?.name == "Swift")
      post.title = "Later"
      try child.save()
    }
    try parent.performAndWait {
      try parent.save()
      let titles = try parent.fetch(Post.all()).map(\.title)
      #expect(titles == ["Later"])
    }
  }

  @Test("[object-child-3] a child obtains permanent identities before the save")
  func childObtainsPermanentIdentitiesBeforeTheSave() throws {
    let id = try child.performAndWait {
      let post = Post(context: child)
      try child.obtainPermanentIDs(for: [post])
      #expect(post.isInserted)
      #expect(!post.objectID.isTemporaryID)
      try child.save()
      return post.objectID
    }
    try parent.performAndWait {
      #expect(parent.insertedObjects.first?.objectID == id)
      try parent.save()
    }
    let other = blog.context()
    try other.performAndWait {
      let post = try other.existingObject(with: id)
      #expect(post.objectID == id)
    }
  }

  @Test("[object-child-4] the child's value replaces the parent's, and inverses stay consistent")
  func childsValueReplacesTheParentS() throws {
    let (post, people) = try parent.performAndWait {
      let post = Post(context: parent)
      let people = ["A", "B", "C"].map { name in
        let person = Person(context: parent)
        person.name = name
        return person
      }
      post.author = people[0]
      try parent.save()
      return (post, people)
    }
    try child.performAndWait {
      let copy = try #require(try child.existingObject(with: post.objectID) as? Post)
      copy.author = try child.existingObject(with: people[1].objectID) as? Person
      copy.title = "Child's"
    }
    parent.performAndWait {
      post.title = "Parent's"
      post.content = "Parent's"
      post.author = people[2]
    }
    try child.performAndWait { try child.save() }
    try parent.performAndWait {
      #expect(post.title == "Child's")
      #expect(post.content == "Parent's")
      #expect(post.author === people[1])
      #expect(people.map { $0.written?.count } == [0, 1, 0])
      try parent.save()
    }
  }

  @Test("[object-child-4] changed members of a to-many relationship and deletions reach the parent")
  func changedMembersOfAToManyRelationship() throws {
    let (post, tags) = try parent.performAndWait {
      let post = Post(context: parent)
      let tags = ["A", "B"].map { name in
        let tag = Tag(context: parent)
        tag.name = name
        return tag
      }
      post.addToTags(tags[0])
      Attachment(context: parent).post = post
      try parent.save()
      return (post, tags)
    }
    try child.performAndWait {
      let copy = try #require(try child.existingObject(with: post.objectID) as? Post)
      let own = try tags.map { try #require(try child.existingObject(with: $0.objectID) as? Tag) }
      copy.removeFromTags(own[0])
      copy.addToTags(own[1])
      try child.save()
    }
    try parent.performAndWait {
      #expect((post.tags as? Set<Tag>) == [tags[1]])
      #expect(tags[0].posts == [])
      #expect(tags[1].posts == [post])
      try parent.save()
    }
    try child.performAndWait {
      child.delete(try child.existingObject(with: post.objectID))
      try child.save()
      #expect(child.registeredObjects.allSatisfy { !($0 is Post) })
    }
    try parent.performAndWait {
      #expect(post.isDeleted)
      #expect(parent.deletedObjects.count == 2)
      try parent.save()
      #expect(tags[1].posts == [])
    }
    #expect(try stored() == 0)
  }

  @Test("[object-child-5] a child's save conflicts with an object that the parent deleted")
  func deletedInParent() throws {
    let id = try parent.performAndWait {
      let post = Post(context: parent)
      try parent.save()
      return post.objectID
    }
    let copy = try child.performAndWait {
      let copy = try #require(try child.existingObject(with: id) as? Post)
      copy.title = "Child's"
      return copy
    }
    try parent.performAndWait { parent.delete(try parent.existingObject(with: id)) }
    try child.performAndWait {
      let error = #expect(throws: NSError.self) { try child.save() }
      let conflicts = error?.userInfo["conflictList"] as? [NSMergeConflict]
      #expect(error?.code == NSManagedObjectMergeError)
      #expect(conflicts?.first?.sourceObject === copy)
      #expect(conflicts?.first?.persistedSnapshot == nil)
      #expect(child.hasChanges)
      child.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try child.save()
      #expect(copy.managedObjectContext == nil)
    }
  }

  @Test("[object-child-6] siblings and children merge changes automatically only if they are configured to")
  func siblingsAndChildrenMergeChangesAutomatically() throws {
    let sibling = NSManagedObjectContext(.privateQueue)
    sibling.parent = parent
    sibling.automaticallyMergesChangesFromParent = true
    let id = try parent.performAndWait {
      let post = Post(context: parent)
      post.title = "One"
      try parent.save()
      return post.objectID
    }
    let copy = try sibling.performAndWait { try #require(try sibling.existingObject(with: id) as? Post) }
    let unmerged = try child.performAndWait { try #require(try child.existingObject(with: id) as? Post) }
    sibling.performAndWait { #expect(copy.title == "One") }
    try child.performAndWait {
      unmerged.title = "Two"
      try child.save()
    }
    sibling.performAndWait { #expect(copy.title == "Two") }
    try parent.performAndWait {
      try #require(try parent.existingObject(with: id) as? Post).title = "Three"
      try parent.save()
    }
    sibling.performAndWait { #expect(copy.title == "Three") }
    child.performAndWait { #expect(unmerged.title == "Two") }
    parent.automaticallyMergesChangesFromParent = true
    let other = blog.context()
    try other.performAndWait {
      try #require(try other.existingObject(with: id) as? Post).title = "Four"
      try other.save()
    }
    parent.performAndWait {}
    sibling.performAndWait { #expect(copy.title == "Four") }
  }

  @Test("[object-child-7] a child has its parent's coordinator")
  func childHasItsParentsCoordinator() {
    #expect(child.persistentStoreCoordinator === blog.container.persistentStoreCoordinator)
    #expect(child.parent === parent)
  }

  @Test("[object-child-7] setting a parent beside a coordinator, or replacing it, stops the process")
  func settingAParentBesideACoordinator() async {
    await #expect(processExitsWith: .failure) {
      let context = NSManagedObjectContext(.privateQueue)
      context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
      context.parent = NSManagedObjectContext(.privateQueue)
    }
    await #expect(processExitsWith: .failure) {
      let context = NSManagedObjectContext(.privateQueue)
      context.parent = NSManagedObjectContext(.privateQueue)
      context.parent = NSManagedObjectContext(.privateQueue)
    }
  }

  @Test("[object-child-8] a commit of another context conflicts at the parent's save, not at the child's")
  func commitOfAnotherContextConflicts() throws {
    let id = try parent.performAndWait {
      let post = Post(context: parent)
      post.title = "One"
      try parent.save()
      return post.objectID
    }
    let copy = try child.performAndWait { try #require(try child.existingObject(with: id) as? Post) }
    child.performAndWait { copy.title = "Child's" }
    parent.performAndWait { parent.reset() }
    let other = blog.context()
    try other.performAndWait {
      try #require(try other.existingObject(with: id) as? Post).title = "Theirs"
      try other.save()
    }
    try child.performAndWait { try child.save() }
    parent.performAndWait {
      let error = #expect(throws: NSError.self) { try parent.save() }
      #expect(error?.code == NSManagedObjectMergeError)
    }
  }

  @Test("[object-child-1] three levels of contexts save step by step, also to the main queue")
  @MainActor func threeLevels() async throws {
    let middle = NSManagedObjectContext(.mainQueue)
    middle.persistentStoreCoordinator = blog.container.persistentStoreCoordinator
    let low = NSManagedObjectContext(.privateQueue)
    low.parent = middle
    let lowest = NSManagedObjectContext(.privateQueue)
    lowest.parent = low
    try await lowest.perform {
      let post = Post(context: lowest)
      post.title = "Deep"
      try lowest.save()
      #expect(try middle.performAndWait { try middle.count(for: Post.all()) } == 0)
    }
    #expect(!middle.hasChanges)
    try await low.perform { try low.save() }
    #expect(middle.insertedObjects.count == 1)
    try middle.save()
    #expect(try stored() == 1)
    try await lowest.perform {
      let found = try lowest.fetch(Post.all())
      #expect(found.count == 1 && !found[0].objectID.isTemporaryID && found[0].title == "Deep")
    }
  }

  @Test("[object-queue-1] a block may wait for a queue that waits for the block")
  func nestedWaits() {
    var calls = 0
    parent.performAndWait {
      child.performAndWait {
        parent.performAndWait {
          child.performAndWait { calls += 1 }
        }
      }
    }
    #expect(calls == 1)
  }
}

@Suite("Queues of contexts")
struct ContextQueueTests {
  @Test("[object-queue-2] use of a context outside its queue stops the process with ConcurrencyDebug")
  func concurrencyDebug() async {
    await #expect(processExitsWith: .failure) {
      UserDefaults.standard.register(defaults: ["com.apple.CoreData.ConcurrencyDebug": 1])
      let blog = try Blog()
      let context = blog.context()
      _ = try context.count(for: Post.all())
    }
    await #expect(processExitsWith: .success) {
      UserDefaults.standard.register(defaults: ["com.apple.CoreData.ConcurrencyDebug": 1])
      let blog = try Blog()
      let context = blog.context()
      try context.performAndWait {
        let post = Post(context: context)
        post.title = "One"
        try context.save()
        _ = try context.count(for: Post.all())
      }
    }
  }

  @Test("[object-fault-6] a context can retain its registered objects")
  func contextCanRetainItsRegisteredObjects() throws {
    let blog = try Blog()
    let context = blog.context()
    try context.performAndWait {
      for _ in 0..<3 { _ = Post(context: context) }
      try context.save()
      #expect(context.registeredObjects.isEmpty)
      context.retainsRegisteredObjects = true
      _ = try context.fetch(Post.all())
      #expect(context.registeredObjects.count == 3)
      context.retainsRegisteredObjects = false
      #expect(context.registeredObjects.isEmpty)
    }
  }

  @Test("[object-fault-4] firing a fault of a deleted object stops the process if the context does not allow it")
  func firingAFaultOfADeletedObject() async {
    await #expect(processExitsWith: .failure) {
      let blog = try Blog()
      let context = blog.context()
      context.shouldDeleteInaccessibleFaults = false
      let post = Post(context: context)
      try context.save()
      context.refresh(post, mergeChanges: false)
      let other = blog.context()
      other.delete(try other.existingObject(with: post.objectID))
      try other.save()
      _ = post.title
    }
  }

  @Test("[object-lock-3] detectConflicts(for:) reports a conflict about an object that was only read")
  func detectConflictsForReportsAConflictAbout() throws {
    let blog = try Blog()
    let (context, other) = (blog.context(), blog.context())
    let (read, changed) = try context.performAndWait {
      let posts = [Post(context: context), Post(context: context)]
      try context.save()
      return (posts[0], posts[1])
    }
    try other.performAndWait {
      try #require(try other.existingObject(with: read.objectID) as? Post).title = "Theirs"
      try other.save()
    }
    try context.performAndWait {
      changed.title = "Mine"
      context.detectConflicts(for: read)
      let error = #expect(throws: NSError.self) { try context.save() }
      let conflicts = error?.userInfo["conflictList"] as? [NSMergeConflict]
      #expect(error?.code == NSManagedObjectMergeError)
      #expect(conflicts?.map(\.sourceObject) == [read])
      context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
      try context.save()
      #expect(read.title == "Theirs")
      #expect(changed.title == "Mine")
      #expect(!context.hasChanges)
    }
  }

  @Test("[object-undo-1] undo is declared and has no effect")
  func undoIsDeclaredAndHasNoEffect() throws {
    let blog = try Blog()
    let context = blog.context()
    context.undoManager = UndoManager()
    #expect(context.undoManager == nil)
    let manager = UndoManager()
    manager.registerUndo(withTarget: context) { _ in }
    #expect(!manager.canUndo)
    #expect(!manager.canRedo)
    context.performAndWait {
      let post = Post(context: context)
      post.title = "One"
      context.undo()
      #expect(post.title == "One")
      #expect(context.hasChanges)
      context.redo()
    }
  }
}

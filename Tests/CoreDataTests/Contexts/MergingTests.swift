import CoreData
import Foundation
import Synchronization
import Testing

@Suite("Several contexts on one store")
struct MergingTests {
  private let blog: Blog
  private let context: NSManagedObjectContext

  init() throws {
    blog = try Blog()
    context = blog.context()
  }

  private func makePost(_ title: String) throws -> NSManagedObjectID {
    try context.performAndWait {
      let post = Post(context: context)
      post.title = title
      try context.save()
      return post.objectID
    }
  }

  @Test("[object-merge-1] a context keeps values until it merges the other context's save notification")
  func byNotification() throws {
    let id = try makePost("One")
    let other = blog.context()
    nonisolated(unsafe) let copy = try #require(try other.fetch(Post.all()).first)
    #expect(copy.title == "One")
    try context.performAndWait {
      let token = NotificationCenter.default.addObserver(
        forName: NSManagedObjectContext.didSaveObjectsNotification, object: context, queue: nil
      ) { note in
        #expect((note.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject>)?.map(\.objectID) == [id])
        #expect(copy.title == "One")
        other.mergeChanges(fromContextDidSave: note)
      }
      defer { NotificationCenter.default.removeObserver(token) }
      (try context.existingObject(with: id) as? Post)?.title = "Two"
      try context.save()
    }
    #expect(copy.title == "Two")
  }

  @Test("a context with a new coordinator merges only that one's saves, and each once")
  func otherCoordinator() throws {
    let former = try Blog()
    let other = NSManagedObjectContext(.privateQueue)
    other.automaticallyMergesChangesFromParent = true
    for blog in [former, blog, blog] { other.persistentStoreCoordinator = blog.container.persistentStoreCoordinator }
    let merged = Mutex<[Set<NSManagedObjectID>]>([])
    let token = NotificationCenter.default.addObserver(
      forName: NSManagedObjectContext.didMergeChangesObjectIDsNotification, object: other, queue: nil
    ) { note in
      let key = NSManagedObjectContext.NotificationKey.insertedObjectIDs.rawValue
      merged.withLock { $0.append(note.userInfo?[key] as? Set<NSManagedObjectID> ?? []) }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    let context = former.context()
    try context.performAndWait {
      Post(context: context).title = "Former"
      try context.save()
    }
    let id = try makePost("One")
    other.performAndWait {}
    #expect(merged.withLock { $0 } == [[id]])
  }

  @Test("[object-merge-1] [object-merge-2] a context merges automatically if it is configured to; its own changes stay")
  func contextMergesAutomaticallyIfItIsConfigured() throws {
    let id = try makePost("One")
    let other = blog.context()
    other.automaticallyMergesChangesFromParent = true
    let copy = try #require(try other.performAndWait { try other.fetch(Post.all()).first })
    other.performAndWait { copy.content = "Mine" }
    try context.performAndWait {
      let post = try #require(try context.existingObject(with: id) as? Post)
      post.title = "Two"
      post.content = "Theirs"
      try context.save()
    }
    // The merge was added to the other context's queue before the save returned.
    other.performAndWait { #expect(copy.title == "Two" && copy.content == "Mine" && copy.hasChanges) }
    try context.performAndWait {
      context.delete(try context.existingObject(with: id))
      try context.save()
    }
    other.performAndWait { #expect(copy.managedObjectContext == nil) }
  }

  /// Two contexts that both read a post; then the first one saves another title.
  private func race() throws -> (other: NSManagedObjectContext, copy: Post) {
    let id = try makePost("One")
    let other = blog.context()
    let copy = try #require(try other.fetch(Post.all()).first)
    copy.title = "Mine"
    copy.content = "Mine"
    try context.performAndWait {
      let post = try #require(try context.existingObject(with: id) as? Post)
      post.title = "Theirs"
      post.views = 7
      try context.save()
    }
    return (other, copy)
  }

  @Test("[object-lock-1] a conflict fails the save, and all changes stay pending")
  func conflictFailsTheSaveAndAllChanges() throws {
    let (other, copy) = try race()
    let error = #expect(throws: NSError.self) { try other.save() }
    #expect(error?.domain == NSCocoaErrorDomain)
    #expect(error?.code == NSManagedObjectMergeError)
    let conflicts = try #require(error?.userInfo["conflictList"] as? [NSMergeConflict])
    #expect(conflicts.count == 1 && conflicts[0].sourceObject === copy)
    #expect(conflicts[0].oldVersionNumber == 1)
    #expect(conflicts[0].newVersionNumber == 2)
    #expect(copy.title == "Mine")
    #expect(other.hasChanges)
  }

  @Test("[object-lock-1] a save conflicts with another context's deletion of the object")
  func deletedMeanwhile() throws {
    let id = try makePost("One")
    let other = blog.context()
    let copy = try #require(try other.fetch(Post.all()).first)
    copy.title = "Mine"
    try context.performAndWait {
      context.delete(try context.existingObject(with: id))
      try context.save()
    }
    let error = #expect(throws: NSError.self) { try other.save() }
    let conflicts = try #require(error?.userInfo["conflictList"] as? [NSMergeConflict])
    #expect(conflicts[0].newVersionNumber == 0)
    #expect(conflicts[0].persistedSnapshot == nil)
    other.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try other.save()
    #expect(try other.count(for: Post.all()) == 0 && copy.managedObjectContext == nil)
  }

  @Test(
    "[object-lock-2] merge policies resolve a conflict",
    arguments: [
      (NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, "Theirs", "Mine", 7),
      (.mergeByPropertyObjectTrumpMergePolicyType, "Mine", "Mine", 7),
      (.overwriteMergePolicyType, "Mine", "Mine", 0),
      (.rollbackMergePolicyType, "Theirs", nil, 7),
    ] as [(NSMergePolicyType, String, String?, Int64)])
  func mergePoliciesResolveAConflict(type: NSMergePolicyType, title: String, content: String?, views: Int64) throws {
    let (other, copy) = try race()
    other.mergePolicy = NSMergePolicy(merge: type)
    try other.save()
    #expect(copy.title == title)
    #expect(copy.content == content)
    #expect(copy.views == views)
    #expect(!other.hasChanges)
    let third = blog.context()
    let stored = try #require(try third.fetch(Post.all()).first)
    #expect(stored.title == title)
    #expect(stored.content == content)
    #expect(stored.views == views)
  }

  @Test("[object-save-4] new objects go to the assigned or related store; references between stores are refused")
  func newObjectsGoToTheAssigned() throws {
    let second = NSPersistentStoreDescription(
      url: URL(fileURLWithPath: blog.folder.path).appendingPathComponent("second.sqlite"))
    let coordinator = blog.container.persistentStoreCoordinator
    coordinator.addPersistentStore(with: second) { #expect($1 == nil) }
    let other = try #require(coordinator.persistentStores.last)
    try context.performAndWait {
      let (first, assigned) = (Post(context: context), Post(context: context))
      context.assign(assigned, to: other)
      let attachment = Attachment(context: context)
      attachment.post = assigned
      try context.save()
      #expect(first.objectID.persistentStore === blog.store)
      #expect(assigned.objectID.persistentStore === other)
      #expect(attachment.objectID.persistentStore === other)
      let stray = Attachment(context: context)
      context.assign(stray, to: blog.store)
      stray.post = assigned
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectExternalRelationshipError)
      context.rollback()
      #expect(!context.hasChanges)
      #expect(try context.count(for: Post.all()) == 2)
      let request = Post.all()
      request.affectedStores = [other]
      #expect(try context.fetch(request) == [assigned])
    }
  }

  @Test("a rollback restores changed, inserted and deleted objects")
  func rollbackRestoresChangedInsertedAndDeleted() throws {
    let id = try makePost("One")
    try context.performAndWait {
      let post = try #require(try context.existingObject(with: id) as? Post)
      post.title = "Two"
      let new = Post(context: context)
      let attachment = Attachment(context: context)
      attachment.post = post
      context.rollback()
      #expect(post.title == "One")
      #expect(new.managedObjectContext == nil)
      #expect(post.attachments.isEmpty)
      context.delete(post)
      context.rollback()
      #expect(!post.isDeleted)
      #expect(post.title == "One")
      #expect(!context.hasChanges)
    }
  }

  @Test("the main actor's code runs blocks on its context")
  @MainActor
  func mainActor() async throws {
    let context = blog.container.viewContext
    var title = "One"
    let count = try await context.perform {
      Post(context: context).title = title
      try context.save()
      return try context.count(for: Post.all())
    }
    title = "Two"
    #expect(count == 1)
    #expect(title == "Two")
  }

  @Test("blocks of contexts run in tasks and nested")
  func blocksOfContextsRunInTasks() async throws {
    let context = context
    let count = try await context.perform {
      for number in 0..<5 { Post(context: context).views = Int64(number) }
      try context.save()
      return try context.performAndWait { try context.count(for: Post.all()) }
    }
    #expect(count == 5)
    let title = try await blog.container.performBackgroundTask { context in
      let post = try context.fetch(Post.all())[0]
      post.title = "Changed"
      try context.save()
      return post.title
    }
    #expect(title == "Changed")
    await #expect(throws: CancellationError.self) { try await context.perform { throw CancellationError() } }
  }
}

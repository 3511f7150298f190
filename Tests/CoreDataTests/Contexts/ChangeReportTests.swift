import CoreData
import Foundation
import Testing

@Suite("Reports of changes by objects and contexts")
struct ChangeReportTests {
  private let blog: Blog
  private let context: NSManagedObjectContext

  init() throws {
    blog = try Blog()
    context = blog.context()
  }

  /// The user infos of the notifications with this name that the context posts while the function runs.
  private func posted(
    _ name: Notification.Name, _ body: () throws -> Void
  ) rethrows -> [[AnyHashable: Any]] {
    nonisolated(unsafe) var found: [[AnyHashable: Any]] = []
    let observer = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { notification in
      found.append(notification.userInfo ?? [:])
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    try body()
    return found
  }

  @Test("[object-insert-6] a new object's changed values are those that differ from the defaults")
  func changedValues() throws {
    try context.performAndWait {
      let post = Post(context: context)
      #expect(post.changedValues().keys.sorted() == ["date"])
      #expect(post.changedValues()["date"] as? Date == Date(timeIntervalSinceReferenceDate: 1))
      (post.title, post.views) = ("One", 0)
      post.setPrimitiveValue(2.0, forKey: "rating")
      #expect(post.changedValues().keys.sorted() == ["date", "rating", "title"])
      #expect(post.hasPersistentChangedValues)
      try context.save()
      #expect(post.changedValues().isEmpty)
    }
  }

  @Test("[object-insert-6] a new object has no committed values before its first save")
  func committedValues() throws {
    try context.performAndWait {
      let post = Post(context: context)
      post.title = "One"
      #expect(post.committedValues(forKeys: nil).isEmpty)
      #expect(post.committedValues(forKeys: ["title"]).isEmpty)
      try context.save()
      post.title = "Two"
      #expect(post.committedValues(forKeys: ["title"])["title"] as? String == "One")
    }
  }

  @Test("[object-fault-10] a new object that is refreshed without merging is a fault, and has defaults when it is used")
  func refreshedNewObject() throws {
    try context.performAndWait {
      let post = Post(context: context)
      (post.title, post.isDraft, post.note) = ("One", false, "transient")
      context.refresh(post, mergeChanges: true)
      #expect(!post.isFault)
      #expect(post.title == "One")
      context.refresh(post, mergeChanges: false)
      #expect(post.isFault)
      #expect(post.isInserted)
      post.willAccessValue(forKey: nil)
      #expect(!post.isFault)
      #expect(post.title == nil)
      #expect(post.isDraft)
      #expect(post.note == nil)
      #expect(post.calls == ["awakeFromInsert"])
      context.refresh(post, mergeChanges: false)
      try context.save()
      #expect(!post.objectID.isTemporaryID)
    }
    let other = blog.context()
    try other.performAndWait {
      let posts = try other.fetch(Post.all())
      #expect(posts.map(\.title) == [nil])
      #expect(posts.map(\.isDraft) == [true])
    }
  }

  @Test("[object-fault-10] a child context sees its parent's refreshed new object with the defaults")
  func refreshedNewObjectInParent() throws {
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = context
    try context.performAndWait {
      let post = Post(context: context)
      post.title = "One"
      context.refresh(post, mergeChanges: false)
      let id = post.objectID
      try child.performAndWait {
        let own = try #require(try child.existingObject(with: id) as? Post)
        #expect(own.title == nil)
        #expect(own.isDraft)
      }
    }
  }

  @Test("[object-merge-3] a merged deletion is among the deleted objects until the context processes its changes")
  func mergedDeletion() throws {
    try context.performAndWait {
      let post = Post(context: context)
      try context.save()
      let id = post.objectID
      let other = blog.context()
      try other.performAndWait {
        other.delete(other.object(with: id))
        try other.save()
      }
      let events = posted(.NSManagedObjectContextObjectsDidChange) {
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectIDsKey: [id]], into: [context])
      }
      #expect(events.map { $0[NSDeletedObjectsKey] as? Set<NSManagedObject> } == [[post]])
      #expect(context.deletedObjects == [post])
      #expect(post.isDeleted)
      #expect(try context.fetch(Post.all()).isEmpty)
      try context.save()
      #expect(context.deletedObjects.isEmpty)
      #expect(!context.hasChanges)
      #expect(context.registeredObject(for: id) == nil)
      #expect(post.managedObjectContext == nil)
    }
  }

  @Test("[object-merge-4] a merge's notification has the identities of the objects that it refreshed")
  func refreshedIDs() throws {
    try context.performAndWait {
      let post = Post(context: context)
      try context.save()
      let known = post.objectID
      let other = blog.context()
      var ids: [NSManagedObjectID] = []
      try other.performAndWait {
        let new = Post(context: other)
        (other.object(with: known) as? Post)?.title = "Changed"
        try other.save()
        ids = [known, new.objectID]
      }
      let events = posted(NSManagedObjectContext.didMergeChangesObjectIDsNotification) {
        NSManagedObjectContext.mergeChanges(
          fromRemoteContextSave: [NSUpdatedObjectIDsKey: [ids[0]], NSInsertedObjectIDsKey: [ids[1]]], into: [context])
      }
      #expect(post.title == "Changed")
      #expect(events.map { $0[NSRefreshedObjectIDsKey] as? Set<NSManagedObjectID> } == [[ids[0]]])
      #expect(events.map { $0[NSUpdatedObjectIDsKey] as? Set<NSManagedObjectID> } == [[ids[0]]])
      #expect(events.map { $0[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID> } == [[ids[1]]])
    }
  }

  @Test("[object-save-8] the notification of a save has the token of the history after the save")
  func notificationOfASaveHasTheToken() throws {
    try context.performAndWait {
      Post(context: context).title = "One"
      let events = try posted(.NSManagedObjectContextDidSave) { try context.save() }
      let token = try #require(events.first?["newChangeToken"] as? NSPersistentHistoryToken)
      #expect(token == context.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil))
      Post(context: context).title = "Two"
      try context.save()
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      #expect((result?.result as? [NSPersistentHistoryTransaction])?.count == 1)
    }
  }

  @Test("[object-save-8] a pinned context's save notification has the generation that it reads afterwards")
  func pinnedContextsSaveNotification() throws {
    try context.performAndWait {
      Post(context: context).title = "One"
      let unpinned = try posted(.NSManagedObjectContextDidSave) { try context.save() }
      let key = NSManagedObjectContext.NotificationKey.queryGeneration.rawValue
      #expect(unpinned.map { $0[key] == nil } == [true])
      try context.setQueryGenerationFrom(.current)
      Post(context: context).title = "Two"
      let pinned = try posted(.NSManagedObjectContextDidSave) { try context.save() }
      let token = try #require(pinned.first?[key] as? NSQueryGenerationToken)
      #expect(token != .current)
      #expect(context.queryGenerationToken == token)
      let other = blog.context()
      try other.performAndWait {
        Post(context: other).title = "Three"
        try other.save()
        #expect(try other.count(for: Post.all()) == 3)
        try other.setQueryGenerationFrom(token)
        #expect(try other.count(for: Post.all()) == 2)
      }
      #expect(try context.count(for: Post.all()) == 2)
    }
  }
}

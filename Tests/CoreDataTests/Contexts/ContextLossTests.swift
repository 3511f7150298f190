import CoreData
import Foundation
import Testing

@Suite("Objects after the reset or release of their context")
struct ContextLossTests {
  private let blog: Blog
  private let context: NSManagedObjectContext

  init() throws {
    blog = try Blog()
    let context = blog.context()
    self.context = context
    try context.performAndWait {
      let post = Post(context: context)
      (post.title, post.content) = ("One", "text")
      try context.save()
    }
  }

  private func post() throws -> Post { try #require(try context.fetch(Post.all()).first) }

  @Test("[object-fault-6] after a reset an object is a fault without its transient values")
  func afterAResetAnObject() throws {
    try context.performAndWait {
      let (post, new) = (try post(), Post(context: context))
      (post.note, new.note, new.title) = ("transient", "transient", "Two")
      context.reset()
      for object in [post, new] {
        #expect(object.isFault)
        #expect(object.managedObjectContext == nil)
        #expect(object.note == nil)
        #expect(object.changedValues().isEmpty)
      }
    }
  }

  @Test("[object-fault-6] a reset's notification has the identities of all objects")
  func resetsNotificationHasTheIdentities() throws {
    try context.performAndWait {
      let posts = [try post(), Post(context: context)]
      context.processPendingChanges()
      let ids = posts.map(\.objectID)
      nonisolated(unsafe) var found: [Set<NSManagedObjectID>] = []
      let observer = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
      ) { notification in
        found.append(Set(notification.userInfo?[NSInvalidatedAllObjectsKey] as? [NSManagedObjectID] ?? []))
      }
      defer { NotificationCenter.default.removeObserver(observer) }
      context.reset()
      #expect(found == [Set(ids)])
    }
  }

  @Test("[object-fault-11] reading or changing an object after a reset raises an exception")
  func afterReset() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let tests = try ContextLossTests()
      try tests.context.performAndWait {
        let post = try tests.post()
        #expect(post.title == "One")
        tests.context.reset()
        _ = post.title
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("CoreData could not fulfill a fault for 'x-coredata://"))
    await #expect(processExitsWith: .failure) {
      let tests = try ContextLossTests()
      try tests.context.performAndWait {
        let post = try tests.post()
        tests.context.reset()
        post.title = "Two"
      }
    }
  }

  @Test("[object-fault-11] reading a fault after its context was released raises an exception")
  func readingAFaultAfterItsContext() async throws {
    await #expect(processExitsWith: .failure) {
      let tests = try ContextLossTests()
      var context: NSManagedObjectContext? = tests.blog.context()
      context?.shouldDeleteInaccessibleFaults = true
      let post = try #require(try context?.performAndWait { try context?.fetch(Post.all()).first })
      context = nil
      _ = post.title
    }
  }

  @Test("[object-fault-11] willAccessValue without a key gives nil values to a fault without a context")
  func accessWithoutContext() throws {
    try context.performAndWait {
      let post = try post()
      context.reset()
      #expect(post.isFault)
      post.willAccessValue(forKey: nil)
      #expect(!post.isFault)
      #expect(post.title == nil)
    }
  }

  @Test("[object-fault-11] an object that was read before its context was released retains its values")
  func releasedWithValues() throws {
    var context: NSManagedObjectContext? = blog.context()
    let post = try #require(try context?.performAndWait { try context?.fetch(Post.all()).first })
    context?.performAndWait { #expect(post.title == "One") }
    context = nil
    #expect(post.managedObjectContext == nil)
    #expect(!post.isFault)
    #expect(post.title == "One")
    #expect(post.content == "text")
  }

  @Test("[object-delete-3] an object that another context deleted reads nil after the merge removed it")
  func deletedElsewhere() throws {
    try context.performAndWait {
      let post = try post()
      let other = blog.context()
      let id = post.objectID
      try other.performAndWait {
        other.delete(other.object(with: id))
        try other.save()
      }
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectIDsKey: [id]], into: [context])
      context.processPendingChanges()
      #expect(post.managedObjectContext == nil)
      #expect(!post.isDeleted)
      #expect(post.title == nil)
    }
  }
}

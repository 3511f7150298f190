import CoreData
import Foundation
import Testing

@Suite("Permanent identities in child contexts")
struct PermanentIDTests {
  private let blog: Blog
  private let parent: NSManagedObjectContext
  private let child: NSManagedObjectContext

  init() throws {
    blog = try Blog()
    parent = blog.context()
    child = NSManagedObjectContext(.privateQueue)
    child.parent = parent
  }

  /// The titles of the stored posts with this identity.
  private func titles(_ id: NSManagedObjectID) throws -> [String?] {
    let context = blog.context()
    return try context.performAndWait {
      let request = Post.all()
      request.predicate = NSPredicate(format: "SELF == %@", id)
      return try context.fetch(request).map(\.title)
    }
  }

  // The block occupies the child's queue, so that the child has not received the identity automatically.
  @Test("[object-child-9] after child and parent have saved, the child's object has the identity of the store")
  func afterBothSaves() throws {
    try child.performAndWait {
      let post = Post(context: child)
      post.title = "One"
      try child.save()
      try parent.performAndWait { try parent.save() }
      #expect(post.objectID.isTemporaryID)
      try child.obtainPermanentIDs(for: [post])
      #expect(try titles(post.objectID) == ["One"])
      #expect(child.registeredObject(for: post.objectID) === post)
    }
  }

  @Test("[object-child-9] after the child's save, parent and child agree on the identity in the store")
  func beforeTheParentsSave() throws {
    try child.performAndWait {
      let post = Post(context: child)
      post.title = "One"
      try child.save()
      try child.obtainPermanentIDs(for: [post])
      #expect(!post.objectID.isTemporaryID)
      try parent.performAndWait {
        #expect(parent.insertedObjects.map(\.objectID) == [post.objectID])
        try parent.save()
      }
      #expect(try titles(post.objectID) == ["One"])
    }
  }

  @Test("[object-child-9] a context two levels down obtains the identity of the store")
  func twoLevels() throws {
    let low = NSManagedObjectContext(.privateQueue)
    low.parent = child
    try low.performAndWait {
      let post = Post(context: low)
      post.title = "Deep"
      try low.save()
      try child.performAndWait {
        try child.save()
        try low.obtainPermanentIDs(for: [post])
        try parent.performAndWait { try parent.save() }
      }
      #expect(try titles(post.objectID) == ["Deep"])
    }
  }

  @Test("[object-child-9] obtaining an identity fails for an object that the parent rolled back")
  func givenUp() throws {
    try child.performAndWait {
      let post = Post(context: child)
      try child.save()
      parent.performAndWait { parent.rollback() }
      let error = #expect(throws: NSError.self) { try child.obtainPermanentIDs(for: [post]) }
      #expect(error?.code == NSManagedObjectReferentialIntegrityError)
      #expect(post.objectID.isTemporaryID)
    }
  }

  @Test("[object-child-3] a child's lookup, fetch and merge use the parent's permanent identity at once")
  func lookingUp() throws {
    try child.performAndWait {
      let post = Post(context: child)
      post.title = "One"
      try child.save()
      let id = try parent.performAndWait {
        try parent.save()
        return try #require(try parent.fetch(Post.all()).first).objectID
      }
      #expect(child.registeredObject(for: id) === post)
      #expect(post.objectID == id)
    }
    try child.performAndWait {
      let post = Post(context: child)
      post.title = "Two"
      try child.save()
      let id = try parent.performAndWait {
        try parent.save()
        let own = try #require(try parent.fetch(Post.all()).first { $0.title == "Two" })
        own.title = "Changed"
        try parent.save()
        return own.objectID
      }
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectIDsKey: [id]], into: [child])
      #expect(post.title == "Changed")
    }
  }
}

import CoreData
import Foundation
import Testing

@Suite("Conflict snapshots")
struct ConflictSnapshotTests {
  private let blog: Blog
  private let id: NSManagedObjectID

  init() throws {
    blog = try Blog()
    let context = blog.context()
    id = try context.performAndWait {
      let post = Post(context: context)
      post.title = "One"
      try context.save()
      return post.objectID
    }
  }

  /// Calls the function between the read and the save of a context of the blog, and returns the conflict.
  private func conflict(_ change: () throws -> Void) throws -> NSMergeConflict {
    let context = blog.context()
    return try context.performAndWait {
      let post = try #require(try context.existingObject(with: id) as? Post)
      try change()
      post.content = "Mine"
      let error = #expect(throws: NSError.self) { try context.save() }
      let conflicts = try #require(error?.userInfo["conflictList"] as? [NSMergeConflict])
      #expect(conflicts.map(\.sourceObject) == [post])
      #expect(conflicts.first?.objectSnapshot?["content"] as? String == "Mine")
      return try #require(conflicts.first)
    }
  }

  private func save(_ coordinator: NSPersistentStoreCoordinator, _ change: (Post) throws -> Void) throws {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let id = try #require(coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()))
      try change(try #require(try context.existingObject(with: id) as? Post))
      try context.save()
    }
  }

  private func otherCoordinator() throws -> NSPersistentStoreCoordinator {
    let other = NSPersistentStoreCoordinator(managedObjectModel: BlogModel.shared)
    try other.addPersistentStore(type: .sqlite, at: blog.url, options: [NSPersistentHistoryTrackingKey: true])
    return other
  }

  @Test("[object-lock-5] in a conflict with a context of the same coordinator the newer row is the cached one")
  func sameCoordinator() throws {
    let conflict = try conflict {
      try save(blog.container.persistentStoreCoordinator) { $0.title = "Theirs" }
    }
    #expect(conflict.cachedSnapshot?["title"] as? String == "Theirs")
    #expect(conflict.persistedSnapshot == nil)
    #expect(conflict.oldVersionNumber == 1)
    #expect(conflict.newVersionNumber == 2)
  }

  @Test("[object-lock-5] in a conflict with another coordinator the read row is cached, the newer one persisted")
  func otherCoordinators() throws {
    let other = try otherCoordinator()
    let conflict = try conflict { try save(other) { $0.title = "Theirs" } }
    #expect(conflict.cachedSnapshot?["title"] as? String == "One")
    #expect(conflict.persistedSnapshot?["title"] as? String == "Theirs")
  }

  @Test("[object-lock-5] after two conflicting saves the last one determines the snapshots")
  func afterTwoConflictingSavesTheLast() throws {
    let other = try otherCoordinator()
    let own = blog.container.persistentStoreCoordinator
    let first = try conflict {
      try save(own) { $0.title = "Own" }
      try save(other) { $0.title = "Other" }
    }
    #expect(first.cachedSnapshot?["title"] as? String == "One")
    #expect(first.persistedSnapshot?["title"] as? String == "Other")
    let second = try conflict {
      try save(other) { $0.title = "Other again" }
      try save(own) { $0.title = "Own again" }
    }
    #expect(second.cachedSnapshot?["title"] as? String == "Own again")
    #expect(second.persistedSnapshot == nil)
  }

  @Test(
    "[object-lock-5] a conflict with a deletion by a context of the same coordinator has no snapshots")
  func conflictWithADeletionByAContext() throws {
    let own = try conflict {
      try save(blog.container.persistentStoreCoordinator) { $0.managedObjectContext?.delete($0) }
    }
    #expect(own.cachedSnapshot == nil)
    #expect(own.persistedSnapshot == nil)
    #expect(own.newVersionNumber == 0)
  }

  @Test("[object-lock-4] a conflict with a deletion by another coordinator caches the values that were read")
  func deletedByOther() throws {
    let other = try otherCoordinator()
    let conflict = try conflict { try save(other) { $0.managedObjectContext?.delete($0) } }
    #expect(conflict.cachedSnapshot?["title"] as? String == "One")
    #expect(conflict.persistedSnapshot == nil)
    #expect(conflict.newVersionNumber == 0)
  }
}

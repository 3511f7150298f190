import FaultInjection
import Foundation
import Testing

@testable import CoreData

/// With a batch size, values are read in batches also if a fetch needs more than one store or pending changes.
@Suite("Batched fetches with pending changes, parents and several stores")
struct LazyBatchTests {
  private static let count = 1_000

  private func fill(_ blog: Blog) throws {
    let other = blog.context()
    try other.performAndWait {
      for number in 0..<Self.count {
        let post = Post(context: other)
        (post.title, post.views) = ("Post \(number)", Int64(number))
      }
      try other.save()
    }
  }

  private func request(_ key: String = "views") -> NSFetchRequest<Post> {
    let request = Post.all()
    request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
    request.fetchBatchSize = 20
    return request
  }

  private func post(_ number: Int, _ context: NSManagedObjectContext) throws -> Post {
    let request = Post.all()
    request.predicate = NSPredicate(format: "title == %@", "Post \(number)")
    return try #require(try context.fetch(request).first)
  }

  private func known(_ objects: [NSManagedObject]) -> Int { objects.count { $0.committed != nil } }

  @Test(
    "[object-batch-3] [object-fetch-1] [object-fetch-2] pending objects are sorted in, and no other values are read")
  func pendingObjectsAreSorted() throws {
    let blog = try Blog()
    try fill(blog)
    let context = blog.context()
    try context.performAndWait { () throws in
      let (moved, gone) = (try post(100, context), try post(3, context))
      moved.views = -1
      context.delete(gone)
      let new = Post(context: context)
      (new.title, new.views) = ("new", 500)
      var posts = try context.fetch(request())
      #expect(posts.count == Self.count && known(posts) == 1 && posts[0] === moved && !posts.contains(gone))
      // Among objects with equal sort keys the stored one is first.
      #expect(posts[499].title == "Post 500")
      #expect(posts[500] === new)
      #expect(known(posts) == 21)
      #expect(posts[600].isFault)
      #expect(
        posts.map(\.title) == [100].map { "Post \($0)" } + titles(0..<501, except: 3, 100) + ["new"]
          + titles(501..<1_000))
      let paged = request()
      (paged.fetchOffset, paged.fetchLimit) = (2, 4)
      posts = try context.fetch(paged)
      #expect(posts.map(\.title) == titles(1..<6, except: 3))
      let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Post")
      ids.resultType = .managedObjectIDResultType
      (ids.sortDescriptors, ids.fetchOffset, ids.fetchLimit) = (paged.sortDescriptors, 2, 4)
      #expect(try context.fetch(ids) == posts.map(\.objectID))
      paged.predicate = NSPredicate(format: "views BETWEEN {499, 501}")
      (paged.fetchOffset, paged.fetchLimit) = (0, 0)
      #expect(try context.fetch(paged).map(\.title) == ["Post 499", "Post 500", "new", "Post 501"])
      // Without a sort order, pending objects are last.
      paged.sortDescriptors = nil
      #expect(try context.fetch(paged).map(\.title) == ["Post 499", "Post 500", "Post 501", "new"])
    }
  }

  private func titles(_ numbers: Range<Int>, except: Int...) -> [String] {
    numbers.filter { !except.contains($0) }.map { "Post \($0)" }
  }

  @Test("[object-batch-3] [object-child-2] a child's fetch includes its parent's pending changes")
  func childsFetchIncludesItsParentsPendingChanges() throws {
    let blog = try Blog()
    try fill(blog)
    let (parent, child) = (blog.context(), NSManagedObjectContext(.privateQueue))
    child.parent = parent
    try parent.performAndWait {
      try post(100, parent).views = -1
      parent.delete(try post(3, parent))
      Post(context: parent).title = "parent's"
    }
    try child.performAndWait { () throws in
      let own = Post(context: child)
      (own.title, own.views) = ("own", 7)
      try post(5, child).views = 2_000
      let posts = try child.fetch(request())
      #expect(posts.count == Self.count + 1)
      #expect(known(posts) <= 1)
      #expect(posts[0].title == "Post 100" && posts[0].views == -1 && posts[0].committed != nil)
      let expected =
        ["Post 100", "Post 0", "parent's"] + titles(1..<8, except: 3, 5) + ["own"] + titles(8..<1_000, except: 100)
        + ["Post 5"]
      #expect(posts.map(\.title) == expected)
      try child.save()
    }
    try parent.performAndWait { try parent.save() }
    try child.performAndWait { () throws in
      let posts = try child.fetch(request("title"))
      #expect(posts.count == Self.count + 1)
      #expect(posts.allSatisfy { !$0.objectID.isTemporaryID })
      #expect(posts.map(\.title) == posts.map(\.title).sorted { $0 ?? "" < $1 ?? "" })
      // An object that is released and read again has the values saved since then.
      child.reset()
      let again = try child.fetch(request())
      let first = again[0].views
      #expect(first == -1)
      #expect(again[20].isFault)
    }
  }

  @Test("[object-batch-3] objects of several stores are in one order")
  func objectsOfSeveralStores() throws {
    let folder = try TemporaryFolder()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: BlogModel.shared)
    let stores = try (0..<2).map { number in
      let url = URL(fileURLWithPath: folder.path).appendingPathComponent("\(number).sqlite")
      return try coordinator.addPersistentStore(type: .sqlite, configuration: nil, at: url, options: nil)
    }
    let (filling, context) = (NSManagedObjectContext(.privateQueue), NSManagedObjectContext(.privateQueue))
    (filling.persistentStoreCoordinator, context.persistentStoreCoordinator) = (coordinator, coordinator)
    try filling.performAndWait {
      for number in 0..<200 {
        let post = Post(context: filling)
        (post.title, post.views) = ("Post \(number)", Int64(number))
        filling.assign(post, to: stores[number % 2])
      }
      try filling.save()
    }
    try context.performAndWait { () throws in
      var posts = try context.fetch(request())
      #expect(posts.count == 200)
      #expect(known(posts) == 0)
      #expect(posts[21].title == "Post 21" && known(posts) == 20 && posts[39].committed != nil)
      #expect(posts.map(\.views) == Array(0..<200))
      context.reset()
      let paged = request()
      (paged.fetchOffset, paged.fetchLimit) = (3, 5)
      try post(4, context).views = 400
      posts = try context.fetch(paged)
      #expect(posts.map(\.title) == titles(3..<9, except: 4))
      paged.sortDescriptors = nil
      #expect(try context.fetch(paged).count == 5)
    }
  }

  @Test("[object-fetch-8] objects have all values, regardless of propertiesToFetch")
  func objectsHaveAllValuesRegardless() throws {
    let blog = try Blog()
    try fill(blog)
    let context = blog.context()
    try context.performAndWait { () throws in
      let request = request()
      request.fetchLimit = 2
      request.propertiesToFetch = [
        "views", try #require(BlogModel.shared.entitiesByName["Post"]?.propertiesByName["author"]),
      ]
      let posts = try context.fetch(request)
      #expect(posts.map(\.title) == ["Post 0", "Post 1"])
      #expect(posts.map(\.views) == [0, 1])
      posts[0].views = 9
      try context.save()
      context.reset()
      #expect(try post(0, context).views == 9)
    }
  }

  @Test("[object-fetch-8] an unknown property or groups of objects stop the process")
  func unknownPropertyOrGroupsOfObjectsStop() async {
    await #expect(processExitsWith: .failure) {
      let blog = try Blog()
      let context = blog.context()
      let request = Post.all()
      request.propertiesToFetch = ["nothing"]
      _ = try context.performAndWait { try context.fetch(request) }
    }
    await #expect(processExitsWith: .failure) {
      let blog = try Blog()
      let context = blog.context()
      let request = Post.all()
      request.propertiesToGroupBy = ["title"]
      _ = try context.performAndWait { try context.fetch(request) }
    }
  }
}

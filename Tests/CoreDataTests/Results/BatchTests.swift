import Foundation
import Testing

@testable import CoreData

@Suite("Batched fetches and prefetching")
struct BatchTests {
  private let blog: Blog
  private let context: NSManagedObjectContext
  private static let count = 2_000

  init() throws {
    blog = try Blog()
    let other = blog.context()
    context = blog.context()
    try other.performAndWait {
      let tags = (0..<3).map { number in
        let tag = Tag(context: other)
        tag.name = "\(number)"
        return tag
      }
      var author: Person?
      for number in 0..<Self.count {
        if number % 10 == 0 {
          author = Person(context: other)
          author?.name = "Person \(number / 10)"
        }
        let post = Post(context: other)
        (post.title, post.views, post.author) = ("Post \(number)", Int64(number), author)
        if number % 2 == 0 { post.addToTags(tags[number % 3]) }
      }
      try other.save()
    }
  }

  private func request(batch: Int = 0) -> NSFetchRequest<Post> {
    let request = Post.all()
    request.sortDescriptors = [NSSortDescriptor(key: "views", ascending: true)]
    request.fetchBatchSize = batch
    return request
  }

  /// Deletes all posts from the store without the context's knowledge: values it reads afterwards were cached before.
  private func removeAll() throws {
    let other = blog.context()
    try other.performAndWait {
      for post in try other.fetch(Post.all()) { other.delete(post) }
      for tag in try other.fetch(Tag.all()) { other.delete(tag) }
      other.propagateDeletions()
      for person in try other.fetch(Person.all()) { other.delete(person) }
      try other.save()
    }
  }

  @Test("[object-batch-1] values are read in batches, and only a few batches stay cached")
  func valuesAreReadInBatches() throws {
    try context.performAndWait { () throws in
      let posts = try context.fetch(request(batch: 20))
      #expect(posts.count == Self.count)
      #expect(posts.allSatisfy { $0.isFault && $0.committed == nil })
      #expect(posts[45].title == "Post 45")
      #expect(!posts[45].isFault && posts[40].committed != nil && posts[59].committed != nil)
      #expect(posts[39].committed == nil)
      #expect(posts[60].committed == nil)
      for (number, post) in posts.enumerated() { #expect(post.views == Int64(number)) }
      let known = posts.count { $0.committed != nil }
      #expect(known >= 500)
      #expect(known <= 540)
      #expect(posts[0].isFault)
      #expect(posts[0].title == "Post 0")
      // Objects with changes keep them.
      posts[1].title = "changed"
      posts[2].note = "transient"
      for post in posts { _ = post.views }
      #expect(posts[1].title == "changed")
      #expect(posts[2].note == "transient")
      try context.save()
    }
  }

  @Test("[object-batch-1] the objects of a fetch hold its batches, and nothing else does")
  func objectsHoldTheBatches() throws {
    try context.performAndWait { () throws in
      weak var group: FaultGroup?
      do {
        let posts = try context.fetch(request(batch: 20))
        for post in posts { _ = post.title }
        group = posts[0].group
        #expect(group != nil)
      }
      #expect(group == nil)
    }
  }

  @Test("[object-batch-2] another context's commit after values were released causes a conflict at the save")
  func anotherContextsCommitAfterValuesWereReleased() throws {
    try context.performAndWait { () throws in
      let posts = try context.fetch(request(batch: 20))
      let views = posts[3].views
      for post in posts { _ = post.title }
      #expect(posts[3].isFault)
      let other = blog.context()
      try other.performAndWait {
        let post = try #require(other.object(with: posts[3].objectID) as? Post)
        post.views = 100
        try other.save()
      }
      posts[3].views = views + 1
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .managedObjectMerge)
      context.refresh(posts[3], mergeChanges: false)
      #expect(posts[3].views == 100)
      posts[3].views += 1
      try context.save()
    }
  }

  @Test("[object-prefetch-1] relationships are prefetched for all objects at once", arguments: [0, 50])
  func relationshipsArePrefetchedForAllObjects(batch: Int) throws {
    try context.performAndWait { () throws in
      let request = request(batch: batch)
      request.fetchLimit = 50
      request.relationshipKeyPathsForPrefetching = ["author.written", "tags"]
      let posts = try context.fetch(request)
      _ = posts[0].title
      try removeAll()
      #expect(posts[25].author?.name == "Person 2")
      #expect(posts[25].author?.written?.count == 10)
      #expect(
        posts.map { ($0.tags?.allObjects.first as? Tag)?.name } == (0..<50).map { $0 % 2 == 0 ? "\($0 % 3)" : nil })
      // Without its cached values the context sees the deletion.
      context.reset()
      #expect(try context.count(for: Post.all()) == 0)
    }
  }

  @Test("[object-prefetch-1] a save and a merge discard prefetched values")
  func saveAndAMergeDiscardPrefetchedValues() throws {
    try context.performAndWait { () throws in
      let request = request()
      request.fetchLimit = 10
      request.relationshipKeyPathsForPrefetching = ["author.written"]
      let posts = try context.fetch(request)
      let new = Post(context: context)
      new.author = posts[0].author
      try context.save()
      #expect(posts[0].author?.written?.count == 11)
    }
  }

  @Test("[object-fault-9] members of a relationship are read together, and again after another context's commit")
  func membersOfARelationshipAreReadTogether() throws {
    func setTitle(_ title: String, of post: Post, by other: NSManagedObjectContext) throws {
      let url = post.objectID.uriRepresentation()
      try other.performAndWait {
        let id = try #require(other.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: url))
        let own = try #require(other.object(with: id) as? Post)
        own.title = title
        try other.save()
      }
    }
    let elsewhere = try Blog(blog.folder)
    let (inside, outside) = (blog.context(), elsewhere.context())
    try context.performAndWait { () throws in
      let request = Person.all()
      request.predicate = NSPredicate(format: "name == %@", "Person 7")
      let author = try #require(try context.fetch(request).first)
      let posts = (author.written?.compactMap { $0 as? Post } ?? []).sorted {
        ($0.objectID.number ?? 0) < ($1.objectID.number ?? 0)
      }
      #expect(posts.count == 10)
      #expect(posts.allSatisfy { $0.isFault })
      #expect(posts[0].title == "Post 70")
      #expect(posts[1].isFault)
      // Another process's commit does not invalidate cached values; a refresh reads the new ones.
      try setTitle("outside", of: posts[1], by: outside)
      #expect(posts[1].title == "Post 71")
      try setTitle("inside", of: posts[2], by: inside)
      #expect(posts[2].title == "inside")
      #expect(posts[3].title == "Post 73")
      context.refresh(posts[1], mergeChanges: false)
      #expect(posts[1].title == "outside")
      try setTitle("outside", of: posts[4], by: outside)
      context.refresh(posts[4], mergeChanges: false)
      #expect(posts[4].title == "outside")
      posts[2].title = "own"
      try context.save()
    }
    #expect(elsewhere.container.persistentStoreCoordinator.persistentStores.count == 1)
  }

  @Test(
    "[object-prefetch-2] a path is prefetched up to its first name that is no relationship",
    arguments: [
      "author.name", "nothing", "author.nothing.more", "", "title",
    ])
  func pathIsPrefetchedUpToItsFirst(path: String) throws {
    try context.performAndWait { () throws in
      let request = Post.all()
      let count = try context.count(for: request)
      request.relationshipKeyPathsForPrefetching = [path, "tags"]
      let posts = try context.fetch(request)
      #expect(posts.count == count)
      #expect(count > 0)
    }
  }

  @Test("[object-fetch-4] a fetch returns faults with values, without values, or realized objects")
  func fetchReturnsFaultsWithValuesWithoutValues() throws {
    try context.performAndWait { () throws in
      let request = request()
      request.fetchLimit = 5
      request.includesPropertyValues = false
      var posts = try context.fetch(request)
      #expect(posts.allSatisfy { $0.isFault && $0.committed == nil })
      request.includesPropertyValues = true
      posts = try context.fetch(request)
      #expect(posts.allSatisfy { $0.isFault && $0.committed != nil })
      request.returnsObjectsAsFaults = false
      posts = try context.fetch(request)
      #expect(posts.allSatisfy { !$0.isFault })
      request.fetchOffset = 100
      request.fetchBatchSize = 3
      posts = try context.fetch(request)
      #expect(posts[0].title == "Post 100")
      #expect(!posts[1].isFault)
      #expect(!posts[2].isFault)
      #expect(posts[3].isFault)
    }
  }

  @Test("[object-fetch-5] a second fetch refreshes objects if the request has that option")
  func secondFetchRefreshesObjectsIfTheRequest() throws {
    try context.performAndWait { () throws in
      let request = request(batch: 10)
      request.fetchLimit = 2
      let posts = try context.fetch(request)
      #expect(posts[0].title == "Post 0")
      posts[0].views = 7
      let other = blog.context()
      try other.performAndWait {
        let post = try #require(other.object(with: posts[0].objectID) as? Post)
        post.title = "new"
        post.views = 8
        try other.save()
      }
      request.sortDescriptors = [NSSortDescriptor(key: "identifier", ascending: true)]
      _ = try context.fetch(request)
      #expect(posts[0].title == "Post 0")
      request.shouldRefreshRefetchedObjects = true
      request.predicate = NSPredicate(format: "SELF == %@", posts[0])
      _ = try context.fetch(request)
      #expect(posts[0].title == "Post 0" || posts[0].title == "new")
      request.includesPendingChanges = false
      _ = try context.fetch(request)
      #expect(posts[0].title == "new")
      #expect(posts[0].views == 7)
    }
  }
}

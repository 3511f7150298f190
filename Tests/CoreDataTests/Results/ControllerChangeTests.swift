import CoreData
import Foundation
import Testing

@Suite("Reported changes of fetched results controllers")
struct ControllerChangeTests {
  private let blog: Blog
  private let context: NSManagedObjectContext
  private let recorder = Recorder()

  init() throws {
    blog = try Blog()
    let context = blog.context()
    self.context = context
    try context.performAndWait { () throws in
      let author = Person(context: context)
      author.name = "Ann"
      for title in ["A", "B", "C", "D"] {
        let post = Post(context: context)
        (post.title, post.author) = (title, author)
      }
      try context.save()
    }
  }

  private final class Recorder: NSFetchedResultsControllerDelegate {
    var changes: [String] = []
    var sections: [String] = []

    func controller(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
      didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
      for type: NSFetchedResultsChangeType
    ) {
      let count = "\(sectionInfo.numberOfObjects) \(sectionInfo.objects?.count ?? -1)"
      sections.append("\(type) \(sectionInfo.name) \(count)")
    }
    func controller(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
      at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
      let items = [indexPath, newIndexPath].map { $0.map { "\($0.item)" } ?? "-" }.joined(separator: " ")
      changes.append("\(type) \((anObject as? Post)?.content ?? (anObject as? Post)?.title ?? "") \(items)")
    }
  }

  /// Fetches all posts and calls the function on the context's queue.
  private func following(
    _ sort: String? = "title", sections: String? = nil,
    _ body: (NSFetchedResultsController<Post>, [Post]) throws -> Void
  ) throws {
    try context.performAndWait {
      let request = Post.all()
      request.sortDescriptors = sort.map { [NSSortDescriptor(key: $0, ascending: true)] } ?? []
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: sections, cacheName: nil)
      controller.delegate = recorder
      try controller.performFetch()
      try body(controller, try #require(controller.fetchedObjects))
    }
  }

  @Test("[controller-9] an object with an unchanged order is an update, even if another object moved past it")
  func objectWithAnUnchangedOrder() throws {
    try following { controller, posts in
      posts[0].title = "BB"
      posts[0].content = "moved"
      posts[1].content = "changed"
      context.processPendingChanges()
      #expect(recorder.changes == ["move moved 0 1", "update changed 1 0"])
      #expect(controller.fetchedObjects?.map(\.title) == ["B", "BB", "C", "D"])
    }
  }

  @Test("[controller-9] a merged object with an unchanged order is an update")
  func passedByMerge() throws {
    try following { _, posts in
      let ids = posts.map(\.objectID)
      let other = blog.context()
      try other.performAndWait { () throws in
        let posts = try ids.map { try #require(other.object(with: $0) as? Post) }
        (posts[2].title, posts[2].content) = ("AA", "moved")
        (posts[0].content, posts[1].content) = ("first", "second")
        try other.save()
      }
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectIDsKey: ids], into: [context])
      let changes = recorder.changes.filter { !$0.hasSuffix("3 3") }
      #expect(changes == ["move moved 2 1", "update first 0 0", "update second 1 2"])
    }
  }

  @Test("[controller-9] a new sort value that leaves the object at its index is an update")
  func newSortValueThatLeavesTheObject() throws {
    try following { _, posts in
      posts[1].title = "BB"
      context.delete(posts[0])
      context.processPendingChanges()
      #expect(recorder.changes == ["delete A 0 -", "update BB 1 0"])
    }
  }

  @Test("[controller-9] an object moves with the sort value of a related object")
  func byReference() throws {
    try following("author.name") { controller, posts in
      let bob = Person(context: context)
      bob.name = "Bob"
      posts[3].author = bob
      context.processPendingChanges()
      recorder.changes = []
      bob.name = "Al"
      posts[3].content = "moved"
      posts[0].content = "changed"
      context.processPendingChanges()
      #expect(recorder.changes == ["move moved 3 0", "update changed 0 1"])
      #expect(controller.fetchedObjects?.first == posts[3])
    }
  }

  @Test("[controller-10] the information about a deleted section has no objects")
  func deletedSection() throws {
    try following("title", sections: "title") { _, posts in
      posts[0].title = "Z"
      context.processPendingChanges()
      #expect(recorder.sections == ["delete A 0 0", "insert Z 1 1"])
    }
  }

  @Test("[controller-8] an empty list of sort descriptors is allowed")
  func emptyListOfSortDescriptorsIsAllowed() throws {
    try following(nil) { controller, posts in
      Post(context: context).title = "E"
      posts[1].content = "changed"
      context.processPendingChanges()
      #expect(recorder.changes == ["insert E - 4", "update changed 1 1"])
      #expect(controller.fetchedObjects?.map(\.title) == posts.map(\.title) + ["E"])
    }
  }

  @Test("[controller-11] saving changes that were pending at the fetch is no update")
  func savingChangesThatWerePending() throws {
    try context.performAndWait { () throws in
      let post = Post(context: context)
      post.title = "E"
      try #require(try context.post("A") as? Post).title = "AA"
      try following { controller, posts in
        #expect(posts.map(\.title) == ["AA", "B", "C", "D", "E"])
        try context.save()
        #expect(recorder.changes == [])
        post.title = "F"
        try context.save()
        #expect(recorder.changes == ["update F 4 4"])
      }
    }
  }

  @Test("[controller-11] a later change of a pending object is reported")
  func changedAfterFetch() throws {
    try context.performAndWait { () throws in
      let post = Post(context: context)
      post.title = "E"
      let first = try #require(try context.post("A") as? Post)
      first.title = "AA"
      try following { controller, posts in
        post.title = "0"
        first.title = "AB"
        try context.save()
        #expect(recorder.changes == ["move 0 4 0", "update AB 0 1"])
        #expect(controller.fetchedObjects?.map(\.title) == ["0", "AB", "B", "C", "D"])
      }
    }
  }

  @Test("[controller-6] after a reset the controller reports and fetches nothing until the next fetch")
  func afterAResetTheControllerReports() throws {
    try following { controller, posts in
      context.reset()
      #expect(controller.fetchedObjects == posts)
      Post(context: context).title = "E"
      try context.save()
      #expect(recorder.changes == [])
      #expect(controller.fetchedObjects == posts)
      try controller.performFetch()
      #expect(controller.fetchedObjects?.map(\.title) == ["A", "B", "C", "D", "E"])
      Post(context: context).title = "F"
      context.processPendingChanges()
      #expect(recorder.changes == ["insert F - 5"])
    }
  }

  @Test("[controller-6] a delegate set after a reset receives nothing until the next fetch")
  func lateDelegate() throws {
    try following { controller, _ in
      controller.delegate = nil
      context.reset()
      controller.delegate = recorder
      Post(context: context).title = "E"
      context.processPendingChanges()
      #expect(recorder.changes == [])
    }
  }
}

import CoreData
import Foundation
import Testing

@Suite("Fetched results controllers")
struct ControllerTests {
  private let blog: Blog
  private let context: NSManagedObjectContext

  init() throws {
    blog = try Blog()
    let context = blog.context()
    self.context = context
    try context.performAndWait { () throws in
      for (number, name) in ["Ann", "Adam", "Bob", "bea"].enumerated() {
        let author = Person(context: context)
        author.name = name
        for index in 0..<2 {
          let post = Post(context: context)
          (post.title, post.author, post.views) = ("\(name) \(index)", author, Int64(number))
        }
      }
      try context.save()
    }
  }

  private final class Recorder: NSFetchedResultsControllerDelegate {
    var lines: [String] = []
    var difference: CollectionDifference<NSManagedObjectID>?
    var title: (String) -> String? = { _ in nil }

    private func text(_ path: IndexPath?) -> String { path.map { "\($0.section).\($0.item)" } ?? "-" }

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
      lines = ["will"]
    }
    func controller(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
      didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
      for type: NSFetchedResultsChangeType
    ) {
      lines.append("section \(sectionInfo.name) \(type) \(sectionIndex)")
    }
    func controller(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
      at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
      lines.append("\((anObject as? Post)?.title ?? "gone") \(type) \(text(indexPath)) \(text(newIndexPath))")
    }
    func controller(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
      didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) { difference = diff }
    func controller(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
      sectionIndexTitleForSectionName sectionName: String
    ) -> String? { title(sectionName) }
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
      lines.append("did")
    }
  }

  private func made(
    _ sort: String..., sections: String? = nil, cache: String? = nil, in context: NSManagedObjectContext? = nil
  ) -> NSFetchedResultsController<Post> {
    let request = Post.all()
    request.sortDescriptors = sort.map { NSSortDescriptor(key: $0, ascending: true) }
    return NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context ?? self.context, sectionNameKeyPath: sections,
      cacheName: cache)
  }

  @Test("[controller-3] a controller has sections and their index titles")
  func controllerHasSectionsAndTheirIndexTitles() throws {
    try context.performAndWait { () throws in
      let controller = made("author.name", "title", sections: "author.name")
      #expect(controller.fetchedObjects == nil)
      #expect(controller.sections == nil)
      #expect(controller.managedObjectContext === context)
      #expect(controller.sectionNameKeyPath == "author.name")
      try controller.performFetch()
      #expect(controller.sections?.map(\.name) == ["Adam", "Ann", "Bob", "bea"])
      #expect(controller.sections?.map(\.numberOfObjects) == [2, 2, 2, 2])
      #expect(controller.sections?[2].objects?.compactMap { ($0 as? Post)?.title } == ["Bob 0", "Bob 1"])
      #expect(controller.sections?.map(\.indexTitle) == ["A", "A", "B", "B"])
      #expect(controller.sectionIndexTitles == ["A", "B"])
      #expect(controller.sectionIndexTitle(forSectionName: "") == nil)
      #expect(controller.section(forSectionIndexTitle: "B", at: 1) == 2)
      let recorder = Recorder()
      recorder.title = { String($0.suffix(1)) }
      controller.delegate = recorder
      #expect(controller.sectionIndexTitles == ["m", "n", "b", "a"])
      #expect(controller.object(at: IndexPath(item: 1, section: 3)).title == "bea 1")
      let numbers = made("views", sections: "views")
      try numbers.performFetch()
      #expect(numbers.sections?.map(\.name) == ["0", "1", "2", "3"])
      let truths = made("isDraft", sections: "isDraft")
      try truths.performFetch()
      #expect(truths.sections?.map(\.name) == ["1"])
    }
  }

  @Test("[controller-4] section changes are reported first, then deletions, insertions, moves and updates")
  func sectionChangesAreReportedFirstThenDeletions() throws {
    try context.performAndWait { () throws in
      let controller = made("author.name", "title", sections: "author.name")
      let recorder = Recorder()
      controller.delegate = recorder
      try controller.performFetch()
      let posts = try #require(controller.fetchedObjects)
      let (adam, ann) = (posts[0].author, posts[2].author)
      let carl = Person(context: context)
      carl.name = "Carl"
      posts[0].author = carl
      context.delete(posts[1])
      let new = Post(context: context)
      (new.title, new.author) = ("Ann new", ann)
      posts[2].views = 9
      context.processPendingChanges()
      #expect(
        recorder.lines == [
          "will", "section Adam delete 0", "section Carl insert 2", "gone delete 0.1 -", "Ann new insert - 0.2",
          "Adam 0 move 0.0 2.0", "Ann 0 update 1.0 0.0", "did",
        ] || recorder.lines[3] == "Adam 1 delete 0.1 -", "\(recorder.lines)")
      #expect(controller.sections?.map(\.name) == ["Ann", "Bob", "Carl", "bea"])
      #expect(recorder.difference?.insertions.count == 2)
      #expect(recorder.difference?.removals.count == 2)
      #expect(adam?.written?.count == 0)
    }
  }

  @Test("[controller-4] changed objects with equal sort values keep their index")
  func changedObjectsWithEqualSortValuesKeep() throws {
    try context.performAndWait { () throws in
      let controller = made("views")
      let recorder = Recorder()
      controller.delegate = recorder
      try controller.performFetch()
      let posts = try #require(controller.fetchedObjects)
      posts[2].content = "new"
      context.processPendingChanges()
      #expect(recorder.lines == ["will", "\(posts[2].title ?? "") update 0.2 0.2", "did"])
      #expect(controller.fetchedObjects == posts)
      posts[2].views = 3
      context.processPendingChanges()
      #expect(recorder.lines == ["will", "\(posts[2].title ?? "") move 0.2 0.5", "did"])
    }
  }

  @Test("[controller-5] a changed request applies at the next fetch; a cache has to be deleted first")
  func changedRequestAppliesAtTheNextFetch() async throws {
    try context.performAndWait { () throws in
      let controller = made("title", cache: "refetch")
      try controller.performFetch()
      #expect(controller.fetchedObjects?.count == 8)
      #expect(controller.cacheName == "refetch")
      try controller.performFetch()
      NSFetchedResultsController<Post>.deleteCache(withName: "refetch")
      controller.fetchRequest.predicate = NSPredicate(format: "title BEGINSWITH 'A'")
      try controller.performFetch()
      #expect(controller.fetchedObjects?.count == 4)
    }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let tests = try ControllerTests()
      try tests.context.performAndWait { () throws in
        let controller = tests.made("title", cache: "illegal")
        try controller.performFetch()
        controller.fetchRequest.predicate = NSPredicate(format: "title BEGINSWITH 'A'")
        try controller.performFetch()
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("The persistent cache of section information does not match the current configuration."))
  }

  @Test("[controller-7] objects that are not in the order of their sections are an error")
  func outOfOrder() throws {
    try context.performAndWait { () throws in
      let controller = made("title", sections: "isDraft")
      let post = try #require(try context.fetch(Post.all()).first { $0.title == "Ann 1" })
      post.isDraft = false
      let error = #expect(throws: CocoaError.self) { try controller.performFetch() }
      #expect(error?.code == .coreData)
      #expect(controller.fetchedObjects == nil)
      #expect((error?.userInfo["reason"] as? String)?.contains("has an out of order section name '1.") == true)
    }
  }

  @Test("[controller-1] a child's controller shows pending changes of the parent")
  func childsControllerShowsPendingChanges() throws {
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = context
    child.automaticallyMergesChangesFromParent = true
    let recorder = Recorder()
    let controller = try child.performAndWait { () throws in
      let controller = made("title", in: child)
      controller.delegate = recorder
      try controller.performFetch()
      #expect(controller.fetchedObjects?.count == 8)
      return controller
    }
    try context.performAndWait { () throws in
      Post(context: context).title = "AAA"
      try context.save()
    }
    child.performAndWait {
      #expect(controller.fetchedObjects?.first?.title == "AAA")
      #expect(recorder.lines == ["will", "AAA insert - 0.0", "did"])
    }
  }

  @Test("[controller-8] a controller without sort descriptors or with another result type raises an exception")
  func controllerWithoutSortDescriptors() async {
    await #expect(processExitsWith: .failure) {
      let tests = try ControllerTests()
      let request = Post.all()
      request.sortDescriptors = nil
      _ = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: tests.context, sectionNameKeyPath: nil, cacheName: nil)
    }
    await #expect(processExitsWith: .failure) {
      let tests = try ControllerTests()
      let controller = tests.made("title")
      controller.fetchRequest.resultType = .dictionaryResultType
      try tests.context.performAndWait { try controller.performFetch() }
    }
  }
}

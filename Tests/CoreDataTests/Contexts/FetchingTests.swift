import CoreData
import Foundation
import Testing

@Suite("Fetches and fetched results controllers")
struct FetchingTests {
  private let blog: Blog
  private let context: NSManagedObjectContext

  init() throws {
    blog = try Blog()
    let context = blog.context()
    self.context = context
    try context.performAndWait {
      let ann = Person(context: context)
      ann.name = "Ann"
      for (number, title) in ["cherry", "apple", "banana", nil].enumerated() {
        let post = Post(context: context)
        post.title = title
        post.views = Int64(number)
        if number < 2 { post.author = ann }
      }
      let writer = Writer(context: context)
      writer.name = "Wim"
      try context.save()
    }
  }

  private func request(_ predicate: NSPredicate? = nil) -> NSFetchRequest<Post> {
    let request = Post.all()
    request.predicate = predicate
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    return request
  }

  @Test("[object-fetch-2] a fetch honours order, limit and offset")
  func fetchHonoursOrderLimitAndOffset() throws {
    try context.performAndWait {
      let request = request()
      let all = try context.fetch(request)
      #expect(all.map(\.title) == [nil, "apple", "banana", "cherry"])
      request.fetchLimit = 2
      request.fetchOffset = 1
      #expect(try context.fetch(request).map(\.title) == ["apple", "banana"])
      #expect(try context.count(for: request) == 2)
      request.sortDescriptors = [
        NSSortDescriptor(key: "author.name", ascending: false), NSSortDescriptor(key: "views", ascending: false),
      ]
      request.fetchOffset = 0
      #expect(try context.fetch(request).map(\.title) == ["apple", "cherry"])
    }
  }

  @Test("[object-fetch-1] a fetch includes pending changes")
  func fetchIncludesPendingChanges() throws {
    try context.performAndWait {
      let posts = try context.fetch(request())
      posts[1].title = "zebra"
      context.delete(posts[2])
      Post(context: context).title = "aardvark"
      #expect(try context.fetch(request()).map(\.title) == [nil, "aardvark", "cherry", "zebra"])
      let wanted = request(NSPredicate(format: "title BEGINSWITH %@", "z"))
      #expect(try context.fetch(wanted).map(\.title) == ["zebra"] && context.count(for: wanted) == 1)
      let limited = request()
      limited.fetchLimit = 2
      limited.fetchOffset = 1
      #expect(try context.fetch(limited).map(\.title) == ["aardvark", "cherry"])
      let stored = request()
      stored.includesPendingChanges = false
      #expect(try context.count(for: stored) == 4)
    }
  }

  @Test("[object-fetch-3] predicates take objects, identities and relationships")
  func predicatesTakeObjectsIdentities() throws {
    try context.performAndWait {
      let ann = try #require(try context.fetch(Person.all()).first { $0.name == "Ann" })
      let post = try #require(try context.fetch(request(NSPredicate(format: "title == %@", "apple"))).first)
      func titles(_ predicate: NSPredicate) throws -> [String?] { try context.fetch(request(predicate)).map(\.title) }
      #expect(try titles(NSPredicate(format: "author == %@", ann)) == ["apple", "cherry"])
      #expect(try titles(NSPredicate(format: "author == %@", ann.objectID)) == ["apple", "cherry"])
      #expect(try titles(NSPredicate(format: "author == nil")) == [nil, "banana"])
      #expect(try titles(NSPredicate(format: "self == %@", post)) == ["apple"])
      #expect(try titles(NSPredicate(format: "SELF IN %@", [post])) == ["apple"])
      #expect(try titles(NSPredicate(format: "author.name == %@ AND views > %d", "Ann", 0)) == ["apple"])
      let people = NSFetchRequest<Person>(entityName: "Person")
      people.predicate = NSPredicate(format: "ANY written.title == %@ OR written.@count == 0", "cherry")
      #expect(Set(try context.fetch(people).map(\.name)) == ["Ann", "Wim"])
    }
  }

  @Test("a fetch returns subentities, identities or a count as requested")
  func fetchReturnsSubentitiesIdentitiesOrACount() throws {
    try context.performAndWait {
      let people = Person.all()
      let found = try context.fetch(people)
      #expect(found.count == 2)
      #expect(found.contains { $0 is Writer })
      people.includesSubentities = false
      #expect(try context.fetch(people).map(\.name) == ["Ann"])
      let ids = NSFetchRequest(entityName: "Post") as NSFetchRequest<NSManagedObjectID>
      ids.resultType = .managedObjectIDResultType
      #expect(try Set(context.fetch(ids)) == Set(context.fetch(request()).map(\.objectID)))
      let any = NSFetchRequest<any NSFetchRequestResult>(entityName: "Post")
      let objects = try context.fetch(any)
      #expect(objects.count == 4)
      #expect(Set(objects.compactMap { ($0 as AnyObject as? Post)?.title }).count == 3)
      let count = NSFetchRequest<NSNumber>(entityName: "Post")
      count.resultType = .countResultType
      #expect(try context.fetch(count) == [4])
      #expect(Post.entity().name == "Post")
      #expect(Writer.entity().superentity?.name == "Person")
    }
  }

  // MARK: Controllers

  private final class Recorder: NSFetchedResultsControllerDelegate {
    var lines: [String] = []
    var titles: [String?] = []
    weak var own: NSFetchedResultsController<Post>?

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
      lines = ["will"]
    }

    func controller(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
      at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
      func text(_ path: IndexPath?) -> String { path.map { "\($0.section).\($0.item)" } ?? "-" }
      lines.append("\((anObject as? Post)?.title ?? "nil") \(type) \(text(indexPath)) \(text(newIndexPath))")
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
      #expect(controller === own)
      for object in controller.fetchedObjects ?? [] { titles.append((object as AnyObject as? Post)?.title) }
      lines.append("did")
    }
  }

  @Test("[controller-1] a delegate receives each change; [controller-2] it is passed its own controller")
  func controller() throws {
    try context.performAndWait {
      let controller = NSFetchedResultsController(
        fetchRequest: request(NSPredicate(format: "title != nil")), managedObjectContext: context,
        sectionNameKeyPath: nil, cacheName: nil)
      let recorder = Recorder()
      recorder.own = controller
      controller.delegate = recorder
      try controller.performFetch()
      #expect(controller.fetchedObjects?.map(\.title) == ["apple", "banana", "cherry"])
      #expect(controller.object(at: IndexPath(item: 1, section: 0)).title == "banana")
      #expect(controller.sections?.count == 1 && controller.sections?[0].numberOfObjects == 3)

      let new = Post(context: context)
      new.title = "avocado"
      context.processPendingChanges()
      #expect(recorder.lines == ["will", "avocado insert - 0.1", "did"])
      #expect(recorder.titles == ["apple", "avocado", "banana", "cherry"])
      new.title = "zucchini"
      context.processPendingChanges()
      #expect(recorder.lines == ["will", "zucchini move 0.1 0.3", "did"])
      new.views = 5
      context.processPendingChanges()
      #expect(recorder.lines == ["will", "zucchini update 0.3 0.3", "did"])
      new.title = nil
      context.processPendingChanges()
      #expect(recorder.lines == ["will", "nil delete 0.3 -", "did"])
      context.delete(controller.object(at: IndexPath(item: 0, section: 0)))
      try context.save()
      #expect(controller.fetchedObjects?.map(\.title) == ["banana", "cherry"])
      #expect(controller.indexPath(forObject: controller.fetchedObjects![1]) == IndexPath(item: 1, section: 0))
    }
  }

  @Test("[controller-1] a controller shows another context's save once it is merged")
  func controllerShowsAnotherContextsSaveOnce() throws {
    let other = blog.context()
    let controller = try context.performAndWait {
      context.automaticallyMergesChangesFromParent = true
      let controller = NSFetchedResultsController(
        fetchRequest: request(), managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
      try controller.performFetch()
      return controller
    }
    let recorder = Recorder()
    recorder.own = controller
    context.performAndWait { controller.delegate = recorder }
    try other.performAndWait {
      Post(context: other).title = "blueberry"
      let apple = try #require(try other.fetch(request(NSPredicate(format: "title == 'apple'"))).first)
      other.delete(apple)
      let cherry = try #require(try other.fetch(request(NSPredicate(format: "title == 'cherry'"))).first)
      cherry.title = "Cherry"
      try other.save()
    }
    context.performAndWait {
      #expect(controller.fetchedObjects?.map(\.title) == [nil, "Cherry", "banana", "blueberry"])
      #expect(recorder.lines.first == "will")
      #expect(recorder.lines.last == "did")
      #expect(recorder.lines.count == 5)
      #expect(Set(recorder.lines[1..<4]) == ["blueberry insert - 0.3", "apple delete 0.1 -", "Cherry move 0.3 0.1"])
    }
  }

  @Test("a controller divides objects into sections by a key path")
  func controllerDividesObjectsIntoSections() throws {
    try context.performAndWait {
      let request = request()
      request.sortDescriptors = [
        NSSortDescriptor(key: "author.name", ascending: true), NSSortDescriptor(key: "title", ascending: true),
      ]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "author.name", cacheName: nil)
      try controller.performFetch()
      #expect(controller.sections?.map(\.name) == ["", "Ann"])
      #expect(controller.sections?.map(\.numberOfObjects) == [2, 2])
      #expect(controller.sectionIndexTitles == ["A"])
      #expect(controller.object(at: IndexPath(item: 0, section: 1)).title == "apple")
    }
  }
}

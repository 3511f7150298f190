import Foundation
import Testing

@testable import CoreData

@Suite("Inserting, changing and saving of objects")
struct InsertingTests {
  private let blog: Blog
  private let context: NSManagedObjectContext

  init() throws {
    blog = try Blog()
    context = blog.context()
  }

  @Test("[object-insert-1] a new object has defaults and receives awakeFromInsert once")
  func newObjectHasDefaultsAndReceives() throws {
    try context.performAndWait {
      let post = Post(context: context)
      #expect(post.views == 0)
      #expect(post.isDraft)
      #expect(post.title == nil)
      #expect(post.rating == 0)
      #expect(post.calls == ["awakeFromInsert"])
      #expect(post.date == Date(timeIntervalSinceReferenceDate: 1))
      #expect(post.isInserted)
      #expect(!post.isUpdated)
      #expect(post.hasChanges)
      #expect(!post.isFault)
      #expect(post.entity.name == "Post")
      #expect(post.managedObjectContext === context)
      try context.save()
      let other = blog.context()
      let again = try #require(try other.fetch(Post.all()).first)
      #expect(again.isDraft)
      #expect(again.date == Date(timeIntervalSinceReferenceDate: 1))
      #expect(again.calls == ["awakeFromFetch"])
    }
  }

  @Test("[object-insert-2] setting an equal value marks an object as updated without changed values")
  func equalValue() throws {
    try context.performAndWait {
      let post = Post(context: context)
      post.title = "One"
      try context.save()
      #expect(!context.hasChanges)
      post.title = "One"
      #expect(post.hasChanges)
      #expect(post.isUpdated)
      #expect(context.hasChanges)
      #expect(post.changedValues().isEmpty)
      #expect(!post.hasPersistentChangedValues)
      post.title = "Two"
      #expect(post.changedValues() as? [String: String] == ["title": "Two"])
      #expect(post.committedValues(forKeys: ["title"]) as? [String: String] == ["title": "One"])
    }
  }

  @Test("[object-insert-3] a context reports inserted, updated and deleted objects in separate sets")
  func contextReportsInsertedUpdatedAndDeleted() throws {
    try context.performAndWait {
      let kept = Post(context: context)
      let dropped = Post(context: context)
      try context.save()
      #expect(context.insertedObjects.isEmpty)
      #expect(context.updatedObjects.isEmpty)
      #expect(!context.hasChanges)
      kept.title = "Changed"
      dropped.title = "Changed, too"
      context.delete(dropped)
      let new = Post(context: context)
      new.title = "New"
      #expect(context.insertedObjects == [new])
      #expect(context.updatedObjects == [kept])
      #expect(context.deletedObjects == [dropped])
    }
  }

  @Test("[object-insert-4] required values are validated at the save")
  func requiredValuesAreValidatedAtTheSave() throws {
    try context.performAndWait {
      let tag = Tag(context: context)
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.domain == NSCocoaErrorDomain)
      #expect(error?.code == NSValidationMissingMandatoryPropertyError)
      #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "name")
      #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === tag)
      _ = Tag(context: context)
      let both = #expect(throws: NSError.self) { try context.save() }
      #expect(both?.code == NSValidationMultipleErrorsError)
      #expect((both?.userInfo[NSDetailedErrorsKey] as? [NSError])?.count == 2)
      #expect(context.insertedObjects.count == 2)
      for case let tag as Tag in context.insertedObjects { tag.name = "named" }
      try context.save()
    }
  }

  /// A child process passes an object of one context to another context.
  private static func misplace(_ body: (NSManagedObjectContext, Post) throws -> Void) throws {
    let blog = try Blog()
    let (own, other) = (blog.context(), blog.context())
    let post = try own.performAndWait {
      let post = Post(context: own)
      try own.save()
      return post
    }
    try body(other, post)
  }

  @Test("[object-insert-5] passing an object of another context raises an exception")
  func otherContexts() async {
    let saying: [any PartialKeyPath<ExitTest.Result> & Sendable] = [\.standardErrorContent]
    func expectStop(_ result: ExitTest.Result?, _ verb: String) {
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      let reason = "An NSManagedObjectContext cannot \(verb) objects in other contexts."
      #expect(text.contains("'NSInvalidArgumentException', reason: '\(reason)'"), "\(text)")
    }
    expectStop(
      await #expect(processExitsWith: .failure, observing: saying) { try Self.misplace { $0.delete($1) } }, "delete")
    expectStop(
      await #expect(processExitsWith: .failure, observing: saying) {
        try Self.misplace { $0.refresh($1, mergeChanges: true) }
      }, "refresh")
    expectStop(
      await #expect(processExitsWith: .failure, observing: saying) {
        try Self.misplace { $0.detectConflicts(for: $1) }
      },
      "detect conflicts for")
    expectStop(
      await #expect(processExitsWith: .failure, observing: saying) {
        try Self.misplace { try $0.obtainPermanentIDs(for: [$1]) }
      }, "obtain permanent IDs for")
  }

  @Test("[object-insert-5] deleting or refreshing an object of a reset context has no effect")
  func resetContext() throws {
    try context.performAndWait {
      let post = Post(context: context)
      try context.save()
      context.reset()
      context.delete(post)
      context.refresh(post, mergeChanges: false)
      #expect(!context.hasChanges)
      #expect(try context.count(for: Post.all()) == 1)
    }
  }

  @Test("[object-save-1] a save makes temporary identities permanent")
  func saveMakesTemporaryIdentitiesPermanent() throws {
    try context.performAndWait {
      let post = Post(context: context)
      let early = Post(context: context)
      let temporary = post.objectID
      #expect(temporary.isTemporaryID)
      #expect(temporary.persistentStore == nil)
      #expect(temporary.uriRepresentation().absoluteString.hasPrefix("x-coredata:///Post/t"))
      try context.obtainPermanentIDs(for: [early])
      let permanent = early.objectID
      #expect(!permanent.isTemporaryID)
      #expect(early.isInserted)
      #expect(permanent.persistentStore === blog.store)
      try context.save()
      #expect(early.objectID == permanent)
      #expect(post.objectID != temporary)
      #expect(!post.objectID.isTemporaryID)
      let url = post.objectID.uriRepresentation()
      #expect(url.absoluteString.hasPrefix("x-coredata://\(blog.store.identifier!)/Post/p"))
      #expect(
        context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: url) == post.objectID)
      #expect(context.registeredObject(for: post.objectID) === post)
      let other = blog.context()
      #expect(try other.existingObject(with: permanent).objectID == permanent)
    }
  }

  @Test("[object-save-2] a save without changes writes nothing and posts its notifications without objects")
  func saveWithoutChangesWritesNothingAndPosts() throws {
    try context.performAndWait {
      nonisolated(unsafe) var infos: [[AnyHashable: Any]?] = []
      let names = [
        NSManagedObjectContext.willSaveObjectsNotification, NSManagedObjectContext.didSaveObjectsNotification,
        NSManagedObjectContext.didSaveObjectIDsNotification,
      ]
      let observers = names.map { name in
        NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { infos.append($0.userInfo) }
      }
      try context.save()
      for observer in observers { NotificationCenter.default.removeObserver(observer) }
      #expect(infos.map { $0?.count ?? 0 } == [0, 0, 0])
      #expect(try blog.store.objects.read { try $0.head() } == 0)
    }
  }

  @Test("[object-save-2] an object that an observer inserts during a save without changes is saved")
  func insertingWhileSaving() throws {
    try context.performAndWait {
      let (name, context) = (NSManagedObjectContext.willSaveObjectsNotification, context)
      let observer = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { _ in
        _ = Post(context: context)
      }
      try context.save()
      NotificationCenter.default.removeObserver(observer)
      #expect(!context.hasChanges)
      #expect(try blog.context().count(for: Post.all()) == 1)
    }
  }

  @Test("[object-save-3] notifications and object methods of a save have a fixed order")
  func notificationsAndObjectMethodsOfASave() throws {
    try context.performAndWait {
      nonisolated(unsafe) var post: Post?
      nonisolated(unsafe) var calls: [String] = []
      let observers = [
        NSManagedObjectContext.willSaveObjectsNotification, NSManagedObjectContext.didSaveObjectsNotification,
      ].map { name in
        NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { _ in
          calls.append(name == NSManagedObjectContext.willSaveObjectsNotification ? "before" : "after")
          calls += post?.calls ?? []
        }
      }
      post = Post(context: context)
      try context.save()
      for observer in observers { NotificationCenter.default.removeObserver(observer) }
      let saving = ["awakeFromInsert", "willSave", "validate"]
      #expect(calls == ["before"] + saving + ["after"] + saving + ["didSave"])
    }
  }

  @Test("[object-save-5] a store returns every type of attribute except transient ones")
  func storeReturnsEveryTypeOfAttributeExcept() throws {
    let id = UUID()
    try context.performAndWait {
      let post = Post(context: context)
      post.title = "Tïtle \u{1F600}"
      post.views = .max
      post.date = Date(timeIntervalSinceReferenceDate: 1234.56789)
      post.rating = -0.1
      post.isDraft = false
      post.identifier = id
      post.link = URL(string: "https://example.com/a?b#c")
      post.price = NSDecimalNumber(string: "12.3400000000000000001")
      post.image = Data([0, 255, 1])
      post.note = "only here"
      try context.save()
      #expect(post.note == "only here")
    }
    let other = blog.context()
    try other.performAndWait {
      let post = try #require(try other.fetch(Post.all()).first)
      #expect(post.isFault)
      #expect(post.title == "Tïtle \u{1F600}")
      #expect(post.views == .max)
      #expect(post.rating == -0.1)
      #expect(!post.isDraft)
      #expect(post.date == Date(timeIntervalSinceReferenceDate: 1234.56789))
      #expect(post.identifier == id)
      #expect(post.link == URL(string: "https://example.com/a?b#c"))
      #expect(post.image == Data([0, 255, 1]))
      #expect(post.price == NSDecimalNumber(string: "12.3400000000000000001"))
      #expect(post.note == nil)
      #expect(post.value(forKey: "views") as? Int == Int.max)
      #expect(post.value(forKey: "isDraft") as? Bool == false)
    }
  }
}

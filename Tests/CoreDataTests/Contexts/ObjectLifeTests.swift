import Foundation
import Synchronization
import Testing

@testable import CoreData

/// An object that records the calls it receives, and changes itself when it is saved.
final class Diary: NSManagedObject {
  var events: [NSSnapshotEventType] = []
  var savings = 0
  /// The number of saves that change the text; below 0, every save changes it.
  var changes = 0

  override func willSave() {
    super.willSave()
    savings += 1
    guard changes != 0 else { return }
    changes -= 1
    setValue("saved \(savings)", forKey: "text")
  }

  override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
    super.awake(fromSnapshotEvents: flags)
    events.append(flags)
  }

  static func container() throws -> NSPersistentContainer {
    let entity = NSEntityDescription()
    entity.name = "Diary"
    entity.managedObjectClassName = NSStringFromClass(Diary.self)
    let text = BlogModel.attribute("text", .string)
    entity.properties = [text]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let container = NSPersistentContainer(name: "Diary", managedObjectModel: model)
    container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: "/dev/null")
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    return container
  }
}

/// An object with a class that does not call `super`.
final class Careless: NSManagedObject {
  override func validateForUpdate() throws {}
}

@Suite("Calls that objects receive")
struct ObjectLifeTests {
  // [object-save-6]
  @Test("willSave is called again as long as the object changes itself")
  func willSave() throws {
    let container = try Diary.container()
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let diary = Diary(context: context)
      diary.changes = 2
      try context.save()
      #expect(diary.savings == 3)
      #expect(diary.value(forKey: "text") as? String == "saved 2")
      #expect(!context.hasChanges)
      diary.setValue("other", forKey: "text")
      try context.save()
      #expect(diary.savings == 4)
    }
  }

  // [object-save-6]
  @Test("an object that changes itself in every willSave stops the process")
  func objectThatChangesItselfInEveryWillSave() async {
    await #expect(processExitsWith: .failure) {
      let container = try Diary.container()
      let context = container.newBackgroundContext()
      try context.performAndWait {
        Diary(context: context).changes = -1
        try context.save()
      }
    }
  }

  // [object-fault-8]
  @Test("a rollback and a refresh call awake(fromSnapshotEvents:)")
  func rollbackAndARefreshCallAwake() throws {
    let container = try Diary.container()
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let diary = Diary(context: context)
      diary.setValue("one", forKey: "text")
      try context.save()
      diary.setValue("two", forKey: "text")
      context.rollback()
      #expect(diary.events == [.rollback])
      #expect(diary.value(forKey: "text") as? String == "one")
      let other = container.newBackgroundContext()
      try other.performAndWait {
        try other.existingObject(with: diary.objectID).setValue("three", forKey: "text")
        try other.save()
      }
      context.refresh(diary, mergeChanges: true)
      #expect(diary.events == [.rollback, .refresh])
      #expect(diary.value(forKey: "text") as? String == "three")
      context.delete(diary)
      context.rollback()
      #expect(diary.events == [.rollback, .refresh, .rollback])
      #expect(!diary.isDeleted)
    }
    #expect(
      [NSSnapshotEventType.undoInsertion, .undoDeletion, .undoUpdate, .rollback, .refresh, .mergePolicy].map(\.rawValue)
        == [2, 4, 8, 16, 32, 64])
  }

  // [object-save-7]
  @Test("a failed save leaves all changes pending; it succeeds once the cause is corrected")
  func failedSaveLeavesAllChangesPending() throws {
    let blog = try Blog()
    let context = blog.context()
    try context.performAndWait {
      let (post, tag) = (Post(context: context), Tag(context: context))
      post.addToTags(tag)
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSValidationMissingMandatoryPropertyError)
      #expect(context.insertedObjects == [post, tag])
      #expect(post.objectID.isTemporaryID)
      #expect(post.tags as? Set<Tag> == [tag])
      tag.name = "red"
      try context.save()
      #expect(!context.hasChanges)
      #expect(!post.objectID.isTemporaryID)
    }
  }

  // [object-fault-7]
  @Test("a relationship's fault fires separately from the object's")
  func relationshipFault() throws {
    let blog = try Blog()
    let context = blog.context()
    try context.performAndWait {
      let person = Person(context: context)
      person.name = "Ann"
      Post(context: context).author = person
      try context.save()
      context.reset()
      let again = try #require(try context.fetch(Person.all()).first)
      #expect(again.name == "Ann")
      #expect(!again.isFault)
      #expect(again.hasFault(forRelationshipNamed: "written"))
      #expect(again.written?.count == 1)
      #expect(!again.hasFault(forRelationshipNamed: "written"))
    }
  }

  // [object-inverse-1] [object-inverse-3]
  @Test("removing an object from a to-many relationship clears its inverse and changes nothing more")
  func takenOut() throws {
    let blog = try Blog()
    let context = blog.context()
    try context.performAndWait {
      let (person, post) = (Person(context: context), Post(context: context))
      person.written = NSSet(object: post)
      try context.save()
      person.written = NSSet()
      #expect(post.author == nil)
      #expect(post.isUpdated)
      #expect(person.isUpdated)
      #expect(Array(post.changedValues().keys) == ["author"])
      #expect(Array(person.changedValues().keys) == ["written"])
    }
  }

  // [object-merge-3]
  @Test("a merge adds inserted objects and removes deleted ones")
  func mergeAddsInsertedObjectsAndRemovesDeleted() throws {
    let blog = try Blog()
    let (context, other) = (blog.context(), blog.context())
    try context.performAndWait {
      let old = Post(context: context)
      try context.save()
      let copy = try #require(try other.fetch(Post.all()).first)
      other.automaticallyMergesChangesFromParent = true
      let new = Post(context: context)
      new.title = "new"
      context.delete(old)
      try context.save()
      other.performAndWait {}
      #expect(copy.managedObjectContext == nil)
      #expect((other.object(with: new.objectID) as? Post)?.title == "new")
      #expect(try other.fetch(Post.all()).map(\.title) == ["new"])
    }
  }

  // [object-lock-4]
  @Test("no merge policy saves changes of an object that another context deleted", arguments: policies)
  func noMergePolicySavesChanges(_ type: NSMergePolicyType) throws {
    let blog = try Blog()
    let (context, other) = (blog.context(), blog.context())
    try context.performAndWait {
      let post = Post(context: context)
      try context.save()
      let copy = try #require(try other.existingObject(with: post.objectID) as? Post)
      copy.title = "Mine"
      context.delete(post)
      try context.save()
      let error = #expect(throws: NSError.self) { try other.save() }
      let conflicts = try #require(error?.userInfo["conflictList"] as? [NSMergeConflict])
      #expect(conflicts.map(\.persistedSnapshot?.count) == [nil])
      #expect(copy.title == "Mine")
      other.mergePolicy = NSMergePolicy(merge: type)
      try other.save()
      #expect(copy.managedObjectContext == nil)
      #expect(!other.hasChanges)
      #expect(try other.count(for: Post.all()) == 0)
    }
  }

  private static let policies: [NSMergePolicyType] = [
    .mergeByPropertyStoreTrumpMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType,
    .rollbackMergePolicyType,
  ]

  // [object-lock-4]
  @Test("a save writes no reference to an object that another context deleted", arguments: policies, [true, false])
  func saveWritesNoReferenceToAnObject(_ type: NSMergePolicyType, isNew: Bool) throws {
    let blog = try Blog()
    let (context, other) = (blog.context(), blog.context())
    other.mergePolicy = NSMergePolicy(merge: type)
    try context.performAndWait {
      let (post, gone, tag, attachment) = (
        Post(context: context), Post(context: context), Tag(context: context), Attachment(context: context)
      )
      tag.name = "T"
      try context.save()
      let lost = try #require(try other.existingObject(with: gone.objectID) as? Post)
      let lostTag = try #require(try other.existingObject(with: tag.objectID) as? Tag)
      let ours = isNew ? Post(context: other) : try #require(try other.existingObject(with: post.objectID) as? Post)
      let part =
        isNew
        ? Attachment(context: other)
        : try #require(try other.existingObject(with: attachment.objectID) as? Attachment)
      ours.addToTags(lostTag)
      ours.title = "ours"
      part.post = lost
      part.size = 7
      context.delete(gone)
      context.delete(tag)
      try context.save()
      try other.save()
      #expect(ours.title == "ours")
      #expect(ours.tags?.count == 0)
      #expect(part.post == nil)
      #expect(part.size == 7)
      #expect(lost.managedObjectContext == nil)
      #expect(lostTag.managedObjectContext == nil)
      #expect(!other.hasChanges)
      let third = blog.context()
      #expect((try third.existingObject(with: ours.objectID) as? Post)?.tags?.count == 0)
      #expect((try third.existingObject(with: part.objectID) as? Attachment)?.post == nil)
      #expect(try blog.store.objects.check() == [])
    }
  }

  // [object-lock-4]
  @Test(
    "a save writes no reference to an object that a merge removed, with or without validation",
    arguments: [true, false])
  func mergedReference(validates: Bool) throws {
    let type = validates ? NSManagedObject.self : Careless.self
    let model = PlaylistModel.make { $0["Song"]?.managedObjectClassName = NSStringFromClass(type) }
    let lists = try Playlists(model: model)
    let (context, other) = (lists.context(), lists.context())
    try context.performAndWait {
      let gone = Playlist(context: context)
      let song = NSEntityDescription.insertNewObject(forEntityName: "Song", into: context)
      try context.save()
      let lost = try #require(try other.existingObject(with: gone.objectID) as? Playlist)
      let part = try other.existingObject(with: song.objectID)
      part.setValue(lost, forKey: "playlist")
      #expect(lost.songs?.array as? [NSManagedObject] == [part])
      context.delete(gone)
      try context.save()
      let deleted = [NSDeletedObjectsKey: [lost.objectID]]
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: deleted, into: [other])
      try other.save()
      #expect(part.value(forKey: "playlist") == nil)
      #expect(!other.hasChanges)
      let third = lists.context()
      #expect(try third.existingObject(with: part.objectID).value(forKey: "playlist") == nil)
      #expect(try lists.container.persistentStoreCoordinator.persistentStores[0].objects.check() == [])
    }
  }

  // [object-lock-4]
  @Test(
    "a save writes no reference to a deleted object from an ordered relationship or of an unread object",
    arguments: policies)
  func orderedReferences(_ type: NSMergePolicyType) throws {
    let lists = try Playlists()
    let (context, other) = (lists.context(), lists.context())
    other.mergePolicy = NSMergePolicy(merge: type)
    try context.performAndWait {
      let list = context.playlist("abc")
      let (song, label) = (Song(context: context), Label(context: context))
      song.title = "d"
      try context.save()
      let ours = try #require(try other.existingObject(with: list.objectID) as? Playlist)
      let lost = try #require(try other.existingObject(with: song.objectID) as? Song)
      let songs = try #require(ours.songs?.array as? [Song])
      ours.songs = NSOrderedSet(array: [lost] + songs.reversed())
      let never = try #require(other.object(with: label.objectID) as? Label)
      for song in songs { song.setValue(NSOrderedSet(object: never), forKey: "labels") }
      context.delete(song)
      context.delete(label)
      try context.save()
      try other.save()
      #expect(ours.titles == "cba" && (songs[0].value(forKey: "labels") as? NSOrderedSet)?.count == 0)
      let third = lists.context()
      #expect((try third.existingObject(with: ours.objectID) as? Playlist)?.titles == "cba")
      #expect(try lists.container.persistentStoreCoordinator.persistentStores[0].objects.check() == [])
    }
  }

  // [object-queue-3]
  @Test("tasks run a context's blocks without a run loop; the main queue's context runs at once on its thread")
  func tasksRunAContextsBlocks() async throws {
    let blog = try Blog()
    let context = blog.context()
    let count = try await context.perform {
      _ = Post(context: context)
      try context.save()
      return try context.count(for: Post.all())
    }
    #expect(count == 1)
    let posts = await MainActor.run {
      blog.container.viewContext.performAndWait { (try? blog.container.viewContext.count(for: Post.all())) ?? 0 }
    }
    #expect(posts == 1)
  }

  // [object-queue-4]
  @Test("use of a context outside its queue is not detected by default")
  func offTheQueue() throws {
    let blog = try Blog()
    let context = blog.context()
    let post = Post(context: context)
    post.title = "One"
    try context.save()
    #expect(try context.fetch(Post.all()).map(\.title) == ["One"])
  }

  // [object-queue-1] [object-queue-4]
  @Test("the outermost block posts its changes at its end; the next block posts those made off the queue")
  func outermostBlockPostsItsChanges() throws {
    let blog = try Blog()
    let context = blog.context()
    let inserted = Mutex(0)
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { note in
      inserted.withLock { $0 += (note.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>)?.count ?? 0 }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    context.performAndWait {
      context.performAndWait { _ = Post(context: context) }
      #expect(inserted.withLock { $0 } == 0)
    }
    #expect(inserted.withLock { $0 } == 1)
    _ = Post(context: context)
    _ = Post(context: context)
    Thread.sleep(forTimeInterval: 0.05)
    #expect(inserted.withLock { $0 } == 1)
    context.performAndWait {}
    #expect(inserted.withLock { $0 } == 3)
  }
}

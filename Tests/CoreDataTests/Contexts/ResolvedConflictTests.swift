import CoreData
import Foundation
import Testing

@Suite("Resolved conflicts and the history")
struct ResolvedConflictTests {
  private let blog: Blog
  private let context: NSManagedObjectContext

  init() throws {
    blog = try Blog()
    context = blog.context()
  }

  /// A post of another context that read it before this context saved other values.
  private func race(_ theirs: (Post) -> Void) throws -> (other: NSManagedObjectContext, copy: Post) {
    let post = Post(context: context)
    post.title = "One"
    post.image = Data(repeating: 1, count: 200_000)
    try context.save()
    let other = blog.context()
    let copy = try #require(try other.fetch(Post.all()).first)
    #expect(copy.title == "One")
    theirs(post)
    try context.save()
    return (other, copy)
  }

  private func lastUpdate() throws -> Set<String> {
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
    let result = try context.execute(request) as? NSPersistentHistoryResult
    let last = try #require((result?.result as? [NSPersistentHistoryTransaction])?.last)
    return Set((last.changes?.first?.updatedProperties ?? []).map(\.name))
  }

  @Test("[coredata-merge-2] the history has the properties that an overwrite restores")
  func historyHasThePropertiesThatAnOverwrite() throws {
    try context.performAndWait {
      let (other, copy) = try race { $0.views = 7 }
      copy.title = "Mine"
      other.mergePolicy = NSMergePolicy.overwrite
      try other.save()
      #expect(copy.views == 0)
      #expect(try lastUpdate() == ["title", "views"])
    }
  }

  @Test("[coredata-merge-2] an overwrite with the store's own value still restores the other properties")
  func overwriteAlike() throws {
    try context.performAndWait {
      let (other, copy) = try race {
        $0.title = "Same"
        $0.views = 7
      }
      copy.title = "Same"
      other.mergePolicy = NSMergePolicy.overwrite
      try other.save()
      #expect(try lastUpdate() == ["views"])
    }
  }

  @Test("[coredata-merge-1] the history has only the properties that a merge writes")
  func historyHasOnlyTheProperties() throws {
    try context.performAndWait {
      let (other, copy) = try race {
        $0.title = "Theirs"
        $0.views = 7
      }
      copy.title = "Mine"
      copy.content = "Mine"
      other.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
      try other.save()
      #expect(try lastUpdate() == ["content"])
    }
  }

  @Test("an overwrite of other properties keeps a file of bytes that another save replaced")
  func overwriteOfOtherPropertiesKeepsAFile() throws {
    try context.performAndWait {
      let new = Data(repeating: 2, count: 200_000)
      let (other, copy) = try race { $0.image = new }
      copy.title = "Mine"
      other.mergePolicy = NSMergePolicy.overwrite
      try other.save()
      let third = blog.context()
      let stored = try #require(try third.fetch(Post.all()).first)
      #expect(stored.title == "Mine")
      #expect(stored.image == new)
    }
  }

  private final class OwnPolicy: NSMergePolicy {
    var seen: [NSMergeConflict] = []

    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
      seen = list
      try super.resolve(optimisticLockingConflicts: list)
    }
  }

  @Test("a save calls the program's own merge policy")
  func ownPolicy() throws {
    try context.performAndWait {
      let (other, copy) = try race { $0.title = "Theirs" }
      copy.content = "Mine"
      let policy = OwnPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
      other.mergePolicy = policy
      try other.save()
      #expect(policy.seen.map(\.sourceObject) == [copy])
      #expect(copy.title == "Theirs")
    }
  }

  @Test("[object-insert-1] a change that one object makes to another in awakeFromInsert is saved")
  func changeThatOneObjectMakes() throws {
    try context.performAndWait {
      let person = Person(context: context)
      person.name = "Ann"
      try context.save()
      person.name = "Anna"
      let note = NoteTaker(entity: BlogModel.shared.entitiesByName["Post"]!, insertInto: nil)
      note.reader = person
      context.insert(note)
      #expect(person.age == 1)
      #expect(person.changedValues().keys.sorted() == ["age", "name"])
      try context.save()
      let other = blog.context()
      let stored = try #require(try other.fetch(Person.all()).first)
      #expect(stored.name == "Anna")
      #expect(stored.age == 1)
    }
  }

  @Test("[coredata-valid-4] a failed save reports the program's own text for an invalid value")
  func failedSaveReportsTheProgramsOwnText() throws {
    let (model, entity) = (NSManagedObjectModel(), NSEntityDescription())
    let title = BlogModel.attribute("title", .string)
    title.setValidationPredicates([NSPredicate(format: "length > 3")], withValidationWarnings: ["It is too short."])
    entity.name = "Trip"
    entity.properties = [title]
    model.entities = [entity]
    let container = NSPersistentContainer(name: "Trips", managedObjectModel: model)
    container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: blog.folder.path + "/trips.sqlite")
    container.loadPersistentStores { #expect($1 == nil) }
    let context = container.newBackgroundContext()
    context.performAndWait {
      NSEntityDescription.insertNewObject(forEntityName: "Trip", into: context).setValue("ab", forKey: "title")
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.localizedDescription == "It is too short.")
    }
  }
}

/// A post that changes another object when it is inserted.
private final class NoteTaker: NSManagedObject {
  var reader: Person?

  override func awakeFromInsert() { reader?.age += 1 }
}

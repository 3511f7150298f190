import Foundation
import Testing

@testable import CoreData

@Suite("Deleting objects")
struct DeletingTests {
  private let blog: Blog
  private let context: NSManagedObjectContext

  init() throws {
    blog = try Blog()
    context = blog.context()
  }

  /// A post with an attachment, saved.
  private func post() throws -> (Post, Attachment) {
    let post = Post(context: context)
    let attachment = Attachment(context: context)
    attachment.post = post
    try context.save()
    post.calls = []
    return (post, attachment)
  }

  // [object-delete-4]
  @Test("delete rules apply when changes are processed, and not before")
  func endOfEvent() throws {
    try context.performAndWait {
      let (post, attachment) = try post()
      context.delete(post)
      #expect(post.isDeleted)
      #expect(!attachment.isDeleted)
      #expect(attachment.post === post)
      context.processPendingChanges()
      #expect(attachment.isDeleted)
      #expect(context.deletedObjects == [post, attachment])
    }
  }

  // [object-delete-4]
  @Test("with propagatesDeletesAtEndOfEvent off, delete rules apply at the save")
  func atTheSave() throws {
    try context.performAndWait {
      let (post, attachment) = try post()
      context.propagatesDeletesAtEndOfEvent = false
      context.delete(post)
      context.processPendingChanges()
      #expect(post.isDeleted)
      #expect(!attachment.isDeleted)
      #expect(context.deletedObjects == [post])
      try context.save()
      #expect(attachment.managedObjectContext == nil)
      let request = NSFetchRequest<Attachment>(entityName: "Attachment")
      #expect(try context.count(for: request) == 0)
    }
  }

  // [object-delete-5]
  @Test("No Action leaves the targets as they are")
  func noAction() throws {
    let model = try ModelTexts.model(
      """
      <entity name="Shelf">
        <relationship name="books" optional="YES" toMany="YES" deletionRule="No Action" destinationEntity="Book"
          inverseName="shelf" inverseEntity="Book"/>
      </entity>
      <entity name="Book">
        <attribute name="title" optional="YES" attributeType="String"/>
        <relationship name="shelf" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Shelf"
          inverseName="books" inverseEntity="Shelf"/>
      </entity>
      """, module: nil)
    let container = NSPersistentContainer(name: "Shelves", managedObjectModel: model)
    container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: "/dev/null")
    container.loadPersistentStores { #expect($1 == nil) }
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue("One", forKey: "title")
      book.setValue(shelf, forKey: "shelf")
      try context.save()
      context.delete(shelf)
      context.processPendingChanges()
      #expect(!book.isDeleted)
      #expect(!book.isUpdated)
      try context.save()
      context.reset()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      let left = try #require(try context.fetch(request).first)
      #expect(left.value(forKey: "title") as? String == "One")
      // The related object does not exist: a fault that reads nothing.
      let gone = left.value(forKey: "shelf") as? NSManagedObject
      #expect(gone?.value(forKey: "books") == nil || (gone?.value(forKey: "books") as? NSSet)?.count == 0)
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Shelf")) == 0)
    }
  }

  // [object-delete-6]
  @Test("objects receive prepareForDeletion at once, and willSave and didSave at the save")
  func objectsReceivePrepareForDeletionAtOnce() throws {
    try context.performAndWait {
      let (post, _) = try post()
      context.delete(post)
      #expect(post.calls == ["prepareForDeletion"])
      try context.save()
      #expect(post.calls == ["prepareForDeletion", "willSave", "didSave"])
    }
  }
}

import Combine
import CoreData
import Foundation
import Testing

@Suite("Managed objects as observable objects")
struct ObservableManagedObjectTests {
  private let container: NSPersistentContainer

  init() throws {
    let note = NSEntityDescription()
    note.name = "Note"
    let text = NSAttributeDescription()
    (text.name, text.type, text.isOptional) = ("text", .string, true)
    note.properties = [text]
    let model = NSManagedObjectModel()
    model.entities = [note]
    container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
    container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: "/dev/null")
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
  }

  private func insert(_ text: String, into context: NSManagedObjectContext) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
    object.setValue(text, forKey: "text")
    return object
  }

  /// The publisher that generic code uses.
  private func publisher<Object: ObservableObject>(of object: Object) -> Object.ObjectWillChangePublisher {
    object.objectWillChange
  }

  @Test("100,000 announced changes need no more stack than one")
  func announcedChangesNeedNoMoreStack() throws {
    let context = container.newBackgroundContext()
    context.performAndWait {
      let note = insert("one", into: context)
      let texts = Recorder<Void, Never>()
      publisher(of: note).subscribe(texts)
      for number in 0..<100_000 {
        note.setValue(number.isMultiple(of: 2) ? "a" : "b", forKey: "text")
        context.processPendingChanges()
      }
      #expect(texts.values.count == 100_000)
    }
  }

  @Test("objectWillChange sends when the context processes its changes, for that object only")
  func objectWillChangeSendsWhenTheContextProcesses() throws {
    let context = container.newBackgroundContext()
    context.performAndWait {
      let (note, other) = (insert("one", into: context), insert("other", into: context))
      let texts = Recorder<String?, Never>()
      publisher(of: note).map { note.value(forKey: "text") as? String }.subscribe(texts)
      note.setValue("two", forKey: "text")
      #expect(texts.values.isEmpty)
      context.processPendingChanges()
      #expect(texts.values == ["two"])
      other.setValue("else", forKey: "text")
      context.processPendingChanges()
      #expect(texts.values == ["two"])
      note.setValue("three", forKey: "text")
      note.setValue("four", forKey: "text")
      context.processPendingChanges()
      #expect(texts.values == ["two", "four"])
      texts.cancel()
      note.setValue("five", forKey: "text")
      context.processPendingChanges()
      #expect(texts.values == ["two", "four"])
    }
  }

  @Test("objectWillChange sends before the notification of the changes")
  func objectWillChangeSendsBeforeTheNotification() throws {
    let context = container.newBackgroundContext()
    context.performAndWait {
      let note = insert("one", into: context)
      context.processPendingChanges()
      let calls = Recorder<String, Never>()
      let name = Notification.Name.NSManagedObjectContextObjectsDidChange
      publisher(of: note).map { "object" }
        .merge(with: NotificationCenter.default.publisher(for: name, object: context).map { _ in "notification" })
        .subscribe(calls)
      note.setValue("two", forKey: "text")
      context.processPendingChanges()
      #expect(calls.values == ["object", "notification"])
      calls.cancel()
    }
  }

  @Test("objectWillChange sends when an object is deleted")
  func objectWillChangeSendsWhenAnObjectIsDeleted() throws {
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let note = insert("one", into: context)
      try context.save()
      let deletions = Recorder<Bool, Never>()
      publisher(of: note).map { note.isDeleted }.subscribe(deletions)
      context.delete(note)
      context.processPendingChanges()
      #expect(deletions.values == [true])
      deletions.cancel()
    }
  }

  @Test("objectWillChange sends when an object merges values that another context saved")
  func objectWillChangeSendsWhenAnObjectMerges() throws {
    let (context, other) = (container.newBackgroundContext(), container.newBackgroundContext())
    let id = try other.performAndWait {
      let note = insert("one", into: other)
      try other.save()
      return note.objectID
    }
    try context.performAndWait {
      let note = try context.existingObject(with: id)
      #expect(note.value(forKey: "text") as? String == "one")
      let texts = Recorder<String?, Never>()
      note.objectWillChange.map { note.value(forKey: "text") as? String }.subscribe(texts)
      try other.performAndWait {
        try other.existingObject(with: id).setValue("two", forKey: "text")
        try other.save()
      }
      context.refresh(note, mergeChanges: true)
      context.processPendingChanges()
      #expect(note.value(forKey: "text") as? String == "two")
      #expect(texts.values == ["two"])
      texts.cancel()
    }
  }
}

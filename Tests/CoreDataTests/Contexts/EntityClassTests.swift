import CoreData
import Foundation
import Testing

/// A class without stored properties, like generated classes.
class Note: NSManagedObject {
  var text: String? {
    get { self[_managed: "text"] }
    set { self[_managed: "text"] = newValue }
  }
  override func awakeFromInsert() {
    super.awakeFromInsert()
    setPrimitiveValue("new", forKey: "text")
  }
}

final class Memo: Note {
  override func awakeFromInsert() {
    super.awakeFromInsert()
    setPrimitiveValue("memo", forKey: "text")
  }
}

/// A name without a module does not lead to these classes, since the module has no model.
enum Unfindable {
  final class Letter: NSManagedObject {
    var text: String? { self[_managed: "text"] }
  }

  final class Parcel: NSManagedObject {
    var count = 7
  }
}

@Suite("Classes that only the program's code names")
struct LateClassTests {
  private let container: NSPersistentContainer
  private let context: NSManagedObjectContext

  init() throws {
    let (letter, parcel) = (NSEntityDescription(), NSEntityDescription())
    (letter.name, letter.managedObjectClassName) = ("Letter", "Letter")
    (parcel.name, parcel.managedObjectClassName) = ("Parcel", "Parcel")
    letter.properties = [BlogModel.attribute("text", .string)]
    parcel.properties = [BlogModel.attribute("text", .string)]
    let model = NSManagedObjectModel()
    model.entities = [letter, parcel]
    container = NSPersistentContainer(name: "Post", managedObjectModel: model)
    container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: "/dev/null")
    container.loadPersistentStores { #expect($1 == nil) }
    context = container.newBackgroundContext()
  }

  @Test("[object-insert-8] objects that a context already has change to the class that a fetch requests")
  func objectsThatAContextAlreadyHasChange() throws {
    try context.performAndWait {
      let plain = NSEntityDescription.insertNewObject(forEntityName: "Letter", into: context)
      #expect(type(of: plain) == NSManagedObject.self)
      plain.setValue("dear", forKey: "text")
      try context.save()
      let letters = try context.fetch(NSFetchRequest<Unfindable.Letter>(entityName: "Letter"))
      #expect(letters.map(\.text) == ["dear"])
      #expect(letters.first === plain)
      let next = NSEntityDescription.insertNewObject(forEntityName: "Letter", into: context)
      #expect(type(of: next) == Unfindable.Letter.self)
    }
  }

  @Test("[object-insert-8] a class with stored properties is found from its first fetch or initializer on")
  func stored() throws {
    try context.performAndWait {
      #expect(Unfindable.Parcel.entity().name == "Parcel")
      let parcel = Unfindable.Parcel(context: context)
      parcel.setValue("box", forKey: "text")
      try context.save()
      context.reset()
      let parcels = try context.fetch(NSFetchRequest<Unfindable.Parcel>(entityName: "Parcel"))
      #expect(parcels.map(\.count) == [7])
      #expect(parcels.first?.value(forKey: "text") as? String == "box")
    }
  }
}

@Suite("Classes of managed objects")
struct EntityClassTests {
  private let container: NSPersistentContainer
  private let context: NSManagedObjectContext

  init() throws {
    let (note, memo) = (NSEntityDescription(), NSEntityDescription())
    (note.name, note.managedObjectClassName) = ("Note", NSStringFromClass(Note.self))
    (memo.name, memo.managedObjectClassName) = ("Memo", NSStringFromClass(Memo.self))
    note.properties = [BlogModel.attribute("text", .string)]
    note.subentities = [memo]
    let model = NSManagedObjectModel()
    model.entities = [note, memo]
    container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
    container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: "/dev/null")
    container.loadPersistentStores { #expect($1 == nil) }
    context = container.newBackgroundContext()
  }

  private func entity(_ name: String) throws -> NSEntityDescription {
    try #require(container.managedObjectModel.entitiesByName[name])
  }

  @Test("[object-insert-7] an object made by NSManagedObject has the class of its entity")
  func objectMadeByNSManagedObjectHasTheClass() throws {
    try context.performAndWait {
      let object = NSManagedObject(entity: try entity("Note"), insertInto: context)
      #expect(type(of: object) == Note.self)
      #expect((object as? Note)?.text == "new")
      try context.save()
      let notes = try context.fetch(NSFetchRequest<Note>(entityName: "Note"))
      #expect(notes == [object])
      #expect(notes.first?.text == "new")
    }
  }

  @Test("[object-insert-7] an object gets its entity's class also without a context or through a superclass")
  func objectGetsItsEntitysClass() throws {
    try context.performAndWait {
      let object = NSManagedObject(entity: try entity("Memo"), insertInto: nil)
      #expect(type(of: object) == Memo.self)
      context.insert(object)
      #expect((object as? Memo)?.text == "memo")
      let note = Note(entity: try entity("Memo"), insertInto: context)
      #expect(type(of: note) == Memo.self)
      #expect(note.text == "memo")
    }
  }

  @Test("[object-insert-7] objects with a substituted class are released")
  func objectsWithASubstitutedClassAreReleased() throws {
    weak var released: NSManagedObject?
    try context.performAndWait {
      let object = NSManagedObject(entity: try entity("Memo"), insertInto: context)
      released = object
      #expect(type(of: object) == Memo.self)
      context.reset()
    }
    #expect(released == nil)
  }

  @Test("[object-insert-7] the message for a class with stored properties names the right initializer")
  func stored() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let blog = try Blog()
      let context = blog.context()
      try context.performAndWait {
        let entity = try #require(BlogModel.shared.entitiesByName["Post"])
        let object = NSManagedObject(entity: entity, insertInto: context)
        try context.save()
        _ = try context.fetch(Post.all())
        withExtendedLifetime(object) {}
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Call Post(entity:insertInto:) or NSEntityDescription.insertNewObject(forEntityName:into:)."))
  }
}

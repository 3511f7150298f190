import CoreData
import Testing

@testable import Bookshop

@objc(Draft) final class Draft: NSManagedObject {
  @NSManaged var text: String?
}

@Suite struct AuthorTests {
  private let container: NSPersistentContainer

  init() {
    container = NSPersistentContainer(name: "Bookshop")
    container.persistentStoreDescriptions[0].type = NSInMemoryStoreType
    container.loadPersistentStores { #expect($1 == nil) }
  }

  @Test func initials() throws {
    let context = container.viewContext
    try context.performAndWait {
      let author = Author(context: context)
      author.name = "Grace"
      try context.save()
      #expect(try Author.named("Grace", in: context)?.initial == "G")
    }
  }

  @Test func modelOfATest() throws {
    let entity = NSEntityDescription()
    (entity.name, entity.managedObjectClassName) = ("Draft", "Draft")
    let text = NSAttributeDescription()
    (text.name, text.type) = (#keyPath(Draft.text), .string)
    entity.properties = [text]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let container = NSPersistentContainer(name: "Drafts", managedObjectModel: model)
    container.persistentStoreDescriptions[0].type = NSInMemoryStoreType
    container.loadPersistentStores { #expect($1 == nil) }
    let context = container.viewContext
    context.performAndWait {
      let draft = Draft(context: context)
      draft.text = "a"
      #expect(draft.value(forKey: "text") as? String == "a")
    }
  }
}

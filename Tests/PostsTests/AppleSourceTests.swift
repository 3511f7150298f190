import CoreData
import Foundation
import Testing

/// Source code that Apple's compiler accepts, rewritten and executed.
@Suite("Rewritten overrides, selectors and format arguments")
struct AppleSourceTests {
  private static func entity(_ name: String, _ type: NSManagedObject.Type) -> NSEntityDescription {
    let (entity, label) = (NSEntityDescription(), NSAttributeDescription())
    (label.name, label.type, label.isOptional) = ("label", .string, true)
    (entity.name, entity.properties) = (name, [label])
    entity.managedObjectClassName = NSStringFromClass(type)
    return entity
  }

  private static func context() throws -> CountingContext {
    let context = CountingContext(concurrencyType: .privateQueueConcurrencyType)
    let entities = [entity("Crate", Crate.self), entity("SmallCrate", SmallCrate.self)]
    context.persistentStoreCoordinator = try NSPersistentStoreCoordinator(entities: entities)
    return context
  }

  private static func insert(_ name: String, _ context: NSManagedObjectContext) throws -> Crate {
    try #require(NSEntityDescription.insertNewObject(forEntityName: name, into: context) as? Crate)
  }

  @Test("an override in an extension of a class is called, and calls the superclass [rewrite-15]")
  func overrideInAnExtensionOfAClass() throws {
    let context = try Self.context()
    try context.performAndWait {
      let crate = try Self.insert("Crate", context)
      #expect(crate.label == "new")
      #expect(crate.description == "a crate")
      let small = try Self.insert("SmallCrate", context)
      #expect(small.label == "small new")
      try context.save()
      crate.label = "changed"
      context.rollback()
      #expect(crate.label == "\(NSSnapshotEventType.rollback.rawValue)")
    }
  }

  @Test("an override in an extension of a class of each access level is called [rewrite-15]")
  func accessLevels() {
    #expect(entitiesByAccess() == ["package", "public", "open", "internal", "fileprivate"])
  }

  @Test("an override in an extension of a generated class is called [rewrite-15]")
  func overrideInAnExtensionOfAGenerated() throws {
    let model = NSManagedObjectModel()
    let (entity, timestamp) = (NSEntityDescription(), NSAttributeDescription())
    (timestamp.name, timestamp.type, timestamp.isOptional) = ("timestamp", .date, true)
    (entity.name, entity.properties) = ("Item", [timestamp])
    entity.managedObjectClassName = NSStringFromClass(Item.self)
    model.entities = [entity]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let item = try #require(NSEntityDescription.insertNewObject(forEntityName: "Item", into: context) as? Item)
      #expect(item.timestamp == Date(timeIntervalSinceReferenceDate: 7))
      item.timestamp = .distantPast
      #expect(throws: CocoaError.self) { try context.save() }
    }
  }

  @Test("each override of a context is called once, also for blocks with a result and typed requests")
  func contextOverrides() async throws {
    let context = try Self.context()
    let found = try await context.perform {
      let crate = try Self.insert("Crate", context)
      try context.save()
      return try context.fetch(NSFetchRequest<Crate>(entityName: "Crate")).map { $0 === crate }
    }
    #expect(found == [true])
    #expect(context.calls == ["perform", "save", "fetch"])
    context.forget()
    #expect(context.performAndWait { 7 } == 7)
    #expect(context.calls == ["performAndWait"])
    context.forget()
    #expect(waits(in: context) == [true, true, true])
    #expect(context.calls == ["performAndWait", "performAndWait", "performAndWait"])
  }

  @Test("a protocol constrained with the old keyword class allows weak references [rewrite-4]")
  func protocolConstrainedWithTheOldKeywordClass() {
    let shelf = Shelf()
    #expect((shelf as any CrateHolder).crate == nil)
  }

  @Test("selectors of the own type, of properties and of a generic class are rewritten [rewrite-9]")
  func selectorsOfTheOwnTypeOfProperties() {
    let meter = Meter()
    #expect("\(meter.ofType)" == "unit")
    #expect("\(meter.readOther)" == "isFull")
    #expect("\(meter.write)" == "setIsFull:")
    #expect(NSStringFromSelector(meter.read) == "level")
    let box = Box<Int>()
    box.perform(box.opening)
    #expect(box.opened == 1)
  }

  @Test("values and objects can be format arguments as CVarArg")
  func valuesAndObjectsCanBeFormatArguments() throws {
    let (id, link) = (UUID(), try #require(URL(string: "a:b")))
    let found = formats(id, link, Data([1]), NSNumber(value: 3)).map(\.description)
    #expect(
      found
        == [
          NSPredicate(format: "id == %@", id), NSPredicate(format: "link == %@", link),
          NSPredicate(format: "bytes == %@", Data([1])), NSPredicate(format: "id IN %@", [id]),
          NSPredicate(format: "id IN %@", Set([id])), NSPredicate(format: "self == 3"),
        ].map(\.description))
    #expect(text(id) == "\(id) [1] 3")
  }

  @Test("a file that imports only Foundation can use value transformers [rewrite-16]")
  func fileThatImportsOnlyFoundationCanUse() {
    ValueTransformer.setValueTransformer(Doubling(), forName: Doubling.name)
    #expect(ValueTransformer(forName: Doubling.name)?.transformedValue(4) as? Int == 8)
  }
}

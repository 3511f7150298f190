import CoreData
import FaultInjection
import Foundation
import Testing

@Suite("Several stores of a coordinator")
struct SeveralStoresTests {
  private let folder: TemporaryFolder
  private let model: NSManagedObjectModel
  private let coordinator: NSPersistentStoreCoordinator
  private let context: NSManagedObjectContext

  init() throws {
    folder = try TemporaryFolder()
    model = NSManagedObjectModel()
    let names = ["Note", "Setting", "Both"]
    model.entities = names.map { name in
      let entity = NSEntityDescription()
      entity.name = name
      entity.properties = [BlogModel.attribute("text", .string)]
      return entity
    }
    let related = BlogModel.relationship("setting", to: model.entities[1], isToMany: false, .nullifyDeleteRule)
    model.entities[2].properties.append(related)
    // Inherits from Note, and is in no configuration.
    let draft = NSEntityDescription()
    draft.name = "Draft"
    model.entities[0].subentities = [draft]
    model.entities.append(draft)
    model.setEntities([model.entities[0], model.entities[2]], forConfigurationName: "Cloud")
    model.setEntities([model.entities[1], model.entities[2]], forConfigurationName: "Local")
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
  }

  private func add(_ configuration: String?, isReadOnly: Bool = false) throws -> NSPersistentStore {
    let url = URL(fileURLWithPath: folder.path).appendingPathComponent("\(configuration ?? "all").sqlite")
    return try coordinator.addPersistentStore(
      type: .sqlite, configuration: configuration, at: url, options: [NSReadOnlyPersistentStoreOption: isReadOnly])
  }

  private func insert(_ name: String) -> NSManagedObject {
    NSEntityDescription.insertNewObject(forEntityName: name, into: context)
  }

  private func error(_ code: Int, _ body: () throws -> Void) {
    let error = #expect(throws: NSError.self) { try body() }
    #expect(error?.domain == NSCocoaErrorDomain, "\(error as Any)")
    #expect(error?.code == code, "\(error as Any)")
  }

  @Test("[stores-21] a missing configuration is error 134060, and the error names it")
  func missingConfiguration() throws {
    let error = try #require(throws: NSError.self) { _ = try add("Cluod") }
    #expect(error.domain == NSCocoaErrorDomain)
    #expect(error.code == 134_060)
    #expect(error.localizedDescription == "A Core Data error occurred.")
    #expect(error.localizedFailureReason?.hasPrefix("Unable to find a configuration named 'Cluod'") == true)
    #expect(coordinator.persistentStores.isEmpty)
  }

  @Test("[stores-11] objects go to their configuration's store, otherwise to the first or the assigned one")
  func objectsGoToTheirConfigurationsStoreOtherwise() throws {
    let (cloud, local) = (try add("Cloud"), try add("Local"))
    #expect(cloud.configurationName == "Cloud")
    #expect(local.configurationName == "Local")
    #expect(model.isConfiguration(withName: "Cloud", compatibleWithStoreMetadata: cloud.metadata))
    #expect(!model.isConfiguration(withName: "Local", compatibleWithStoreMetadata: cloud.metadata))
    #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: cloud.metadata))
    try context.performAndWait {
      let objects = ["Note", "Setting", "Both", "Both"].map(insert)
      context.assign(objects[3], to: local)
      try context.save()
      #expect(objects.map { $0.objectID.persistentStore?.configurationName } == ["Cloud", "Local", "Cloud", "Local"])
      let request = NSFetchRequest<NSManagedObject>(entityName: "Both")
      #expect(try context.count(for: request) == 2)
      request.affectedStores = [local]
      #expect(try context.fetch(request) == [objects[3]])
    }
    error(NSCoreDataError) { _ = try add("None") }
  }

  @Test("[stores-11] a store has the subentities of its configuration's entities")
  func storeHasTheSubentitiesOfItsConfigurations() throws {
    let cloud = try add("Cloud")
    let hashes = cloud.metadata[NSStoreModelVersionHashesKey] as? [String: Data]
    #expect(hashes?.keys.sorted() == ["Both", "Draft", "Note"])
    #expect(model.isConfiguration(withName: "Cloud", compatibleWithStoreMetadata: cloud.metadata))
    try context.performAndWait {
      let draft = insert("Draft")
      draft.setValue("b", forKey: "text")
      try context.save()
      #expect(draft.objectID.persistentStore === cloud)
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note")) == 1)
    }
  }

  @Test("[object-save-4] relating objects of different stores fails the save")
  func relatingObjectsOfDifferentStoresFails() throws {
    let (cloud, local) = (try add("Cloud"), try add("Local"))
    try context.performAndWait {
      let (both, setting) = (insert("Both"), insert("Setting"))
      context.assign(both, to: cloud)
      both.setValue(setting, forKey: "setting")
      error(NSManagedObjectExternalRelationshipError) { try context.save() }
      #expect(context.insertedObjects.count == 2)
      context.assign(both, to: local)
      try context.save()
      #expect(both.objectID.persistentStore === local)
    }
  }

  @Test("[stores-13] a read-only store accepts no new objects and no changes")
  func readOnly() throws {
    try coordinator.remove(try add("Cloud"))
    let writable = try add(nil)
    try context.performAndWait {
      insert("Note").setValue("a", forKey: "text")
      try context.save()
    }
    try coordinator.remove(writable)
    let cloud = try add("Cloud", isReadOnly: true)
    #expect(cloud.isReadOnly)
    let all = try add(nil, isReadOnly: true)
    try context.performAndWait {
      context.reset()
      let note = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).first)
      note.setValue("b", forKey: "text")
      error(NSPersistentStoreSaveError) { try context.save() }
      context.rollback()
      _ = insert("Note")
      error(NSPersistentStoreSaveError) { try context.save() }
      context.rollback()
      #expect(note.value(forKey: "text") as? String == "a")
      #expect(note.objectID.persistentStore === all)
    }
    error(NSPersistentStoreOpenError) { _ = try add("Local", isReadOnly: true) }
  }
}

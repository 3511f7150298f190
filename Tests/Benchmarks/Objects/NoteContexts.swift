import CoreData
import Foundation

/// The rows of ``ObjectRows`` as objects of contexts.
enum NoteContexts {
  /// A context of a new store, with folders.
  static func context(_ path: String) throws -> NSManagedObjectContext {
    let context = try opened(path)
    try context.performAndWait {
      for number in 0..<ObjectRows.folders {
        let folder = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
        folder.setValue("Folder \(number)", forKey: "name")
      }
      try context.save()
    }
    return context
  }

  static func opened(_ path: String) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path),
      options: [NSPersistentHistoryTrackingKey: true as NSNumber])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  static func insert(_ numbers: Range<Int>, _ context: NSManagedObjectContext) throws {
    try context.performAndWait {
      let folders = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Folder"))
      for number in numbers {
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
        note.setValue(ObjectRows.title(number), forKey: "title")
        note.setValue(ObjectRows.text, forKey: "text")
        note.setValue(number, forKey: "count")
        note.setValue(Date(timeIntervalSinceReferenceDate: ObjectRows.created(number)), forKey: "created")
        note.setValue(number.isMultiple(of: 2), forKey: "isDone")
        note.setValue(Double(number) / 7, forKey: "price")
        note.setValue(folders[number % folders.count], forKey: "folder")
      }
      try context.save()
    }
    context.performAndWait { context.reset() }
  }

  static func change(_ context: NSManagedObjectContext) throws {
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.fetchLimit = 1
      let note = try context.fetch(request)[0]
      note.setValue((note.value(forKey: "count") as? Int ?? 0) + 1, forKey: "count")
      try context.save()
    }
  }

  private static let model: NSManagedObjectModel = {
    let (note, folder) = (NSEntityDescription(), NSEntityDescription())
    (note.name, folder.name) = ("Note", "Folder")
    func attribute(_ name: String, _ type: NSAttributeDescription.AttributeType) -> NSAttributeDescription {
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.type) = (name, type)
      return attribute
    }
    func relationship(_ name: String, _ destination: NSEntityDescription, _ count: Int) -> NSRelationshipDescription {
      let relationship = NSRelationshipDescription()
      (relationship.name, relationship.destinationEntity, relationship.maxCount) = (name, destination, count)
      relationship.deleteRule = .nullifyDeleteRule
      return relationship
    }
    let (title, created) = (attribute("title", .string), attribute("created", .date))
    let (toFolder, notes) = (relationship("folder", folder, 1), relationship("notes", note, 0))
    (toFolder.inverseRelationship, notes.inverseRelationship) = (notes, toFolder)
    note.properties = [
      title, attribute("text", .string), attribute("count", .integer64), created, attribute("isDone", .boolean),
      attribute("price", .double), toFolder,
    ]
    note.indexes = [title, created].map {
      NSFetchIndexDescription(
        name: "by" + $0.name.capitalized,
        elements: [NSFetchIndexElementDescription(property: $0, collationType: .binary)])
    }
    folder.properties = [attribute("name", .string), notes]
    let model = NSManagedObjectModel()
    model.entities = [note, folder]
    return model
  }()
}

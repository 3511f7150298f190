import CoreData
import Foundation

/// Measures Core Data as programs use it: objects in a context, saved to a store.
enum ContextsBenchmark: Benchmark {
  static let name = "contexts"
  static let summary = "Core Data's contexts: inserting, changing and fetching, beside SQLite with the same rows"

  static func run(_ options: Options) throws -> Findings {
    let total = options.size(100_000, quick: 4_000)
    let place = try Leftovers.folder("contexts")
    var findings = Findings()
    let sqlite = try SQLiteObjects(place.path + "/rows.sqlite")
    if sqlite == nil { findings.notes.append(SQLite.missing + ": only its library has prepared statements") }
    let (large, small) = (try context(place.path + "/large.sqlite"), try context(place.path + "/small.sqlite"))
    try insert(0..<ObjectRows.batch, small)
    findings.figures.append(
      try ObjectRows.insertion("objects saved", total, sqlite, place.directory, ratioAtLeast: 0.25) {
        try insert($0, large)
      })
    let times = try inTurns(
      options.size(300, quick: 20),
      [{ try milliseconds { try change(large) } }, { try milliseconds { try change(small) } }])
    findings.figures.append(
      Figure(
        "one changed object of \(total)", .milliseconds, times[0], against: ("of \(ObjectRows.batch)", times[1]),
        mark: .ratioAtMost(1.5)))
    findings.figures.append(
      Figure(
        "objects fetched and read, all of \(total)", .perSecond,
        Samples(try (0..<options.size(5, quick: 2)).map { _ in try rate(of: total) { try read(large, total) } })))
    return findings
  }

  private static func context(_ path: String) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path),
      options: [NSPersistentHistoryTrackingKey: true as NSNumber])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      for number in 0..<ObjectRows.folders {
        let folder = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
        folder.setValue("Folder \(number)", forKey: "name")
      }
      try context.save()
    }
    return context
  }

  private static func insert(_ numbers: Range<Int>, _ context: NSManagedObjectContext) throws {
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

  private static func change(_ context: NSManagedObjectContext) throws {
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.fetchLimit = 1
      let note = try context.fetch(request)[0]
      note.setValue((note.value(forKey: "count") as? Int ?? 0) + 1, forKey: "count")
      try context.save()
    }
  }

  private static func read(_ context: NSManagedObjectContext, _ total: Int) throws {
    try context.performAndWait {
      let notes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
      let length = notes.reduce(0) { $0 + (($1.value(forKey: "title") as? String)?.utf8.count ?? 0) }
      guard notes.count == total, length > total else { throw UnexpectedResult(text: "\(notes.count) objects") }
      context.reset()
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

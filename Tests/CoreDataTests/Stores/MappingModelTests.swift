import CoreData
import FaultInjection
import Foundation
import LocalCloudObjectStore
import LocalCloudPlatform
import TestSupport
import Testing

@Suite("Stores are migrated by mapping models")
struct MappingModelTests {
  private let folder: TemporaryFolder
  private let old = GardenMapping.model("Gardens")
  private let new = GardenMapping.model("Gardens 2")
  private var url: URL { URL(fileURLWithPath: folder.path).appendingPathComponent("one.sqlite") }
  private var other: URL { URL(fileURLWithPath: folder.path).appendingPathComponent("two.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func mapping() throws -> NSMappingModel {
    try #require(NSMappingModel(contentsOf: GardenMapping.url()))
  }

  private func open(
    _ model: NSManagedObjectModel, at url: URL, _ options: [AnyHashable: Any]? = nil
  ) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private func objects(_ entity: String, in context: NSManagedObjectContext) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.sortDescriptors = [NSSortDescriptor(key: entity == "GardenBed" ? "title" : "name", ascending: true)]
    return try context.fetch(request)
  }

  /// A store of two beds, one with three plants, two of them of a kind.
  private func fill() throws {
    let context = try open(old, at: url)
    try context.performAndWait {
      func make(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
      }
      let bed = make("GardenBed", ["title": "East", "size": 21])
      _ = make("GardenBed", ["title": "West"])
      _ = make(
        "GardenPlant",
        ["name": "a", "kind": "Herb", "bed": bed, "price": Decimal(string: "0.12345678901234567890123") ?? 0])
      _ = make("GardenPlant", ["name": "b", "kind": "Herb", "bed": bed])
      _ = make("GardenPlant", ["name": "c", "kind": "Tree"])
      context.persistentStoreCoordinator?.persistentStores.first?.metadata["own"] = "kept"
      try context.save()
    }
  }

  private func migrate(_ mapping: NSMappingModel, to target: URL, _ manager: NSMigrationManager? = nil) throws {
    let manager = manager ?? NSMigrationManager(sourceModel: old, destinationModel: new)
    try manager.migrateStore(from: url, type: .sqlite, mapping: mapping, to: target, type: .sqlite)
  }

  private func error(_ code: Int, _ body: () throws -> Void) -> NSError? {
    let error = #expect(throws: NSError.self) { try body() }
    #expect(error?.domain == NSCocoaErrorDomain, "\(error as Any)")
    #expect(error?.code == code, "\(error as Any)")
    return error
  }

  @Test("[mapping-1] [mapping-2] a mapping model is found by its URL, and by the models that it is for")
  func mappingModelIsFoundByItsURL() throws {
    let url = try #require(GardenMapping.url())
    #expect(url.lastPathComponent == "Gardens 1 to 2.cdm")
    let all = Bundle.main.urls(forResourcesWithExtension: "cdm", subdirectory: nil) ?? []
    #expect(all.contains(url))
    #expect(Bundle.main.path(forResource: GardenMapping.name, ofType: "cdm") == url.path)
    #expect(Bundle.main.url(forResource: "None", withExtension: "cdm") == nil)
    let mapping = try mapping()
    #expect(try mapping == self.mapping() && mapping.hash == self.mapping().hash)
    #expect(NSMappingModel(from: nil, forSourceModel: old, destinationModel: new) == mapping)
    #expect(NSMappingModel(from: [.main], forSourceModel: old, destinationModel: nil) == mapping)
    #expect(NSMappingModel(from: nil, forSourceModel: new, destinationModel: old) == nil)
    #expect(NSMappingModel(contentsOf: nil) == nil)
    #expect(NSMappingModel(contentsOf: URL(fileURLWithPath: "/None.cdm")) == nil)
    mapping.entityMappings[0].name = "Other"
    #expect(try mapping != self.mapping())
  }

  @Test("[mapping-1] a folder of a mapping model is read, and one whose model is nowhere is not")
  func folderOfAMappingModelIsRead() throws {
    func write(_ file: MappingFile, _ name: String) throws -> URL {
      let path = URL(fileURLWithPath: folder.path).appendingPathComponent("\(name).xcmappingmodel")
      try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
      try Data(file.text.utf8).write(to: path.appendingPathComponent("xcmapping.xml"))
      return path
    }
    let path = try write(GardenMapping.file, "Folder")
    #expect(try NSMappingModel(contentsOf: path) == mapping())
    #expect(try NSMappingModel(contentsOf: path.deletingPathExtension().appendingPathExtension("cdm")) == mapping())
    var lost = MappingFile(from: "Lost.xcdatamodel", to: "Lost 2.xcdatamodel")
    lost.map("A", to: "B")
    #expect(try NSMappingModel(contentsOf: write(lost, "Lost")) == nil)
    var unknown = MappingFile(
      from: "Gardens.xcdatamodeld/Gardens.xcdatamodel", to: "Gardens.xcdatamodeld/Gardens 2.xcdatamodel")
    unknown.map("GardenBed", to: "GardenBed", attributes: [("title", .function("system:", .source("title")))])
    #expect(try NSMappingModel(contentsOf: write(unknown, "Unknown")) == nil)
  }

  @Test("[mapping-2] [mapping-3] entity mappings have names, hashes, expressions and user information")
  func entityMappings() throws {
    let mappings = try #require(mapping().entityMappings)
    #expect(mappings.map(\.name) == ["GardenBedToGardenBed", "GardenPlantToGardenPlant", "GardenPlantToGardenKind"])
    let (bed, plant, kind) = (mappings[0], mappings[1], mappings[2])
    #expect(bed.sourceEntityVersionHash == old.entityVersionHashesByName["GardenBed"])
    #expect(bed.destinationEntityVersionHash == new.entityVersionHashesByName["GardenBed"])
    #expect(bed.mappingType == .undefinedEntityMappingType)
    #expect(bed.entityMigrationPolicyClassName == nil)
    #expect(bed.userInfo == nil)
    #expect(kind.userInfo?["empty"] as? String == "unknown")
    #expect(
      bed.sourceExpression?.description
        == "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"GardenBed\", \"TRUEPREDICATE\"), "
        + "$manager.sourceContext, 0)")
    let texts = { (list: [NSPropertyMapping]?) in (list ?? []).map { $0.valueExpression?.description } }
    #expect(texts(bed.attributeMappings) == ["$source.title", "$source.#size * 2", nil, #"CAST(1000.0, "NSDate")"#])
    #expect(
      texts(plant.relationshipMappings) == [
        "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"GardenBedToGardenBed\", "
          + "$source.bed)", nil,
      ])
  }

  @Test("[mapping-3] [mapping-4] [mapping-6] [mapping-8] objects get the values of the expressions, at another URL")
  func objectsGetTheValuesOfTheExpressions() throws {
    try fill()
    let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
    try migrate(mapping(), to: other, manager)
    #expect(manager.migrationProgress == 1)
    #expect(manager.currentEntityMapping.name == "GardenPlantToGardenKind")
    #expect(try manager.mappingModel == mapping())
    let context = try open(new, at: other)
    try context.performAndWait {
      let beds = try objects("GardenBed", in: context)
      #expect(beds.map { $0.value(forKey: "title") as? String } == ["East", "West"])
      #expect(beds.map { $0.value(forKey: "area") as? Double } == [42, nil])
      #expect(beds.map { $0.value(forKey: "label") as? String } == ["none", "none"])
      #expect(
        beds.map { $0.value(forKey: "checked") as? Date }
          == Array(repeating: Date(timeIntervalSinceReferenceDate: 1000), count: 2))
      #expect(beds.map { ($0.value(forKey: "plants") as? Set<NSManagedObject>)?.count } == [2, 0])
      let plants = try objects("GardenPlant", in: context)
      #expect(plants.map { $0.value(forKeyPath: "bed.title") as? String } == ["East", "East", nil])
      #expect(plants.map { $0.value(forKeyPath: "kind.name") as? String } == ["Herb", "Herb", "Tree"])
      #expect(plants[0].value(forKey: "price") as? Decimal == Decimal(string: "0.12345678901234567890123"))
      #expect(try objects("GardenKind", in: context).count == 3)
      let store = try #require(context.persistentStoreCoordinator?.persistentStores.first)
      #expect(store.metadata["own"] as? String == "kept")
      let before = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
      #expect(before[NSStoreUUIDKey] as? String != store.identifier)
    }
    let unchanged = try open(old, at: url)
    #expect(try unchanged.performAndWait { try objects("GardenPlant", in: unchanged).count } == 3)
  }

  @Test(
    "[stores-14] [mapping-8] a store is migrated in place when it is opened, also where no mapping may be inferred")
  func storeIsMigratedAtItsURL() throws {
    try fill()
    _ = error(NSPersistentStoreIncompatibleVersionHashError) { _ = try open(new, at: url) }
    let context = try open(new, at: url, [NSMigratePersistentStoresAutomaticallyOption: true])
    #expect(try context.performAndWait { try objects("GardenKind", in: context).count } == 3)
    // The way back has no mapping model.
    _ = error(NSMigrationMissingMappingModelError) {
      _ = try open(old, at: url, [NSMigratePersistentStoresAutomaticallyOption: true])
    }
  }

  @Test("[mapping-8] a store that is migrated at its URL keeps its quarantine")
  func migratedStoreKeepsItsQuarantine() throws {
    try fill()
    let aside = url.appendingPathComponent("aside/2026-01-01T000000.000Z")
    try FileManager.default.createDirectory(at: aside, withIntermediateDirectories: true)
    try Data([1]).write(to: aside.appendingPathComponent("file"))
    try migrate(mapping(), to: url)
    #expect(try Data(contentsOf: aside.appendingPathComponent("file")) == Data([1]))
    let context = try open(new, at: url)
    #expect(try context.performAndWait { try objects("GardenKind", in: context).count } == 3)
  }

  @Test("[mapping-5] [mapping-6] a policy makes the objects, and is called for each step")
  func policyMakesTheObjectsAndIsCalled() throws {
    try fill()
    let mapping = try mapping()
    mapping.entityMappings[2].entityMigrationPolicyClassName = NSStringFromClass(KindPolicy.self)
    let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
    for step in ["begin", "create", "created", "connect", "connected", "validate", "end"] {
      manager.userInfo = ["refused": step]
      #expect(throws: KindPolicy.Refused(step: step)) { try migrate(mapping, to: url, manager) }
    }
    manager.userInfo = nil
    try migrate(mapping, to: url, manager)
    #expect(
      manager.userInfo?[KindPolicy.stepsKey] as? [String]
        == ["begin", "create", "create", "create", "created", "connect", "connect", "connected", "validate", "end"])
    let context = try open(new, at: url)
    try context.performAndWait {
      let kinds = try objects("GardenKind", in: context)
      #expect(kinds.map { $0.value(forKey: "name") as? String } == ["Herb", "Tree"])
      #expect(kinds.map { ($0.value(forKey: "plants") as? Set<NSManagedObject>)?.count } == [2, 1])
    }
  }

  @Test("[mapping-5] a policy is found by its class's name in Objective-C")
  func policyNames() throws {
    try fill()
    let mapping = try mapping()
    mapping.entityMappings[2].entityMigrationPolicyClassName = "GardenKinds"
    try migrate(mapping, to: url)
    let context = try open(new, at: url)
    #expect(try context.performAndWait { try objects("GardenKind", in: context).count } == 2)
  }

  @Test("[mapping-4] [mapping-7] what can't be done is an error, and the store stays as it was")
  func whatCannotBeDoneIsAnError() throws {
    try fill()
    func change(_ index: Int, _ body: (NSEntityMapping) -> Void) throws -> NSMappingModel {
      let mapping = try mapping()
      body(mapping.entityMappings[index])
      return mapping
    }
    func fails(_ text: String, _ mapping: NSMappingModel) {
      let error = error(NSEntityMigrationPolicyError) { try migrate(mapping, to: url) }
      #expect(error?.localizedFailureReason?.contains(text) ?? false, "\(error as Any)")
    }
    fails("NoPolicy", try change(0) { $0.entityMigrationPolicyClassName = "NoPolicy" })
    fails("no property height", try change(0) { $0.attributeMappings?[0].name = "height" })
    fails("no property fruits", try change(1) { $0.relationshipMappings?[0].name = "fruits" })
    fails("the entity None", try change(0) { $0.destinationEntityName = "None" })
    fails("Unacceptable type of value", try change(0) { $0.attributeMappings?[0].valueExpression = .init(format: "7") })
    fails("no variable $x", try change(0) { $0.attributeMappings?[0].valueExpression = .init(format: "$x") })
    fails(
      "no method f:",
      try change(0) { $0.attributeMappings?[0].valueExpression = .init(format: "FUNCTION($entityPolicy, 'f:', 1)") })
    fails(
      "no property titel", try change(0) { $0.attributeMappings?[0].valueExpression = .init(format: "$source.titel") })
    fails(
      "no property height",
      try change(0) { $0.attributeMappings?[0].valueExpression = .init(format: "$source.plants.height") })
    // The rules of the model hold: a bed has a title.
    let untitled = try change(0) { $0.attributeMappings?.remove(at: 0) }
    _ = error(NSValidationMultipleErrorsError) { try migrate(untitled, to: url) }
    let empty = try change(0) { _ in }
    empty.entityMappings = []
    _ = error(NSMigrationMissingMappingModelError) { try migrate(empty, to: url) }
    let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
    manager.cancelMigrationWithError(CocoaError(.userCancelled))
    #expect(throws: CocoaError(.userCancelled)) { try migrate(mapping(), to: other, manager) }
    #expect(!FileManager.default.fileExists(atPath: other.path))
    let context = try open(old, at: url)
    #expect(try context.performAndWait { try objects("GardenPlant", in: context).count } == 3)
    // A store of another version is none of the source's.
    let turned = NSMigrationManager(sourceModel: new, destinationModel: old)
    _ = error(NSPersistentStoreIncompatibleVersionHashError) { try migrate(mapping(), to: url, turned) }
  }

  @Test("[mapping-10] a store whose objects have records in the cloud is migrated by an inferred mapping only")
  func storeWhoseObjectsHaveRecords() throws {
    try fill()
    let store = try ObjectStore.stored(url.path, isReadOnly: false)
    _ = try store.write { $0.put(MirrorRow(id: 1, key: "a", values: [:]), in: .records) }
    _ = error(NSMigrationError) { try migrate(mapping(), to: url) }
    _ = error(NSMigrationError) {
      _ = try open(new, at: url, [NSMigratePersistentStoresAutomaticallyOption: true])
    }
    let context = try open(old, at: url)
    #expect(try context.performAndWait { try objects("GardenPlant", in: context).count } == 3)
  }

  @Test("[mapping-9] an inferred mapping names properties, and is followed by objects once it is changed")
  func inferredMappingNamesPropertiesAndIsFollowed() throws {
    try fill()
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: Self.renamed())
    let beds = try #require(mapping.entityMappingsByName["IEM_Transform_GardenBed"])
    #expect(beds.userInfo?["mappedProperties"] as? Set<String> == ["heading", "plants"])
    #expect(beds.userInfo?["addedProperties"] as? Set<String> == ["width"])
    #expect(beds.userInfo?["removedProperties"] as? Set<String> == ["size"])
    #expect(beds.attributeMappings?.map { $0.valueExpression?.description } == ["$source.title", nil])
    let manager = NSMigrationManager(sourceModel: old, destinationModel: Self.renamed())
    beds.attributeMappings?[1].valueExpression = .init(format: "$source.size + 1")
    try manager.migrateStore(from: url, type: .sqlite, mapping: mapping, to: url, type: .sqlite)
    let context = try open(Self.renamed(), at: url)
    try context.performAndWait {
      let beds = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "GardenBed"))
      #expect(Set(beds.map { $0.value(forKey: "heading") as? String }) == ["East", "West"])
      #expect(Set(beds.map { $0.value(forKey: "width") as? Int }) == [22, nil])
      #expect(beds.map { ($0.value(forKey: "plants") as? Set<NSManagedObject>)?.count ?? 0 }.reduce(0, +) == 2)
    }
  }

  /// The first version with another name of the title, and a width in place of the size.
  private static func renamed() -> NSManagedObjectModel {
    let model = GardenMapping.model("Gardens")
    guard let bed = model.entitiesByName["GardenBed"], let title = bed.attributesByName["title"] else { return model }
    (title.name, title.renamingIdentifier) = ("heading", "title")
    bed.properties.removeAll { $0.name == "size" }
    let width = BlogModel.attribute("width", .integer16)
    width.isOptional = true
    bed.properties.insert(width, at: 1)
    return model
  }
}

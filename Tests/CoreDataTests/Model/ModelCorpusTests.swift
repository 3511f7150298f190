import FaultInjection
import Foundation
import LocalCloudCoreDataModel
import LocalCloudPlatform
import TestSupport
import Testing

@testable import CoreData

private let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .appendingPathComponent("../../CoreDataModelTests/Fixtures/Models").standardizedFileURL

private let models: [URL] = {
  let names = (try? FileManager.default.contentsOfDirectory(atPath: corpus.appendingPathComponent("Good").path)) ?? []
  return names.sorted().map { corpus.appendingPathComponent("Good/\($0)") }
}()

/// The valid models of the model file tests, with the compiler and in a store.
@Suite("Corpus of models in use")
struct ModelCorpusTests {
  // [model-class-2] [model-class-3] [model-class-4] [model-class-5] [model-class-6]
  @Test(
    "generated classes compile and have the properties and methods of Xcode's, by name and type",
    .enabled(if: ChildProcess.hasCompiler, "there is no swiftc"))
  func generatedClassesCompileAndHaveTheProperties() throws {
    let folder = try TemporaryFolder("classes")
    let uses = try String(contentsOf: corpus.appendingPathComponent("Uses.swift.txt"), encoding: .utf8)
    try folder.directory.writeStaged("Uses.swift", Array(uses.utf8))
    var files = ["\(folder.path)/Uses.swift"]
    for model in models {
      for file in try GeneratedFile.all(for: try ModelPackage(path: model.path), module: "App") {
        try folder.directory.writeStaged(file.name, Array(file.contents.utf8))
        files.append("\(folder.path)/\(file.name)")
      }
    }
    #expect(files.count > 60)
    let modules = HostProcess.executableFolder + "/Modules"
    let arguments = [
      "swiftc", "-typecheck", "-warnings-as-errors", "-swift-version", "6", "-module-name", "App", "-I", modules,
    ]
    let process = try ChildProcess("/usr/bin/env", arguments + files)
    let status = process.wait(seconds: 600)
    #expect(status == 0, "\((process.output + process.errors).suffix(5000))")
  }

  // [coredata-valid-2] [model-file-7]
  @Test("bounds at the limits of numbers hold")
  func boundsAtTheLimitsOfNumbersHold() throws {
    let model = try #require(
      NSManagedObjectModel(contentsOf: corpus.appendingPathComponent("Good/Bounds.xcdatamodeld")))
    let any = try #require(model.entitiesByName["Bounds"]?.attributesByName["any"])
    #expect(any.validationPredicates.count == 2)
    for value in [Double.greatestFiniteMagnitude, -Double.greatestFiniteMagnitude, 0] {
      #expect(any.problems(with: value as NSNumber).isEmpty)
    }
    #expect(any.problems(with: Double.infinity as NSNumber).map(\.code) == [NSValidationNumberTooLargeError])
    #expect(any.problems(with: NSDecimalNumber.maximum).isEmpty)
  }

  /// A value for an attribute that must have one.
  private func value(_ attribute: NSAttributeDescription) -> Any? {
    switch attribute.type {
    case .integer16, .integer32, .integer64, .double, .float: 1 as NSNumber
    case .boolean: true as NSNumber
    case .decimal: NSDecimalNumber(string: "1.25")
    case .string: "text"
    case .date: Date(timeIntervalSinceReferenceDate: 1)
    case .binaryData: Data([1])
    case .uuid: UUID()
    case .uri: URL(string: "https://example.org")
    case .transformable: ["a"] as NSArray
    default: nil
    }
  }

  /// Objects with equal values violate the constraints of these models; see ConstraintTests.
  private static let strict = ["Constraints.xcdatamodeld"]

  // [model-check-5] [coredata-model-5]
  @Test(
    "a store saves and returns an object of each entity",
    arguments: models.filter { !strict.contains($0.lastPathComponent) })
  func storeSavesAndReturnsAnObject(_ url: URL) throws {
    let model = try #require(NSManagedObjectModel(contentsOf: url))
    let folder = try TemporaryFolder("models")
    let file = URL(fileURLWithPath: "\(folder.path)/store.sqlite")
    let entities = model.entities.filter { !$0.isAbstract }
    try autoreleasepool {
      let context = try open(model, file)
      try context.performAndWait {
        let objects = entities.map { NSManagedObject(entity: $0, insertInto: context) }
        for object in objects {
          for (name, attribute) in object.entity.attributesByName where !attribute.isOptional {
            if object.value(forKey: name) == nil { object.setValue(value(attribute), forKey: name) }
          }
          for (name, relationship) in object.entity.relationshipsByName
          where !relationship.isOptional || relationship.minCount > 0 && !relationship.isToMany {
            let destination = relationship.destinationEntity
            object.setValue(objects.first { $0.entity === destination }, forKey: name)
          }
        }
        try context.save()
      }
      try close(context)
    }
    let context = try open(model, file)
    try context.performAndWait {
      for entity in entities {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.includesSubentities = false
        let found = try context.fetch(request)
        #expect(found.count == 1, "\(entity.name ?? "")")
        for (name, attribute) in entity.attributesByName where !attribute.isOptional && !attribute.isTransient {
          #expect(found.first?.value(forKey: name) != nil, "\(entity.name ?? "").\(name)")
        }
      }
    }
    try close(context)
  }

  private func open(_ model: NSManagedObjectModel, _ url: URL) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    _ = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private func close(_ context: NSManagedObjectContext) throws {
    let coordinator = try #require(context.persistentStoreCoordinator)
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }
}

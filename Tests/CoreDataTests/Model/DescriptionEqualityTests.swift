import Foundation
import LocalCloudCoreDataModel
import Testing

@testable import CoreData

@Suite("Equality of models and descriptions")
struct DescriptionEqualityTests {
  // [coredata-model-14]
  @Test("models of one file are equal, and so are a model and its copy, with all entities and properties")
  func modelsOfOneFileAreEqual() throws {
    let (one, other) = (try ModelTexts.trips(), try ModelTexts.trips())
    let copy = try #require(one.copy() as? NSManagedObjectModel)
    for model in [other, copy] {
      #expect(one == model)
      #expect(one.hash == model.hash)
      for (name, entity) in one.entitiesByName {
        let same = try #require(model.entitiesByName[name])
        #expect(entity == same, "\(name)")
        #expect(entity !== same, "\(name)")
        #expect(entity.hash == same.hash, "\(name)")
        for (key, property) in entity.propertiesByName {
          let alike = try #require(same.propertiesByName[key])
          #expect(property == alike, "\(name).\(key)")
          #expect(property.hash == alike.hash, "\(name).\(key)")
          #expect((property.copy() as? NSPropertyDescription) == property, "\(name).\(key)")
        }
      }
      #expect(Set(one.entities) == Set(model.entities))
    }
    #expect(try BlogModel.shared != ModelTexts.trips())
  }

  // [coredata-model-14]
  @Test("a change of any value makes a description unequal")
  func changeOfAnyValueMakesADescription() throws {
    let original = try ModelTexts.trips()
    let changes: [(NSManagedObjectModel) throws -> Void] = [
      { $0.entitiesByName["Trip"]?.name = "Journey" },
      { $0.entitiesByName["Trip"]?.userInfo = ["note": "second"] },
      { $0.entitiesByName["Trip"]?.managedObjectClassName = "Other" },
      { $0.entitiesByName["Trip"]?.uniquenessConstraints = [] },
      { $0.entitiesByName["Trip"]?.indexes = [] },
      { $0.entitiesByName["Stop"]?.isAbstract = false },
      { $0.entitiesByName["Trip"]?.attributesByName["days"]?.defaultValue = 4 },
      { $0.entitiesByName["Trip"]?.attributesByName["days"]?.type = .integer32 },
      { $0.entitiesByName["Trip"]?.attributesByName["days"]?.isOptional = true },
      { $0.entitiesByName["Trip"]?.attributesByName["days"]?.userInfo = ["a": 1] },
      { $0.entitiesByName["Trip"]?.attributesByName["days"]?.versionHashModifier = "2" },
      { $0.entitiesByName["Trip"]?.attributesByName["days"]?.setValidationPredicates([], withValidationWarnings: []) },
      { $0.entitiesByName["Trip"]?.attributesByName["secret"]?.allowsCloudEncryption = false },
      { $0.entitiesByName["Trip"]?.relationshipsByName["stops"]?.deleteRule = .nullifyDeleteRule },
      { $0.entitiesByName["Trip"]?.relationshipsByName["stops"]?.maxCount = 3 },
      { $0.entitiesByName["Trip"]?.relationshipsByName["stops"]?.inverseRelationship = nil },
      { $0.setEntities([], forConfigurationName: "Local") },
      { $0.versionIdentifiers = ["x"] },
      { $0.setFetchRequestTemplate(nil, forName: "all") },
    ]
    for (index, change) in changes.enumerated() {
      let copy = try #require(original.copy() as? NSManagedObjectModel)
      #expect(copy == original, "\(index)")
      try change(copy)
      #expect(copy != original, "\(index)")
    }
  }

  // [coredata-model-1]
  @Test("user info is an empty dictionary at first, and may be set in a model in use")
  func userInfo() throws {
    #expect(NSEntityDescription().userInfo?.isEmpty == true)
    #expect(NSAttributeDescription().userInfo?.isEmpty == true)
    let model = try ModelTexts.trips()
    _ = NSPersistentStoreCoordinator(managedObjectModel: model)
    let trip = try #require(model.entitiesByName["Trip"])
    trip.userInfo?["seen"] = true
    trip.attributesByName["days"]?.userInfo = ["unit": "day"]
    #expect(trip.userInfo?["seen"] as? Bool == true)
    #expect(trip.userInfo?["note"] as? String == "first")
    #expect(trip.attributesByName["days"]?.userInfo?["unit"] as? String == "day")
  }

  private final class Lost: NSManagedObject {}

  // [coredata-model-15]
  @Test("a class without an entity in any model gets an unnamed entity and a message on stderr")
  func classWithoutAnEntityInAnyModel() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        guard Lost.entity().name == nil else { fatalError() }
      })
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("Failed to find a unique match for an NSEntityDescription to a managed object subclass"))
  }

  // [model-file-6]
  @Test("a default that does not fit its type is read as NSString reads numbers")
  func defaultThatDoesNotFitItsType() throws {
    let model = try ModelTexts.model(
      """
      <entity name="A"><attribute name="i" attributeType="Integer 16" defaultValueString="NO"/>
        <attribute name="b" attributeType="Boolean" defaultValueString="0.0"/>
        <attribute name="d" attributeType="Double" defaultValueString="NO"/>
        <attribute name="f" attributeType="Float" defaultValueString="2.5 m"/>
        <attribute name="t" optional="YES" attributeType="Transformable" customClassName=".NSArray"/></entity>
      """)
    let entity = try #require(model.entitiesByName["A"])
    let defaults = entity.attributesByName.mapValues(\.defaultValue)
    #expect(defaults["i"] as? Int == 0)
    #expect(defaults["b"] as? Bool == false)
    #expect(defaults["d"] as? Double == 0)
    #expect(defaults["f"] as? Float == 2.5)
    #expect(entity.attributesByName["t"]?.attributeValueClassName == "NSArray")
  }

  @Test("[coredata-model-5] a bundle lists the versions of a model as files of its folder")
  func bundleListsTheVersionsOfAModel() throws {
    _registerManagedObjectModel(
      "Steps", current: "Steps 2",
      versions: [
        ("Steps", ModelTexts.text("<entity name='Step'/>")),
        ("Steps 2", ModelTexts.text("<entity name='SecondStep'/>")),
      ],
      module: "Steps")
    let urls = try #require(Bundle.main.urls(forResourcesWithExtension: "mom", subdirectory: "Steps.momd"))
    #expect(urls.map(\.lastPathComponent) == ["Steps.mom", "Steps 2.mom"])
    #expect(urls.compactMap { NSManagedObjectModel(contentsOf: $0)?.entities[0].name } == ["Step", "SecondStep"])
    let second = Bundle.main.url(forResource: "Steps 2", withExtension: "mom", subdirectory: "Steps.momd")
    #expect(second == urls[1])
    #expect(Bundle.main.paths(forResourcesOfType: "mom", inDirectory: "Steps.momd") == urls.map(\.path))
    #expect(Bundle.main.path(forResource: "Steps", ofType: "mom", inDirectory: "Steps.momd") == urls[0].path)
    let models = Bundle.main.urls(forResourcesWithExtension: "momd", subdirectory: nil) ?? []
    #expect(models.contains { $0.lastPathComponent == "Steps.momd" })
    #expect(Bundle.main.url(forResource: "None", withExtension: "mom", subdirectory: "Steps.momd") == nil)
    #expect(Bundle.main.paths(forResourcesOfType: "mom", inDirectory: "None.momd").isEmpty)
  }

  @Test("[coredata-model-5] a model folder returns each of its versions")
  func folderVersions() throws {
    let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in ["Tours", "Tours 2"] {
      let version = folder.appendingPathComponent("Tours.xcdatamodeld/\(name).xcdatamodel")
      try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
      let text = ModelTexts.text("<entity name=\"E\(name.count)\"/>")
      try Data(text.utf8).write(to: version.appendingPathComponent("contents"))
    }
    let current = #"<plist><dict><key>_XCCurrentVersionName</key><string>Tours 2.xcdatamodel</string></dict></plist>"#
    try Data(current.utf8).write(to: folder.appendingPathComponent("Tours.xcdatamodeld/.xccurrentversion"))
    func entity(_ path: String) -> String? {
      NSManagedObjectModel(contentsOf: folder.appendingPathComponent(path))?.entities[0].name
    }
    #expect(entity("Tours.momd") == "E7")
    #expect(entity("Tours.momd/Tours.mom") == "E5")
    #expect(entity("Tours.momd/Tours 2.mom") == "E7")
    #expect(entity("Tours.momd/Tours 3.mom") == nil)
  }
}

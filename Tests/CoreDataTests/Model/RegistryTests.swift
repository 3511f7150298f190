import Foundation
import LocalCloudCoreDataModel
import Testing

@testable import CoreData

/// Models, classes and properties that generated code registers when the program is loaded.
@Suite("Registrations by generated code")
struct RegistryTests {
  /// Registers a model of two versions with a name that no other test uses.
  private func register(_ name: String) {
    _registerManagedObjectModel(
      name, current: "Second",
      versions: [
        (name: "First", contents: ModelTexts.text(#"<entity name="Post\#(name)" representedClassName=".Post"/>"#)),
        (
          name: "Second",
          contents: ModelTexts.text(
            #"<entity name="Post\#(name)" representedClassName=".Post"><attribute name="x" optional="YES" attributeType="String"/></entity>"#
          )
        ),
      ], module: "Registered\(name)")
  }

  @Test("[coredata-model-4] a name identifies one model, in its current version")
  func nameIdentifiesOneModelInItsCurrent() throws {
    register("Shared")
    let model = try #require(ManagedModels.model(named: "Shared"))
    #expect(ManagedModels.model(named: "Shared") === model)
    #expect(ManagedModels.model(named: "None") == nil)
    let post = try #require(model.entitiesByName["PostShared"])
    #expect(post.managedObjectClassName == "RegisteredShared.Post")
    #expect(post.propertiesByName.keys.sorted() == ["x"])
    #expect(NSPersistentContainer(name: "Shared").managedObjectModel === model)
    #expect(NSPersistentContainer(name: "Shared").name == "Shared")
    // The first registration of a name is used.
    _registerManagedObjectModel("Shared", current: "", versions: [], module: "")
    #expect(ManagedModels.registered("Shared")?.versions.count == 2)
  }

  @Test("[coredata-model-4] a container with a name that no model has stops the process")
  func containerWithANameThatNoModel() async {
    await #expect(processExitsWith: .failure) { _ = NSPersistentContainer(name: "None") }
  }

  @Test("[coredata-model-5] a model is found by the URL of a bundle")
  func modelIsFoundByTheURL() throws {
    register("Found")
    let url = try #require(Bundle.main.url(forResource: "Found", withExtension: "momd"))
    #expect(url.lastPathComponent == "Found.momd")
    #expect(Bundle.main.path(forResource: "Found", ofType: "momd") == url.path)
    let model = try #require(NSManagedObjectModel(contentsOf: url))
    #expect(model !== ManagedModels.model(named: "Found"))
    #expect(model.entitiesByName["PostFound"]?.properties.count == 1)
    let first = url.appendingPathComponent("First.mom")
    #expect(NSManagedObjectModel(contentsOf: first)?.entitiesByName["PostFound"]?.properties.isEmpty == true)
    #expect(Bundle.main.url(forResource: "None", withExtension: "momd") == nil)
    #expect(Bundle.main.url(forResource: "Found", withExtension: "txt") == nil)
    for text in ["/None.momd", "/None.xcdatamodeld", "/Found.txt", "/Found.momd/Third.mom"] {
      #expect(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: text)) == nil, "\(text)")
    }
  }

  @Test("[coredata-model-5] a version is read once in a process, for any number of models made of it")
  func versionIsReadOnceInAProcess() throws {
    let text = ModelTexts.text("<entity name='Once'/>")
    _registerManagedObjectModel("Once", current: "Once 1", versions: [("Once 1", text)], module: "Once")
    let file = "Once.xcdatamodeld/Once 1.xcdatamodel/contents"
    func isRead() -> Bool { ModelReader.isRead(Array(text.utf8), file: file, versionName: "Once 1") }
    #expect(!isRead())
    let url = URL(fileURLWithPath: "/Once.momd/Once 1.mom")
    let (one, other) = (try #require(NSManagedObjectModel(contentsOf: url)), NSManagedObjectModel(contentsOf: url))
    #expect(isRead())
    #expect(one == other)
    #expect(one !== other)
  }

  @Test("[coredata-model-5] a model is read from a folder in Xcode's format")
  func modelIsReadFromAFolder() throws {
    let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let version = folder.appendingPathComponent("Trips.xcdatamodeld/Trips.xcdatamodel")
    try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
    try Data(ModelTexts.text(ModelTexts.tripsContent).utf8).write(to: version.appendingPathComponent("contents"))
    for url in [version.deletingLastPathComponent(), version, folder.appendingPathComponent("Trips.momd")] {
      let model = try #require(NSManagedObjectModel(contentsOf: url), "\(url)")
      #expect(model.entities.count == 3, "\(url)")
      #expect(model.entitiesByName["Trip"]?.managedObjectClassName == "Trip", "\(url)")
    }
    try Data("<model/".utf8).write(to: version.appendingPathComponent("contents"))
    #expect(NSManagedObjectModel(contentsOf: version) == nil)
  }

  @Test("[coredata-model-6] all models of the program merge, in current or in compatible versions")
  func allModelsOfTheProgramMerge() throws {
    register("Merged")
    let merged = try #require(NSManagedObjectModel.mergedModel(from: nil))
    #expect(merged.entitiesByName["PostMerged"]?.properties.count == 1)
    let url = try #require(Bundle.main.url(forResource: "Merged", withExtension: "momd"))
    let first = try #require(NSManagedObjectModel(contentsOf: url.appendingPathComponent("First.mom")))
    let metadata = [NSStoreModelVersionHashesKey: first.entityVersionHashesByName]
    let found = NSManagedObjectModel.mergedModel(from: nil, forStoreMetadata: metadata)
    #expect(found?.entitiesByName["PostMerged"]?.properties.isEmpty == true)
  }

  @Test("[coredata-model-11] a key path leads to its registered property name")
  func keyPaths() {
    _registerKeyPaths { [(\RegistryPost.title as AnyKeyPath, "title"), (\RegistryPost.size as AnyKeyPath, "size")] }
    #expect(PropertyNames.name(of: \RegistryPost.title) == "title")
    #expect(PropertyNames.name(of: \RegistryPost.size) == "size")
    #expect(PropertyNames.name(of: \RegistryPost.other) == nil)
    #expect(PropertyNames.name(of: \RegistryPost.title?.count) == nil)
    _registerKeyPaths { [(\RegistryPost.other as AnyKeyPath, "other")] }
    #expect(PropertyNames.name(of: \RegistryPost.other) == "other")
  }

  @Test("[coredata-model-11] a class is found by its registered name")
  func classIsFoundByItsRegisteredName() {
    _registerManagedObjectClass("Elsewhere.Article") { RegistryPost.self }
    #expect(ManagedObjectClasses.type(named: "Elsewhere.Article") == RegistryPost.self)
    #expect(ManagedObjectClasses.type(named: "Article") == RegistryPost.self)
    #expect(ManagedObjectClasses.type(named: NSStringFromClass(RegistryNote.self)) == RegistryNote.self)
    // An Objective-C name, for which a model specifies its own module.
    _registerManagedObjectClass("ObjectiveNote") { NSManagedObject.self }
    _registerManagedObjectClass("ObjectiveNote") { RegistryNote.self }
    #expect(ManagedObjectClasses.type(named: "CoreDataTests.ObjectiveNote") == RegistryNote.self)
    #expect(ManagedObjectClasses.type(named: "CoreData.ObjectiveNote") == NSManagedObject.self)
    #expect(ManagedObjectClasses.type(named: "Other.ObjectiveNote") == NSManagedObject.self)
    #expect(ManagedObjectClasses.type(named: "NoSuchClass") == nil)
    #expect(ManagedObjectClasses.type(named: "A.B") == nil)
  }

  @Test("[coredata-model-11] a computed property is found for its class and subclasses")
  func computedPropertyIsFoundForItsClass() throws {
    _registerComputedProperty({ RegistryPost.self }, "shout", { ($0 as? RegistryPost)?.title?.uppercased() })
    let entity = NSEntityDescription()
    let (post, note) = (
      RegistryPost(entity: entity, insertInto: nil), RegistryNote(entity: entity, insertInto: nil)
    )
    #expect(try #require(ComputedProperties.value(of: post, "shout")) as? String == "HI")
    #expect(try #require(ComputedProperties.value(of: note, "shout")) == nil)
    #expect(ComputedProperties.value(of: post, "whisper") == nil)
    #expect(ComputedProperties.value(of: NSObject(), "shout") == nil)
  }
}

class RegistryPost: NSManagedObject {
  var title: String? { "hi" }
  var size: Int { 1 }
  var other: Int { 2 }
}

final class RegistryNote: RegistryPost {
  override var title: String? { nil }
}

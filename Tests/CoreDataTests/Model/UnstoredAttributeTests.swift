import Foundation
import Testing

@testable import CoreData

@Suite("Attributes that stores do not support")
struct UnstoredAttributeTests {
  private func model(_ attribute: NSAttributeDescription) -> NSManagedObjectModel {
    let entity = NSEntityDescription()
    entity.name = "Person"
    attribute.name = "home"
    entity.properties = [attribute]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }

  private func open(_ model: NSManagedObjectModel) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
    try coordinator.remove(store)
  }

  // [coredata-model-12]
  @Test("a store with a composite or untyped attribute is not opened, and the error names the attribute")
  func storeWithACompositeOrUntypedAttribute() throws {
    for (attribute, kind) in [
      (NSCompositeAttributeDescription(), "is composite"), (NSAttributeDescription(), "has no type"),
    ] {
      let error = #expect(throws: NSError.self) { try open(model(attribute)) }
      #expect(error?.domain == NSCocoaErrorDomain)
      #expect(error?.code == NSPersistentStoreOpenError)
      #expect(
        error?.localizedFailureReason
          == "The attribute 'home' of the entity 'Person' \(kind): stores have no such values.")
    }
    let transient = NSAttributeDescription()
    transient.isTransient = true
    try open(model(transient))
  }

  // [coredata-model-1] [coredata-version-2]
  @Test("a composite attribute's elements determine its version, and are frozen and copied with it")
  func compositeAttributesElementsDetermine() throws {
    let attribute = NSCompositeAttributeDescription()
    #expect(attribute.type == .composite)
    #expect(attribute.elements.isEmpty)
    #expect(attribute.attributeValueClassName == "NSDictionary")
    let before = attribute.versionHash
    let city = NSAttributeDescription()
    city.name = "city"
    city.type = .string
    attribute.elements = [city]
    #expect(attribute.versionHash != before)
    let copy = try #require(attribute.copy() as? NSCompositeAttributeDescription)
    #expect(copy.versionHash == attribute.versionHash)
    #expect(copy.elements.first !== city)
    #expect(copy.elements.count == 1)
    let model = model(attribute)
    model.freeze()
    #expect(city.isFrozen)
    #expect(attribute.isFrozen)
    #expect(!copy.isFrozen)
  }
}

import Foundation
import Testing

@testable import CoreData

/// Descriptions that a model file becomes.
@Suite("Models from files")
struct ModelBuildingTests {
  private let model: NSManagedObjectModel
  private let trip: NSEntityDescription
  private let stop: NSEntityDescription
  private let hotel: NSEntityDescription

  init() throws {
    model = try ModelTexts.trips()
    trip = try #require(model.entitiesByName["Trip"])
    stop = try #require(model.entitiesByName["Stop"])
    hotel = try #require(model.entitiesByName["Hotel"])
  }

  @Test("entities have the names, classes, parents and user info of the file")
  func entitiesHaveTheNamesClassesParents() {
    #expect(model.entities.map(\.name) == ["Trip", "Stop", "Hotel"])
    #expect(trip.managedObjectModel === model)
    #expect(!trip.isAbstract)
    #expect(stop.isAbstract)
    #expect(hotel.superentity === stop)
    #expect(stop.subentities == [hotel])
    #expect(stop.subentitiesByName["Hotel"] === hotel)
    #expect(hotel.isKindOf(entity: stop))
    #expect(hotel.isKindOf(entity: hotel))
    #expect(!stop.isKindOf(entity: hotel))
    #expect(trip.userInfo as? [String: String] == ["note": "first"])
    #expect(Array(model.fetchRequestTemplatesByName.keys) == ["all"])
  }

  @Test("[coredata-model-3] a class belongs to the named module or to the model's own")
  func classBelongsToTheNamedModule() throws {
    #expect(trip.managedObjectClassName == "Trips.Trip")
    #expect(stop.managedObjectClassName == "Places.Stop")
    #expect(hotel.managedObjectClassName == "NSManagedObject")
    #expect(hotel.managedObjectClass == NSManagedObject.self)
    #expect(trip.managedObjectClass == NSManagedObject.self)
    let unknown = try ModelTexts.model(#"<entity name="A" representedClassName=".Foo"/>"#, module: nil)
    #expect(unknown.entities[0].managedObjectClassName == "Foo")
    hotel.managedObjectClassName = NSStringFromClass(ModelBuildingHotel.self)
    #expect(hotel.managedObjectClass == ModelBuildingHotel.self)
  }

  @Test("attributes have the types and defaults of the file")
  func attributesHaveTheTypesAndDefaults() throws {
    func attribute(_ name: String) throws -> NSAttributeDescription { try #require(trip.attributesByName[name]) }
    #expect(try attribute("days").type == .integer16 && attribute("days").defaultValue as? NSNumber == 3)
    #expect(try attribute("title").defaultValue as? String == "" && !attribute("title").isOptional)
    #expect(try attribute("price").defaultValue as? NSDecimalNumber == NSDecimalNumber(string: "12.5"))
    #expect(try attribute("begin").defaultValue as? Date == Date(timeIntervalSinceReferenceDate: 86400))
    #expect(try attribute("isOpen").defaultValue as? Bool == true && attribute("id").defaultValue == nil)
    #expect(try attribute("id").attributeValueClassName == "NSUUID")
    #expect(try attribute("map").allowsExternalBinaryDataStorage && attribute("draft").isTransient)
    let (secret, color) = (try attribute("secret"), try attribute("color"))
    #expect(secret.allowsCloudEncryption)
    #expect(secret.preservesValueInHistoryOnDeletion)
    #expect(color.valueTransformerName == "Color")
    #expect(color.attributeValueClassName == "Tint")
    let count = try #require(trip.attributesByName["stopCount"] as? NSDerivedAttributeDescription)
    #expect(count.derivationText == "stops.@count")
    let cheap = try #require(trip.propertiesByName["cheap"] as? NSFetchedPropertyDescription)
    #expect(cheap.fetchRequest?.versionTexts == ["Trip", "price < 10"])
  }

  @Test("[coredata-model-9] relationships have their destinations and inverses")
  func relationshipsHaveTheirDestinations() throws {
    let stops = try #require(trip.relationshipsByName["stops"])
    let back = try #require(stop.relationshipsByName["trip"])
    #expect(stops.destinationEntity === stop)
    #expect(stops.inverseRelationship === back)
    #expect(back.destinationEntity === trip)
    #expect(back.inverseRelationship === stops)
    #expect(stops.isToMany)
    #expect(!back.isToMany)
    #expect(stops.deleteRule == .cascadeDeleteRule)
    #expect(!stops.isOrdered)
    #expect(trip.relationships(forDestination: stop) == [stops])
    #expect(trip.relationships(forDestination: hotel).isEmpty)
    let new = NSRelationshipDescription()
    #expect(new.maxCount == 0)
    #expect(new.minCount == 0)
    #expect(new.isToMany)
    #expect(new.deleteRule == .nullifyDeleteRule)
  }

  @Test("[coredata-model-2] an entity has the properties that it inherits")
  func entityHasThePropertiesThatItInherits() throws {
    #expect(Set(hotel.propertiesByName.keys) == ["name", "trip", "stars"])
    #expect(hotel.properties.count == 3)
    #expect(stop.properties.count == 2)
    #expect(hotel.attributesByName["name"] === stop.attributesByName["name"])
    #expect(hotel.attributesByName["name"]?.entity === stop)
    #expect(hotel.attributesByName["stars"]?.entity === hotel)
    hotel.properties += [NSAttributeDescription()]
    #expect(hotel.ownProperties.count == 2)
    #expect(stop.ownProperties.count == 2)
  }

  @Test("[coredata-model-7] a model has its configurations, and a default one with all entities")
  func modelHasItsConfigurationsAndADefault() {
    #expect(model.configurations == ["PF_DEFAULT_CONFIGURATION_NAME", "Local"])
    #expect(model.entities(forConfigurationName: nil) == model.entities)
    #expect(model.entities(forConfigurationName: "PF_DEFAULT_CONFIGURATION_NAME") == model.entities)
    #expect(model.entities(forConfigurationName: "Local") == [hotel])
    #expect(model.entities(forConfigurationName: "Other") == nil)
  }

  @Test("[coredata-model-16] of several properties with one name, an entity has the last one")
  func repeatedNames() throws {
    let entity = NSEntityDescription()
    let (text, number, relationship) = (
      NSAttributeDescription(), NSAttributeDescription(), NSRelationshipDescription()
    )
    (text.name, text.type, number.name, number.type) = ("cover", .string, "number", .integer64)
    relationship.name = "cover"
    entity.properties = [text, number]
    entity.properties += [relationship]
    #expect(entity.properties == [number, relationship])
    #expect(entity.propertiesByName["cover"] === relationship)
    #expect(relationship.entity === entity)
    let hash = entity.versionHash
    entity.properties = [number, relationship]
    #expect(entity.versionHash == hash)
    // A property may get its name later.
    let late = NSAttributeDescription()
    late.type = .double
    entity.properties.append(late)
    late.name = "number"
    entity.properties = [number, late]
    #expect(entity.propertiesByName["number"] === late)
  }

  @Test("[coredata-model-8] a renaming identifier is the name unless it was set")
  func renamingIdentifierIsTheNameUnless() {
    #expect(trip.renamingIdentifier == "Journey")
    #expect(stop.renamingIdentifier == "Stop")
    #expect(stop.attributesByName["name"]?.renamingIdentifier == "name")
  }

  @Test("[coredata-model-10] entities have the indexes and uniqueness constraints of the file")
  func entitiesHaveTheIndexesAndUniqueness() throws {
    let index = try #require(trip.indexes.first)
    #expect(index.name == "byTitle")
    #expect(index.entity === trip)
    #expect(index.elements.count == 1)
    let element = index.elements[0]
    #expect(element.property === trip.attributesByName["title"])
    #expect(element.propertyName == "title")
    #expect(!element.isAscending)
    #expect(element.collationType == .binary)
    #expect(element.indexDescription === index)
    #expect(trip.uniquenessConstraints as? [[String]] == [["id"]])
    let title = try #require(trip.attributesByName["title"])
    trip.uniquenessConstraints = [[title, "id"]]
    #expect(trip.uniquenessConstraints as? [[String]] == [["title", "id"]])
    stop.uniquenessConstraints = [["name"]]
    #expect(hotel.uniquenessConstraints.isEmpty)
    #expect(stop.uniquenessConstraints as? [[String]] == [["name"]])
  }

  @Test("[coredata-model-10] a uniqueness constraint with another value than attributes or names raises an exception")
  func otherConstraints() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      NSEntityDescription().uniquenessConstraints = [["id", 5]]
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("A uniqueness constraint is of attributes or their names, not of 5"), "\(text)")
  }
}

/// A class with a fully qualified name in the model.
final class ModelBuildingHotel: NSManagedObject {}

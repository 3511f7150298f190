import Foundation
import LocalCloudObjectStore
import Testing

@testable import CoreData

/// Versions of models, and the schema that stores receive from a model.
@Suite("Versions of models")
struct ModelVersionTests {
  private func hashes(_ content: String) throws -> [String: Data] {
    try ModelTexts.model(content).entityVersionHashesByName
  }

  private func isSame(_ first: String, _ second: String) throws -> Bool { try hashes(first) == hashes(second) }

  @Test("[coredata-version-1] version hashes of entities depend on structure, modifier, constraints and parent")
  func versionHashesOfEntitiesDependOnStructure() throws {
    let plain = #"<entity name="A"><attribute name="x" attributeType="String"/></entity>"#
    #expect(try isSame(plain, plain))
    #expect(try hashes(plain)["A"]?.count == 16)
    for other in [
      #"<entity name="A" isAbstract="YES"><attribute name="x" attributeType="String"/></entity>"#,
      #"<entity name="A" versionHashModifier="2"><attribute name="x" attributeType="String"/></entity>"#,
      #"<entity name="A"><attribute name="x" attributeType="String"/><uniquenessConstraints><uniquenessConstraint>"#
        + #"<constraint value="x"/></uniquenessConstraint></uniquenessConstraints></entity>"#,
      #"<entity name="A"/>"#,
    ] {
      #expect(try !isSame(plain, other), "\(other)")
    }
    let parent = #"<entity name="A"/><entity name="B" parentEntity="A"/>"#
    let changed = #"<entity name="A" versionHashModifier="1"/><entity name="B" parentEntity="A"/>"#
    #expect(try hashes(parent)["B"] != hashes(changed)["B"])
  }

  @Test("[coredata-version-2] version hashes of properties depend on type and cardinality, not on defaults or bounds")
  func versionHashesOfPropertiesDependOnType() throws {
    func attribute(_ more: String) -> String { #"<entity name="A"><attribute name="x" \#(more)/></entity>"# }
    let plain = attribute(#"attributeType="String""#)
    for more in [
      #"attributeType="String" optional="YES""#, #"attributeType="String" transient="YES""#, #"attributeType="UUID""#,
      #"attributeType="String" versionHashModifier="1""#,
    ] {
      #expect(try !isSame(plain, attribute(more)), "\(more)")
    }
    for more in [
      #"attributeType="String" defaultValueString="a""#, #"attributeType="String" minValueString="3""#,
      #"attributeType="String" renamingIdentifier="y""#,
    ] {
      #expect(try isSame(plain, attribute(more)), "\(more)")
    }
    func relationship(_ more: String) -> String {
      #"<entity name="A"><relationship name="r" destinationEntity="A" \#(more)/></entity>"#
    }
    let one = relationship("")
    #expect(try !isSame(one, relationship(#"toMany="YES""#)) && !isSame(one, relationship(#"minCount="1""#)))
    #expect(try isSame(one, relationship(#"deletionRule="Cascade""#)))
    #expect(try !isSame(relationship(#"toMany="YES""#), relationship(#"toMany="YES" ordered="YES""#)))
    let index = #"<fetchIndex name="i"><fetchIndexElement property="x"/></fetchIndex>"#
    #expect(try isSame(plain, plain.replacing("</entity>", with: index + "</entity>")))
  }

  @Test("[coredata-version-3] a configuration is compatible with metadata of the same entity versions only")
  func configurationIsCompatibleWithMetadata() throws {
    let model = try ModelTexts.trips()
    let all = [NSStoreModelVersionHashesKey: model.entityVersionHashesByName] as [String: Any]
    #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: all))
    #expect(!model.isConfiguration(withName: "Local", compatibleWithStoreMetadata: all))
    #expect(!model.isConfiguration(withName: "Other", compatibleWithStoreMetadata: all))
    #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: [:]))
    let checksum = model.versionChecksum
    model.entitiesByName["Trip"]?.attributesByName["days"]?.type = .integer64
    #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: all))
    #expect(model.versionChecksum != checksum)
  }

  @Test("[coredata-model-6] models merge into one model")
  func modelsMergeIntoOneModel() async throws {
    let (first, second) = (try ModelTexts.trips(), try ModelTexts.model(#"<entity name="Post"/>"#))
    first.versionIdentifiers = ["a"]
    second.versionIdentifiers = ["b"]
    let merged = try #require(NSManagedObjectModel(byMerging: [first, second, first]))
    #expect(merged.entities.compactMap(\.name) == ["Hotel", "Post", "Stop", "Trip"])
    #expect(merged.versionIdentifiers == ["a", "b"])
    #expect(merged.entityVersionHashesByName.count == 4)
    #expect(merged.entities(forConfigurationName: "Local")?.compactMap(\.name) == ["Hotel"])
    #expect(first.entities.allSatisfy { $0.managedObjectModel === first })
    let metadata = [NSStoreModelVersionHashesKey: second.entityVersionHashesByName]
    let fitting = NSManagedObjectModel(byMerging: [first, second], forStoreMetadata: metadata)
    #expect(fitting?.entities.compactMap(\.name) == ["Post"])
    #expect(NSManagedObjectModel(byMerging: [first], forStoreMetadata: metadata) == nil)
    #expect(NSManagedObjectModel(byMerging: nil) == nil)
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let first = try ModelTexts.model(#"<entity name="Post"/>"#)
      let second = try ModelTexts.model(#"<entity name="Post" isAbstract="YES"/>"#)
      _ = NSManagedObjectModel(byMerging: [first, second])
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Can't merge models with two different entities named 'Post'"))
  }

  @Test("[coredata-version-4] a store's schema has the entities, attributes, indexes and relationships")
  func storesSchemaHasTheEntitiesAttributesIndexes() throws {
    let schema = try ModelTexts.trips().storeSchema(configuration: nil)
    #expect(schema.entities.map(\.name) == ["Hotel", "Stop", "Trip"])
    let trip = try #require(schema.entities.last)
    #expect(
      trip.attributes.map(\.name) == [
        "begin", "code", "color", "days", "id", "isOpen", "map", "price", "secret", "stopCount", "title",
      ])
    let attributes = Dictionary(uniqueKeysWithValues: trip.attributes.map { ($0.name, $0) })
    #expect(attributes["map"] == .init(name: "map", type: .binary, isExternal: true))
    #expect(attributes["secret"] == .init(name: "secret", type: .string, isPreserved: true, isEncrypted: true))
    #expect(
      attributes["stopCount"]
        == .init(name: "stopCount", type: .integer64, derivation: "stops.@count", isRequired: true))
    #expect(attributes["color"]?.type == .transformable)
    #expect(attributes["id"]?.type == .uuid)
    #expect(
      trip.indexes == [
        .init(name: "byTitle", elements: [.init(property: "title", isAscending: false)]),
        .init(name: "unique(id)", elements: [.init(property: "id", isAscending: true)], isUnique: true),
      ])
    let stops = try #require(schema.relationship(named: "stops", of: 2))
    #expect(schema.relationships[stops].isToMany && schema.relationships[stops].inverse != nil)
    #expect(schema.entities[0].parent == 1 && schema.entities[1].isAbstract && trip.versionHash.count == 32)
  }

  @Test("[coredata-version-4] a configuration's schema omits an entity's parent, and relationships to other entities")
  func configurationsSchemaOmitsAnEntitysParent() throws {
    let schema = try ModelTexts.trips().storeSchema(configuration: "Local")
    #expect(schema.entities.map(\.name) == ["Hotel"])
    #expect(schema.relationships.isEmpty)
    #expect(schema.entities[0].attributes.map(\.name) == ["name", "stars"])
    #expect(schema.entities[0].parent == nil)
  }
}

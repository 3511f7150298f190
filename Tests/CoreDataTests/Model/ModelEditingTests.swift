import Foundation
import Testing

@testable import CoreData

/// Models that programs make or change.
@Suite("Models made in code")
struct ModelEditingTests {
  @Test("[coredata-model-1] changing a model in use, or one of its parts, raises an exception")
  func changingAModelInUse() async {
    let saying: [any PartialKeyPath<ExitTest.Result> & Sendable] = [\.standardErrorContent]
    func expectStop(_ result: ExitTest.Result?) {
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("'NSInternalInconsistencyException', reason: 'Can't modify an immutable model.'"))
    }
    expectStop(
      await #expect(processExitsWith: .failure, observing: saying) {
        let model = try ModelTexts.trips()
        model.freeze()
        model.entities = []
      })
    expectStop(
      await #expect(processExitsWith: .failure, observing: saying) {
        let model = try ModelTexts.trips()
        model.freeze()
        model.entitiesByName["Trip"]?.name = "Other"
      })
    expectStop(
      await #expect(processExitsWith: .failure, observing: saying) {
        let model = try ModelTexts.trips()
        model.freeze()
        model.entitiesByName["Hotel"]?.attributesByName["name"]?.isOptional = true
      })
  }

  @Test("a model in use gives the same lookups as before")
  func modelInUseGivesTheSameLookups() throws {
    let model = try ModelTexts.trips()
    let (trip, hotel) = try (#require(model.entitiesByName["Trip"]), #require(model.entitiesByName["Hotel"]))
    let before = (trip.propertiesByName, hotel.attributesByName, hotel.relationshipsByName, model.entitiesByName)
    model.freeze()
    model.freeze()
    #expect(trip.propertiesByName == before.0)
    #expect(hotel.attributesByName == before.1)
    #expect(hotel.relationshipsByName == before.2)
    #expect(model.entitiesByName == before.3)
    #expect(hotel.isKindOf(entity: hotel))
    #expect(model.entitiesByName["Stop"].map { hotel.isKindOf(entity: $0) } == true)
    #expect(!hotel.isKindOf(entity: trip))
    #expect(model.isFrozen)
    #expect(trip.isFrozen)
  }

  @Test("[coredata-model-1] a copy can be changed and shares nothing with the original")
  func copyCanBeChangedAndSharesNothing() throws {
    let model = try ModelTexts.trips()
    model.versionIdentifiers = ["1"]
    model.freeze()
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    let (trip, stop, hotel) = try (
      #require(copy.entitiesByName["Trip"]), #require(copy.entitiesByName["Stop"]),
      #require(copy.entitiesByName["Hotel"])
    )
    #expect(trip !== model.entitiesByName["Trip"])
    #expect(trip.managedObjectModel === copy)
    #expect(hotel.superentity === stop)
    #expect(stop.superentity == nil)
    #expect(trip.relationshipsByName["stops"]?.destinationEntity === stop)
    #expect(trip.relationshipsByName["stops"]?.inverseRelationship === stop.relationshipsByName["trip"])
    #expect(trip.indexes[0].elements[0].property === trip.attributesByName["title"])
    #expect(copy.entities(forConfigurationName: "Local") == [hotel])
    #expect(copy.versionIdentifiers == ["1"])
    #expect(copy.entityVersionHashesByName == model.entityVersionHashesByName)
    #expect(Array(copy.fetchRequestTemplatesByName.keys) == ["all"])
    let title = try #require(trip.attributesByName["title"])
    #expect(title.problems(with: "A").map(\.code) == [NSValidationStringTooShortError])
    title.name = "heading"
    #expect(model.entitiesByName["Trip"]?.attributesByName["title"]?.name == "title")
  }

  @Test("parts of a model made in code join and leave their owners")
  func partsOfAModelMadeInCode() {
    let (model, post, tag) = (NSManagedObjectModel(), NSEntityDescription(), NSEntityDescription())
    (post.name, tag.name) = ("Post", "Tag")
    let title = NSAttributeDescription()
    (title.name, title.type) = ("title", .string)
    post.properties = [title]
    model.entities = [post, tag]
    #expect(title.entity === post)
    #expect(post.managedObjectModel === model)
    #expect(post.hasModel)
    model.entities = [tag]
    #expect(!post.hasModel)
    #expect(tag.hasModel)
    post.subentities = [tag]
    #expect(tag.superentity === post)
    #expect(tag.attributesByName["title"] === title)
    post.subentities = []
    #expect(tag.superentity == nil)
    #expect(tag.properties.isEmpty)
    post.managedObjectClassName = nil
    #expect(post.managedObjectClassName == "NSManagedObject")
    title.attributeValueClassName = "Custom"
    title.type = .date
    #expect(title.attributeValueClassName == "NSDate")
    model.setEntities([tag], forConfigurationName: "Cloud")
    model.setEntities([post], forConfigurationName: "Cloud")
    #expect(model.entities(forConfigurationName: "Cloud") == [post])
    #expect(model.configurations.count == 2)
  }

  @Test("a value derived from an entity is made once, and only for a model in use")
  func valueDerivedFromAnEntityIsMade() {
    final class Note: Sendable {}
    let model = NSManagedObjectModel()
    let entity = NSEntityDescription()
    model.entities = [entity]
    #expect(entity.derived { _ in Note() } !== entity.derived { _ in Note() })
    model.freeze()
    #expect(entity.derived { _ in Note() } === entity.derived { _ in Note() })
  }
}

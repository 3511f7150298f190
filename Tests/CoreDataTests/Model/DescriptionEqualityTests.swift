import CoreDataModel
import Foundation
import Testing

@testable import CoreData

@Suite("Models that are alike")
struct DescriptionEqualityTests {

  private final class Lost: NSManagedObject {}

  // [coredata-model-15]
  @Test("the entity of a class that no model has is one without a name, and stderr tells so")
  func lost() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        guard Lost.entity().name == nil else { fatalError() }
      })
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("Failed to find a unique match for an NSEntityDescription to a managed object subclass"))
  }

  // [model-file-6]
  @Test("defaults that are no values of their types are read as NSString reads numbers")
  func defaults() throws {
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
    #expect(defaults["i"] as? Int == 0 && defaults["b"] as? Bool == false)
    #expect(defaults["d"] as? Double == 0 && defaults["f"] as? Float == 2.5)
    #expect(entity.attributesByName["t"]?.attributeValueClassName == "NSArray")
  }
}

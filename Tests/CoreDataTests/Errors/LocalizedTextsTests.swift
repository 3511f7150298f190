import Foundation
import Testing

@testable import CoreData

@Suite("Localized texts of errors")
struct LocalizedTextsTests {
  @Test("[coredata-valid-6] an error has the localized property name, and the program's localized warning")
  func errorHasTheLocalizedPropertyName() throws {
    let model = try ModelTexts.model(
      """
      <entity name="Trip"><attribute name="title" attributeType="String"/><attribute name="days" attributeType="String"/>
        <attribute name="code" optional="YES" attributeType="String"/></entity>
      <entity name="Tour" parentEntity="Trip"/>
      """)
    model.localizationDictionary = [
      "Property/title": "Titre", "Property/days/Entity/Trip": "Jours", "Property/days": "Journées",
      "ErrorString/too odd": "trop bizarre",
    ]
    let code = try #require(model.entitiesByName["Trip"]?.propertiesByName["code"])
    code.setValidationPredicates([NSPredicate(format: "SELF == 'A'")], withValidationWarnings: ["too odd"])
    model.freeze()
    let entity = try #require(model.entitiesByName["Tour"])
    let tour = NSManagedObject(entity: entity, insertInto: nil)
    tour.setValue("B", forKey: "code")
    let error = #expect(throws: NSError.self) { try tour.validateForInsert() }
    let details = try #require(error?.userInfo[NSDetailedErrorsKey] as? [NSError])
    #expect(
      details.map(\.localizedDescription).sorted() == [
        "Jours is a required value.", "Titre is a required value.", "trop bizarre",
      ])
  }
}

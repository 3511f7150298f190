import Foundation
import Testing

@testable import CoreData

/// Errors and their user info.
@Suite("Errors of Core Data")
struct CoreDataErrorTests {
  private let object: NSManagedObject
  private let property: NSAttributeDescription

  init() {
    let entity = NSEntityDescription()
    property = NSAttributeDescription()
    property.name = "title"
    entity.properties = [property]
    object = NSManagedObject(entity: entity, insertInto: nil)
  }

  @Test("[coredata-valid-5] an error of one value has its details; several errors are combined")
  func errorOfOneValueHasItsDetails() throws {
    let predicate = NSPredicate(format: "length > 3")
    let first = CoreDataError.validation(1670, object: object, property: property, value: "a", predicate: predicate)
    #expect(first.domain == NSCocoaErrorDomain)
    #expect(first.code == NSValidationStringTooShortError)
    #expect(first.userInfo["NSValidationErrorObject"] as? NSManagedObject === object)
    #expect(first.userInfo["NSValidationErrorKey"] as? String == "title")
    #expect(first.userInfo[NSValidationValueErrorKey] as? String == "a")
    #expect(first.userInfo[NSValidationPredicateErrorKey] as? NSPredicate == predicate)
    #expect(first.localizedDescription == "title is too short.")
    let second = CoreDataError.validation(1570, object: object, property: property, value: nil)
    #expect(second.localizedDescription == "title is a required value.")
    #expect(second.userInfo.count == 3)
    #expect(CoreDataError.combined([]) == nil)
    #expect(CoreDataError.combined([first]) as? NSError === first)
    let both = try #require(CoreDataError.combined([first, second]) as? NSError)
    #expect(both.code == NSValidationMultipleErrorsError)
    #expect(both.userInfo[NSDetailedErrorsKey] as? [NSError] == [first, second])
    #expect(both.localizedDescription == "Multiple validation errors occurred.")
  }

  @Test("an error is caught by its code and has typed properties")
  func errorIsCaughtByItsCode() throws {
    let error: any Error = CoreDataError.validation(1570, object: object, property: property, value: nil)
    do { throw error } catch CocoaError.validationMissingMandatoryProperty {} catch { Issue.record("\(error)") }
    let cocoa = try #require(error as? CocoaError)
    #expect(cocoa.code == .validationMissingMandatoryProperty)
    #expect(cocoa.validationKey == "title")
    #expect(cocoa.validationObject as? NSManagedObject === object)
    #expect(cocoa.validationValue == nil)
    #expect(cocoa.validationPredicate == nil)
    #expect(cocoa.affectedObjects == nil)
    #expect(cocoa.affectedStores == nil)
  }

  @Test("error codes have the values of Apple's headers")
  func errorCodesHaveTheValuesOfApples() {
    #expect(CocoaError.Code.managedObjectValidation.rawValue == 1550)
    #expect(NSManagedObjectMergeError == 133020)
    #expect(CocoaError.managedObjectConstraintMerge.rawValue == 133021)
    #expect(NSCoreDataError == 134060)
    #expect(CocoaError.persistentStoreIncompatibleVersionHash.rawValue == 134100)
    #expect(NSPersistentHistoryTokenExpiredError == 134301)
    #expect(CocoaError.Code.sqlite.rawValue == 134180)
  }

  @Test("an error has a description, a reason and a URL")
  func errorHasADescriptionAReason() {
    let url = URL(fileURLWithPath: "/store.sqlite")
    let error = CoreDataError.error(NSPersistentStoreOpenError, reason: "It is a file.", url: url)
    #expect(error.localizedFailureReason == "It is a file.")
    #expect(error.userInfo[NSURLErrorKey] as? URL == url)
    #expect(error.localizedDescription == "The persistent store could not be opened.")
    #expect(
      CoreDataError.error(134070).localizedDescription == "The operation couldn’t be completed. (Cocoa error 134070.)")
    #expect(CoreDataError.error(134060).localizedDescription == "A Core Data error occurred.")
  }
}

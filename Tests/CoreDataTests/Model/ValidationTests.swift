import Foundation
import Testing

@testable import CoreData

/// Values that a model allows.
@Suite("Validation of values")
struct ValidationTests {
  private let model: NSManagedObjectModel

  init() throws { model = try ModelTexts.trips() }

  private func codes(_ name: String, _ value: Any?) throws -> [Int] {
    try #require(model.entitiesByName["Trip"]?.propertiesByName[name]).problems(with: value).map(\.code)
  }

  @Test("[coredata-valid-1] a missing required value is invalid")
  func missingRequiredValueIsInvalid() throws {
    #expect(try codes("title", nil) == [1570] && codes("title", NSNull()) == [1570])
    #expect(try codes("price", nil) == [] && codes("stopCount", nil) == [] && codes("cheap", nil) == [])
    let trip = try #require(model.entitiesByName["Stop"]?.relationshipsByName["trip"])
    #expect(trip.problems(with: nil).isEmpty)
    trip.isOptional = false
    #expect(trip.problems(with: nil).map(\.code) == [1570])
  }

  @Test("[coredata-valid-2] numbers of any type are compared with their bounds")
  func numbersOfAnyTypeAreCompared() throws {
    #expect(try codes("days", 1) == [] && codes("days", 30) == [] && codes("days", Int16(7)) == [])
    #expect(try codes("days", 0) == [1620] && codes("days", NSNumber(value: 31)) == [1610])
    #expect(try codes("days", 30.5) == [1610] && codes("days", Double.nan) == [1620, 1610])
    let bound = try #require(PropertyBound.Number("9007199254740993"))
    #expect(!PropertyBound.largest(bound).allows(Int64(9_007_199_254_740_994)))
    #expect(PropertyBound.largest(bound).allows(Int64(9_007_199_254_740_993)))
    let tenth = try #require(PropertyBound.Number("0.1"))
    #expect(PropertyBound.smallest(tenth).allows(NSDecimalNumber(string: "0.1")))
    #expect(PropertyBound.largest(tenth).allows(0.1))
    #expect(PropertyBound.largest(tenth).allows("text"))
  }

  @Test("[coredata-valid-2] dates and strings are compared with their bounds")
  func datesAndStringsAreCompared() throws {
    func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }
    #expect(try codes("begin", date(0)) == [] && codes("begin", date(100_000)) == [])
    #expect(try codes("begin", date(-1)) == [1640] && codes("begin", date(100_001)) == [1630])
    #expect(try codes("begin", date(.nan)) == [1650])
    #expect(try codes("title", "AB") == [] && codes("title", "ABCDE") == [])
    #expect(try codes("title", "A") == [1670] && codes("title", "ABCDEF") == [1660])
    // Three characters of two UTF-16 code units each.
    #expect(try codes("title", "😀😀😀") == [1660])
    #expect(try codes("code", "ABC") == [] && codes("code", "12") == [] && codes("code", nil) == [])
    #expect(try codes("code", "AB1") == [1680] && codes("code", "123") == [1680] && codes("code", "AB\n") == [1680])
  }

  @Test("[coredata-valid-2] the predicates agree with the bounds of the file")
  func predicatesAgreeWithTheBounds() throws {
    let trip = try #require(model.entitiesByName["Trip"])
    for (name, values) in [
      ("title", ["A", "AB", "ABCDE", "ABCDEF"] as [Any]), ("days", [0, 1, 30, 31]), ("code", ["ABC", "AB1", "12"]),
      ("begin", [Date(timeIntervalSinceReferenceDate: -1), Date(timeIntervalSinceReferenceDate: 5)]),
    ] {
      let property = try #require(trip.propertiesByName[name])
      #expect(property.validationPredicates.count == property.validationWarnings.count)
      for value in values {
        let failing = property.validationPredicates.count { !$0.evaluate(with: value) }
        #expect(failing == property.problems(with: value).count, "\(name) \(value)")
      }
    }
    #expect(trip.propertiesByName["title"]?.validationWarnings as? [NSNumber] == [1670, 1660])
    #expect(trip.propertiesByName["price"]?.validationPredicates.isEmpty == true)
  }

  @Test("[coredata-valid-3] a relationship's number of objects is compared with its bounds")
  func relationshipsNumberOfObjectsIsCompared() throws {
    let stops = try #require(model.entitiesByName["Trip"]?.relationshipsByName["stops"])
    (stops.minCount, stops.maxCount) = (2, 3)
    func codes(_ count: Int) -> [Int] {
      stops.problems(with: NSSet(array: (0..<count).map { $0 as NSNumber })).map(\.code)
    }
    #expect(codes(0) == [])
    #expect(codes(1) == [1580])
    #expect(codes(2) == [])
    #expect(codes(3) == [])
    #expect(codes(4) == [1590])
    stops.isOptional = false
    #expect(codes(0) == [1580])
    #expect(stops.problems(with: nil).map(\.code) == [1580])
    #expect(stops.problems(with: NSOrderedSet(array: [1, 2, 3, 4])).map(\.code) == [1590])
    #expect(stops.problems(with: Set([1])).map(\.code) == [1580])
    // A required relationship without a minimum count may be empty.
    stops.minCount = 0
    #expect(codes(0) == [])
    #expect(stops.problems(with: NSOrderedSet()).isEmpty)
  }

  @Test("[coredata-valid-4] the program's own predicates replace the bounds")
  func programsOwnPredicatesReplaceTheBounds() throws {
    let title = try #require(model.entitiesByName["Trip"]?.propertiesByName["title"])
    let (long, upper) = (NSPredicate(format: "length > 3"), NSPredicate(format: "SELF MATCHES '[A-Z]*'"))
    title.setValidationPredicates([long, upper], withValidationWarnings: ["It is too short."])
    #expect(title.validationPredicates == [long, upper])
    #expect(title.problems(with: "ABCD").isEmpty)
    #expect(title.problems(with: "ABCDEF").isEmpty)
    let problems = title.problems(with: "ab")
    #expect(problems.map(\.code) == [1550, 1550])
    #expect(problems.map(\.predicate) == [long, upper])
    let object = NSManagedObject(entity: try #require(model.entitiesByName["Trip"]), insertInto: nil)
    let error = CoreDataError.validation(1550, object: object, property: title, value: "ab", predicate: long)
    #expect(error.localizedDescription == "It is too short.")
    title.setValidationPredicates(nil, withValidationWarnings: nil)
    #expect(title.problems(with: "").isEmpty)
  }
}

import Foundation
import LocalCloudModel
import Testing

// These tests check the internal reason of each refusal. QueryTests checks that these queries fail.
@testable import CloudKit

@Suite("Reasons why a predicate can't be sent to the server")
struct QueryRefusalTests {
  private let location = CLLocation(latitude: 1, longitude: 2)

  /// Reads a format without an exception for an invalid one.
  private func read(_ format: String) throws -> NSPredicate {
    try #require(PredicateArchive.predicate(format: format), "\(format)")
  }

  private func reason(_ predicate: NSPredicate) -> String? { predicate.refusalByRequests }

  @Test("the reason of a refusal is the expression with an explanation behind it")
  func reasonOfARefusalIsTheExpression() throws {
    let rows: [(NSPredicate, String)] = [
      (NSPredicate(format: "title BEGINSWITH[cd] 'a'"), "options of a comparison are not supported"),
      (NSPredicate(format: "NOT self CONTAINS 'a'"), "it can't be negated"),
      (
        NSPredicate(format: "NOT distanceToLocation:fromLocation:(at, %@) < 5", location), "it can't be negated"
      ),
      (NSPredicate(format: "title IN 'a'"), "IN needs a list"),
      (NSPredicate(format: "NOT count BETWEEN {1, 2}"), "BETWEEN can't be negated"),
      (NSPredicate(format: "count BETWEEN {1, 2, 3}"), "BETWEEN needs a list of two values"),
      (try read("count BETWEEN {1}"), "BETWEEN needs a list of two values"),
      (
        NSPredicate(format: "distanceToLocation:fromLocation:(at, %@) > 5", location),
        "a distance can only be less than a radius"
      ),
      (
        NSPredicate(format: "5 < distanceToLocation:fromLocation:(at, %@)", location),
        "a distance can only be less than a radius"
      ),
      (try read("distanceToLocation:fromLocation:(at, 'x') < 5"), "a distance needs a location"),
      (
        try read(#"distanceToLocation:fromLocation:(at, CAST({1.0, 2.0}, "CLLocation")) < 'x'"#),
        "a radius is a number of metres"
      ),
      (NSPredicate(format: "title IN {'a', 1}"), "the values of a list must be of one type"),
      (NSPredicate(format: "title == nil"), "Missing filter value"),
      (NSPredicate(format: "zone == %@", CKRecordZone.ID.default), "no value that a field can have"),
      (try read("title IN {{'a'}}"), "a list in a list"),
      (NSPredicate(format: "a == 1 OR b == 2"), "only filters joined by AND are supported"),
    ]
    for (predicate, expected) in rows {
      let text = reason(predicate)
      #expect(text?.hasPrefix("Unexpected expression: ") == true, "\(expected)")
      #expect(text?.hasSuffix(" (\(expected))") == true, "\(expected): \(text ?? "nothing")")
    }
    #expect(
      reason(NSPredicate(format: "a == 1 OR b == 2"))
        == "Unexpected expression: a == 1 OR b == 2 (only filters joined by AND are supported)")
    #expect(
      reason(NSPredicate(format: "NOT (a == 1 OR b == 2)"))
        == "Unexpected expression: NOT (a == 1 OR b == 2) (only filters joined by AND are supported)")
    #expect(
      reason(NSPredicate(format: "title ENDSWITH 'a'")) == #"Unexpected expression: title ENDSWITH "a""#)
  }

  @Test("a supported predicate has no reason, and a double NOT or a NOT before a constant is resolved")
  func supportedPredicateHasNoReason() throws {
    for text in [
      "title == 'a'", "self CONTAINS 'a'", "count BETWEEN {1, 2}", "TRUEPREDICATE", "FALSEPREDICATE",
      "NOT (NOT title == 'a')", "NOT TRUEPREDICATE", "ALL tokenize('a b', 'Cdl') IN allTokens",
    ] {
      #expect(reason(try read(text)) == nil, "\(text)")
    }
    let translation = QueryTranslation(translator: Translator(ownName: nil))
    #expect(try translation.condition(NSPredicate(format: "NOT TRUEPREDICATE")).isNever)
    #expect(try !translation.condition(NSPredicate(format: "NOT FALSEPREDICATE")).isNever)
    let twice = try translation.condition(NSPredicate(format: "NOT (NOT title == 'a')"))
    #expect(twice == QueryCondition([QueryFilter("title", .equals, .string("a"))]))
    let near = try translation.condition(
      NSPredicate(format: "distanceToLocation:fromLocation:(at, %@) <= 5", location))
    #expect(near.filters.map(\.comparator) == [.near])
    #expect(near.filters.map(\.distance) == [5])
    let mirrored = try translation.condition(
      NSPredicate(format: "2.5 > distanceToLocation:fromLocation:(at, %@)", location))
    #expect(mirrored.filters.map(\.key) == ["at"])
    #expect(mirrored.filters.map(\.distance) == [2.5])
  }

  @Test("a cursor contains the query, the zone and the position, and an invalid cursor is refused")
  func cursorContainsTheQueryTheZone() throws {
    let query = Query(
      recordType: "Note", condition: QueryCondition([QueryFilter("n", .equals, .int64(1))]), sorts: [QuerySort("n")])
    let page = try QueryPage(cursor: QueryPage(query: query, zone: testZoneID, position: "p").cursor)
    #expect(page.query == query)
    #expect(page.zone == testZoneID)
    #expect(page.position == "p")
    #expect(try QueryPage(cursor: QueryPage(query: query, zone: nil, position: "p").cursor).zone == nil)
    func refusal(_ cursor: CKQueryCursor) -> String? {
      do throws(ServiceError) {
        _ = try QueryPage(cursor: cursor)
        return nil
      } catch {
        return error.code == .invalidArguments ? error.message : "\(error.code)"
      }
    }
    let none = "The cursor was not made by a query"
    #expect(refusal(QueryPage(query: query, zone: testZoneID, position: nil).cursor) == none)
    for text in ["", "{}", #"{"query":"{","position":"p"}"#, #"{"query":"[]","position":"p"}"#] {
      #expect(refusal(CKQueryCursor(data: Data(text.utf8))) == none, "\(text)")
    }
    let whole = String(decoding: QueryPage(query: query, zone: testZoneID, position: "p").cursor.data, as: UTF8.self)
    #expect(refusal(CKQueryCursor(data: Data(whole.utf8))) == nil)
    let nowhere = whole.replacing(#""zoneName":"Home""#, with: #""zoneName":"""#)
    #expect(nowhere != whole)
    #expect(refusal(CKQueryCursor(data: Data(nowhere.utf8))) == "The cursor names no zone")
  }
}

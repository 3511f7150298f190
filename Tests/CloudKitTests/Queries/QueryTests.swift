import CloudKit
import Foundation
import LocalCloud
import TestSupport
import Testing

@Suite("Queries: predicates and sort descriptors")
struct QueryTests {
  let cloud: TestCloud
  let database: CKDatabase

  init() throws {
    cloud = try TestCloud()
    database = try cloud.container(of: "alice").privateCloudDatabase
  }

  /// Three notes: a red one from 2001 at the origin, a green one a hundredth of a degree away, and one without fields.
  private func prepare() async throws {
    try await database.save(CKRecordZone(zoneID: testZoneID))
    let (red, green, bare) = (note("red", "Red wine"), note("green", "Green tea"), note("bare"))
    red["count"] = 1
    red["price"] = 1.5
    red["tags"] = ["warm", "old"]
    red["due"] = Date(timeIntervalSinceReferenceDate: 0)
    red["at"] = CLLocation(latitude: 0, longitude: 0)
    green["count"] = 2
    green["price"] = 2.0
    green["tags"] = ["cold"]
    green["due"] = Date(timeIntervalSinceReferenceDate: 1e10)
    green["at"] = CLLocation(latitude: 0, longitude: 0.01)
    green["other"] = CKRecord.Reference(recordID: red.recordID, action: .deleteSelf)
    green["others"] = [CKRecord.Reference(recordID: red.recordID, action: .none)]
    _ = try await database.modifyRecords(saving: [red, green, bare], deleting: [])
  }

  private func find(_ predicate: NSPredicate, sorts: [NSSortDescriptor]? = nil) async throws -> [String] {
    let query = CKQuery(recordType: "Note", predicate: predicate)
    query.sortDescriptors = sorts
    return try await database.records(matching: query, inZoneWith: testZoneID).matchResults.map(\.0.recordName)
  }

  @Test("a query works with each supported form of predicate ([query-predicate-1], [query-word-2])")
  func queryWorksWithEachSupportedForm() async throws {
    try await prepare()
    let red = CKRecord.ID(recordName: "red", zoneID: testZoneID)
    let origin = CLLocation(latitude: 0, longitude: 0)
    let rows: [(NSPredicate, [String])] = [
      (NSPredicate(format: "title == 'Red wine'"), ["red"]),
      (NSPredicate(format: "%K = %@", "title", "Red wine"), ["red"]),
      (NSPredicate(format: "title != 'Red wine'"), ["green"]), (NSPredicate(format: "title <> 'x'"), ["green", "red"]),
      (NSPredicate(format: "count < 2"), ["red"]), (NSPredicate(format: "count <= %d", 2), ["green", "red"]),
      (NSPredicate(format: "price > 1.5"), ["green"]), (NSPredicate(format: "price >= 1"), ["green", "red"]),
      (NSPredicate(format: "2 > count"), ["red"]), (NSPredicate(format: "2 <= count"), ["green"]),
      (NSPredicate(format: "'Red wine' == title"), ["red"]), (NSPredicate(format: "1 + 1 == count"), ["green"]),
      (NSPredicate(format: "count BETWEEN {1, 1}"), ["red"]),
      (NSPredicate(format: "count BETWEEN %@", [1, 2]), ["green", "red"]),
      (NSPredicate(format: "title IN {'Red wine', 'x'}"), ["red"]),
      (NSPredicate(format: "title IN %@", Set(["Green tea"])), ["green"]),
      (NSPredicate(format: "NOT title IN {'Red wine'}"), ["green"]),
      (NSPredicate(format: "NOT (title IN %@)", ["Red wine", "Green tea"]), []),
      (NSPredicate(format: "ANY {'Red wine', 'x'} = title"), ["red"]),
      (NSPredicate(format: "title BEGINSWITH 'Re'"), ["red"]),
      (NSPredicate(format: "NOT title BEGINSWITH 'Re'"), ["green"]),
      (NSPredicate(format: "tags CONTAINS 'cold'"), ["green"]), (NSPredicate(format: "'cold' IN tags"), ["green"]),
      (NSPredicate(format: "ANY tags = 'cold'"), ["green"]), (NSPredicate(format: "SOME tags == 'old'"), ["red"]),
      (NSPredicate(format: "NONE tags == 'old'"), ["green"]),
      (NSPredicate(format: "NOT tags CONTAINS 'cold'"), ["red"]),
      (NSPredicate(format: "ANY tags IN {'cold', 'old'}"), ["green", "red"]),
      (NSPredicate(format: "NOT (ANY tags IN {'cold'})"), ["red"]),
      (NSPredicate(format: "ANY tags BEGINSWITH 'wa'"), ["red"]),
      (NSPredicate(format: "self CONTAINS 'TEA water'"), ["green"]),
      (NSPredicate(format: "allTokens TOKENMATCHES[cdl] %@", "wine"), ["red"]),
      (NSPredicate(format: "ALL tokenize(%@, 'Cdl') IN allTokens", "green tea"), ["green"]),
      (NSPredicate(format: "ALL tokenize(%@, 'Cdl') IN allTokens", "red tea"), []),
      (NSPredicate(format: "ANY tokenize(%@, 'Cdl') IN allTokens", "red tea"), ["green", "red"]),
      (NSPredicate(format: "distanceToLocation:fromLocation:(at, %@) < %f", origin, 100.0), ["red"]),
      (NSPredicate(format: "2000 >= distanceToLocation:fromLocation:(at, %@)", origin), ["green", "red"]),
      (NSPredicate(format: "due < %@", Date() as NSDate), ["red"]), (NSPredicate(format: "due > now()"), ["green"]),
      (NSPredicate(format: "other == %@", red), ["green"]),
      (NSPredicate(format: "other == %@", CKRecord.Reference(recordID: red, action: .none)), ["green"]),
      (NSPredicate(format: "other == %@", CKRecord(recordType: "Note", recordID: red)), ["green"]),
      (NSPredicate(format: "other IN %@", [red]), ["green"]),
      (NSPredicate(format: "others CONTAINS %@", red), ["green"]),
      (NSPredicate(format: "TRUEPREDICATE"), ["bare", "green", "red"]), (NSPredicate(value: false), []),
      (NSPredicate(format: "title BEGINSWITH 'R' AND count < 5 && tags CONTAINS 'old'"), ["red"]),
      (
        NSCompoundPredicate(andPredicateWithSubpredicates: [
          NSPredicate(format: "count > 0"),
          NSCompoundPredicate(notPredicateWithSubpredicate: NSPredicate(format: "count == 1")),
        ]), ["green"]
      ),
    ]
    for (predicate, expected) in rows {
      #expect(try await find(predicate) == expected, "\(String(describing: try? predicate.tree?.format))")
    }
  }

  // [query-predicate-2], [query-predicate-4], [query-filter-8]
  @Test("a query with any other form of predicate fails with invalidArguments")
  func queryWithAnyOtherFormOfPredicate() async throws {
    try await prepare()
    let origin = CLLocation(latitude: 0, longitude: 0)
    let predicates = [
      NSPredicate(format: "NOT (count == 1 AND count == 2)"),
      NSPredicate(format: "ALL tags == 'a'"), NSPredicate(format: "title ENDSWITH 'a'"),
      NSPredicate(format: "title LIKE 'a*'"), NSPredicate(format: "title MATCHES 'a'"),
      NSPredicate(format: "title CONTAINS 'a'"), NSPredicate(format: "other.title == 'a'"),
      NSPredicate(format: "tags.@count > 0"), NSPredicate(format: "count + 1 == 2"),
      NSPredicate(format: "count == price"), NSPredicate(format: "SUBQUERY(tags, $x, $x == 'a').@count > 0"),
      NSPredicate(format: "title == nil"), NSPredicate(format: "title != nil"),
      NSPredicate(format: "title ==[c] 'a'"), NSPredicate(format: "title BEGINSWITH[cd] 'a'"),
      NSPredicate(format: "NOT count BETWEEN {1, 2}"), NSPredicate(format: "count BETWEEN {1, 2, 3}"),
      NSPredicate(format: "NOT self CONTAINS 'a'"), NSPredicate(format: "title IN 'Red wine'"),
      NSPredicate(format: "title IN {'a', 1}"), NSPredicate(format: "count == 'a'"),
      NSPredicate(format: "title == 1"), NSPredicate(format: "other == 'red'"),
      NSPredicate(format: "nothing == 1"), NSPredicate(format: "$x == 1"),
      NSPredicate(format: "distanceToLocation:fromLocation:(at, %@) > 5", origin),
      NSPredicate(format: "NOT distanceToLocation:fromLocation:(at, %@) < 5", origin),
      NSPredicate(format: "creationDate > %@", Date()), NSPredicate { _, _ in true },
    ]
    for predicate in predicates {
      #expect(
        await code { _ = try await find(predicate) } == .invalidArguments,
        "\(String(describing: try? predicate.tree?.format))")
    }
    let many = NSPredicate(format: "title IN %@", (0...250).map(String.init))
    #expect(await code { _ = try await find(many) } == .limitExceeded)
    let absent = CKQuery(recordType: "Absent", predicate: NSPredicate(format: "a == 1"))
    #expect(await code { _ = try await database.records(matching: absent, inZoneWith: testZoneID) } == .unknownItem)
  }

  @Test("queries sort by fields in both directions and by distance; a sort descriptor without key is refused")
  func queriesSortByFieldsInBothDirections() async throws {
    try await prepare()
    let all = NSPredicate(value: true)
    let count = NSSortDescriptor(key: "count", ascending: false)
    #expect(try await find(all, sorts: [count]) == ["green", "red", "bare"])
    #expect(
      try await find(all, sorts: [NSSortDescriptor(key: "title", ascending: true), count]) == ["bare", "green", "red"])
    let sort = CKLocationSortDescriptor(key: "at", relativeLocation: CLLocation(latitude: 0, longitude: 1))
    #expect(try await find(NSPredicate(format: "count > 0"), sorts: [sort]) == ["green", "red"])
    let nameless = NSSortDescriptor(keyPath: \CKRecord.recordType, ascending: true)
    for sort in [
      nameless, NSSortDescriptor(key: "nothing", ascending: true),
      NSSortDescriptor(key: "creationDate", ascending: true),
    ] {
      #expect(await code { _ = try await find(all, sorts: [sort]) } == .invalidArguments, "\(sort)")
    }
  }

  @Test("a cursor continues the query with its predicate and order, also in another service")
  func cursorContinuesTheQueryWithItsPredicate() async throws {
    try await database.save(CKRecordZone(zoneID: testZoneID))
    let records = (0..<7).map { number in
      let record = note("n\(number)", "t\(number % 2)")
      record["count"] = number
      return record
    }
    _ = try await database.modifyRecords(saving: records, deleting: [])
    let query = CKQuery(recordType: "Note", predicate: NSPredicate(format: "count > 0 AND title BEGINSWITH 't'"))
    query.sortDescriptors = [
      NSSortDescriptor(key: "title", ascending: false), NSSortDescriptor(key: "count", ascending: false),
    ]
    let expected = ["n5", "n3", "n1", "n6", "n4", "n2"]
    let (first, cursor) = try await database.records(
      matching: query, inZoneWith: testZoneID, desiredKeys: ["count"], resultsLimit: 2)
    #expect(first.map(\.0.recordName) == ["n5", "n3"])
    #expect(first.first?.1.value?.allKeys() == ["count"])
    let next = try #require(cursor)
    let kept = try #require(try archived(next))
    let again = try cloud.container(of: "alice").privateCloudDatabase
    let rest = try await again.records(continuingMatchFrom: kept)
    #expect(rest.matchResults.map(\.0.recordName) == Array(expected.dropFirst(2)))
    #expect(rest.queryCursor == nil)
    let fetched: (matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?) =
      try await withCheckedThrowingContinuation { done in
        database.fetch(withQuery: query, inZoneWith: nil) { done.resume(with: $0) }
      }
    #expect(fetched.matchResults.map(\.0.recordName) == expected)
    let operation = CKQueryOperation(query: query)
    operation.zoneID = testZoneID
    let names = Collector<String>()
    operation.recordMatchedBlock = { id, _ in names.append(id.recordName) }
    await run(operation, on: database)
    #expect(names.values == expected)
  }
}

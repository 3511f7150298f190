import CloudService
import TestSupport
import Testing

/// What is refused for where a query looks, and for asking for everything. What is refused of filters and sort keys is in
/// ``QueryTests``.
@Suite("Refusals of queries (queries.md 4, 5 and 7)")
struct QueryRefusalTests {
  let cloud: TemporaryCloud
  let alice: Person

  init() throws {
    cloud = try TemporaryCloud()
    alice = Person(cloud, "alice")
    try alice.makeZone()
  }

  /// `code/number text`; nil for success.
  private func refusal(
    _ query: Query, in zone: ZoneIdentifier?, _ scope: DatabaseScope = .private, needsNameIndex: Bool = false,
    by person: Person? = nil
  ) -> String? {
    var request = QueryRecordsRequest(scope: scope, zone: zone, query: query)
    request.needsNameIndex = needsNameIndex
    do throws(ServiceError) {
      _ = try cloud.service.queryRecords(request, by: (person ?? alice).caller)
      return nil
    } catch {
      return "\(error.code.rawValue)/\(error.internalCode ?? 0) \(error.message)"
    }
  }

  private func load(_ fields: String) throws {
    _ = try cloud.service.importSchema("DEFINE SCHEMA RECORD TYPE Thing (\(fields));", by: alice.caller)
  }

  @Test("4 all records of a type need an index on recordName, whatever the order is; a filter needs only its own")
  func everything() throws {
    func refusal(_ query: Query) -> String? { self.refusal(query, in: alice.zone, needsNameIndex: true) }
    #expect(refusal(Query(recordType: "Absent")) == "11/2003 Did not find record type: Absent")
    try load("text STRING")
    #expect(refusal(Query(recordType: "Thing")) == "12/2015 Type is not marked indexable: Thing")
    try load("text STRING QUERYABLE SORTABLE")
    let expected = "12/2015 Field 'recordName' is not marked queryable"
    #expect(refusal(Query(recordType: "Thing")) == expected)
    #expect(refusal(Query(recordType: "Thing", sorts: [QuerySort("text")])) == expected)
    let filter = QueryCondition([QueryFilter("text", .equals, .string("x"))])
    #expect(refusal(Query(recordType: "Thing", condition: filter)) == nil)
    #expect(refusal(Query(recordType: "Thing", condition: .never)) == nil)
    try load("text STRING, \"___recordID\" REFERENCE QUERYABLE")
    #expect(refusal(Query(recordType: "Thing")) == nil)
    #expect(
      refusal(Query(recordType: "Thing", sorts: [QuerySort("text")])) == "12/2015 Field 'text' is not marked sortable")
    // What the first save makes has none.
    try alice.save(alice.note("n", "x"))
    #expect(refusal(Query(recordType: "Note")) == expected)
    #expect(self.refusal(Query(recordType: "Note"), in: alice.zone) == nil)
  }

  @Test("5 and 7 zones that are not there, the shared database without a zone, people, shares")
  func places() throws {
    let query = Query(recordType: "Note")
    #expect(refusal(query, in: ZoneIdentifier(name: "None")) == "26/2036 Zone 'None' does not exist")
    #expect(refusal(query, in: nil, .shared) == "12/2006 SharedDB does not support Zone Wide queries")
    #expect(refusal(Query(recordType: "Users"), in: .default, .public) == "10/2007 Can't query system types")
    #expect(refusal(Query(recordType: Record.shareType), in: alice.zone) == "10/2007 Can't query system types")
    // Somebody else's, whom nothing is shared with.
    let bob = try Person(cloud, "bob").inShared(zoneOf: alice)
    #expect(refusal(query, in: bob.zone, .shared, by: bob) == "26/2036 Zone 'Notes' does not exist")
    #expect(
      refusal(query, in: bob.zone, by: bob)
        == "12/2006 Only the current user's zones can be accessed in the private DB")
  }

  @Test("B4 who wants no type to be made is told which one is missing, also in development")
  func types() throws {
    var request = ModifyRecordsRequest(scope: .private, saves: [alice.note("n", "x")])
    request.makesTypes = false
    let error = failure { try cloud.service.modifyRecords(request, by: alice.caller) }
    #expect(error?.code == .unknownItem && error?.message == "Did not find record type: Note")
    #expect(try cloud.service.schema(by: alice.caller) == .initial)
    try alice.save(alice.note("n", "x"))
    request.saves[0].id = alice.id("m")
    _ = try cloud.service.modifyRecords(request, by: alice.caller).saves[0].get()
  }
}

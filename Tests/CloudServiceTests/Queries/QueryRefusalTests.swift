import LocalCloudModel
import LocalCloudService
import TestSupport
import Testing

/// Queries that are refused for their zone, or because they ask for all records. ``QueryTests`` has the refusals of
/// filters and sort keys.
@Suite("Refusals of queries")
struct QueryRefusalTests: OnNotesStage {
  let stage: NotesStage

  init() throws { stage = try NotesStage() }

  /// `code/number text`; nil for success.
  private func refusal(
    _ query: Query, in zone: ZoneIdentifier?, _ scope: DatabaseScope = .private, needsNameIndex: Bool = false,
    by person: Person? = nil
  ) -> String? {
    var request = QueryRecordsRequest(scope: scope, zone: zone, query: query)
    request.needsNameIndex = needsNameIndex
    do throws(ServiceError) {
      _ = try cloud.service.queries.queryRecords(request, by: (person ?? alice).caller)
      return nil
    } catch {
      return "\(error.code.rawValue)/\(error.internalCode ?? 0) \(error.message)"
    }
  }

  private func load(_ fields: String) throws {
    _ = try cloud.service.schemas.importSchema("DEFINE SCHEMA RECORD TYPE Thing (\(fields));", by: alice.caller)
  }

  // [query-index-2]
  @Test(
    "a query for all records of a type needs an index on recordName, also with a sort; a filter needs only its index")
  func queryForAllRecordsOfAType() throws {
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
    // A type that is created by the first save has no index on recordName.
    try alice.save(alice.note("n", "x"))
    #expect(refusal(Query(recordType: "Note")) == expected)
    #expect(self.refusal(Query(recordType: "Note"), in: alice.zone) == nil)
  }

  // [query-index-2], [query-error-1]
  @Test(
    "in production and with LOCALCLOUD_STRICT a query needs an existing type, and without filter recordName's index")
  func inProductionAndWithLOCALCLOUDSTRICT() throws {
    var settings = cloud.service.settings
    settings.queries.isStrict = true
    let strict = CloudService(cloud: cloud.service.cloud, settings: settings)
    let live = Person(cloud, "alice", environment: .production)
    try live.makeZone()
    try alice.save(alice.note("n", "x"))
    func refusal(_ query: Query, by person: Person, _ service: CloudService, in zone: ZoneIdentifier?) -> String? {
      do throws(ServiceError) {
        _ = try service.queries.queryRecords(
          QueryRecordsRequest(scope: .private, zone: zone, query: query), by: person.caller)
        return nil
      } catch {
        return "\(error.code.rawValue)/\(error.internalCode ?? 0) \(error.message)"
      }
    }
    let all = Query(recordType: "Note")
    for zone in [alice.zone, nil] {
      #expect(refusal(all, by: live, cloud.service, in: zone) == "11/2003 Did not find record type: Note")
      #expect(
        refusal(Query(recordType: "Note", condition: .never), by: live, cloud.service, in: zone)
          == "11/2003 Did not find record type: Note")
      #expect(
        refusal(Query(recordType: "None"), by: alice, strict, in: zone) == "11/2003 Did not find record type: None")
      #expect(refusal(Query(recordType: "None"), by: alice, cloud.service, in: zone) == nil)
    }
    _ = try cloud.service.schemas.deploySchema(by: alice.caller)
    let expected = "12/2015 Field 'recordName' is not marked queryable"
    for zone in [alice.zone, nil] {
      #expect(refusal(all, by: live, cloud.service, in: zone) == expected)
      #expect(
        refusal(Query(recordType: "Note", sorts: [QuerySort("text")]), by: live, cloud.service, in: zone) == expected)
      #expect(refusal(all, by: alice, strict, in: zone) == expected)
      #expect(refusal(all, by: alice, cloud.service, in: zone) == nil)
    }
    let filter = Query(recordType: "Note", condition: QueryCondition([QueryFilter("text", .equals, .string("x"))]))
    #expect(refusal(filter, by: live, cloud.service, in: alice.zone) == nil)
  }

  // [subscription-save-8]
  @Test("a query subscription in production needs its type, its indexes and, without a predicate, recordName's")
  func productionSubscriptions() throws {
    var settings = cloud.service.settings
    settings.queries.isStrict = true
    let strict = CloudService(cloud: cloud.service.cloud, settings: settings)
    let live = Person(cloud, "alice", environment: .production)
    try live.makeZone()
    let filter = QueryCondition([QueryFilter("text", .equals, .string("x"))])
    func refusal(_ type: String, _ condition: QueryCondition, by person: Person, _ service: CloudService) throws
      -> String?
    {
      let query = SubscriptionQuery(recordType: type, fires: [.creation], condition: condition)
      let save = ModifySubscriptionsRequest.Save(Subscription(id: "s", kind: .query(query)))
      let request = ModifySubscriptionsRequest(scope: .private, saves: [save])
      do throws(ServiceError) {
        _ = try service.subscriptions.modifySubscriptions(request, by: person.caller).saves[0].get()
        return nil
      } catch {
        return "\(error.code.rawValue) \(error.message)"
      }
    }
    let expected = "12 attempting to create a subscription in a production container"
    #expect(try refusal("Thing", .always, by: live, cloud.service) == expected)
    #expect(try refusal("Thing", filter, by: live, cloud.service) == expected)
    #expect(try refusal("Thing", .always, by: alice, strict) == expected)
    #expect(try refusal("Thing", .always, by: alice, cloud.service) == nil)
    try load("text STRING, other STRING QUERYABLE")
    _ = try cloud.service.schemas.deploySchema(by: alice.caller)
    #expect(try refusal("Thing", .always, by: live, cloud.service) == expected)
    #expect(try refusal("Thing", filter, by: live, cloud.service) == expected)
    let absent = QueryCondition([QueryFilter("absent", .equals, .string("x"))])
    #expect(try refusal("Thing", absent, by: live, cloud.service) == expected)
    // A filter that no schema allows has its own error text.
    let wrong = QueryCondition([QueryFilter("other", .equals, .int64(1))])
    #expect(
      try refusal("Thing", wrong, by: live, cloud.service)?.contains("cannot be queried using filter value type")
        == true)
    try load("text STRING QUERYABLE, other STRING QUERYABLE, \"___recordID\" REFERENCE QUERYABLE")
    _ = try cloud.service.schemas.deploySchema(by: alice.caller)
    #expect(try refusal("Thing", .always, by: live, cloud.service) == nil)
    #expect(try refusal("Thing", filter, by: live, cloud.service) == nil)
  }

  @Test("a negative limit is refused in queries and feeds ([record-limit-6])")
  func negativeLimits() throws {
    for limit in [-1, Int.min] {
      let query = QueryRecordsRequest(scope: .private, zone: alice.zone, query: Query(recordType: "Note"), limit: limit)
      #expect(code { try cloud.service.queries.queryRecords(query, by: alice.caller) } == .invalidArguments)
      let zone = ZoneChangesRequest(scope: .private, zone: alice.zone, limit: limit)
      #expect(code { try cloud.service.feeds.zoneChanges(zone, by: alice.caller) } == .invalidArguments)
      let database = DatabaseChangesRequest(scope: .private, limit: limit)
      #expect(code { try cloud.service.feeds.databaseChanges(database, by: alice.caller) } == .invalidArguments)
    }
  }

  // [record-user-3], [query-error-3], [query-zone-3]
  @Test("missing zones, the shared database without a zone, user records and shares can't be queried")
  func missingZonesTheSharedDatabase() throws {
    let query = Query(recordType: "Note")
    #expect(refusal(query, in: ZoneIdentifier(name: "None")) == "26/2036 Zone 'None' does not exist")
    #expect(refusal(query, in: nil, .shared) == "12/2006 SharedDB does not support Zone Wide queries")
    #expect(refusal(Query(recordType: "Users"), in: .default, .public) == "10/2007 Can't query system types")
    #expect(refusal(Query(recordType: Record.shareType), in: alice.zone) == "10/2007 Can't query system types")
    // Bob, with whom nothing is shared.
    let bob = try Person(cloud, "bob").inShared(zoneOf: alice)
    #expect(refusal(query, in: bob.zone, .shared, by: bob) == "26/2036 Zone 'Notes' does not exist")
    #expect(
      refusal(query, in: bob.zone, by: bob)
        == "12/2006 Only the current user's zones can be accessed in the private DB")
  }

  @Test("a save that must not create types fails for an unknown type, also in development ([schema-growth-7])")
  func saveThatMustNotCreateTypesFails() throws {
    var request = ModifyRecordsRequest(scope: .private, saves: [alice.note("n", "x")])
    request.makesTypes = false
    let error = failure { try cloud.service.records.modifyRecords(request, by: alice.caller) }
    #expect(error?.code == .unknownItem)
    #expect(error?.message == "Did not find record type: Note")
    #expect(try cloud.service.schemas.schema(by: alice.caller) == .initial)
    try alice.save(alice.note("n", "x"))
    request.saves[0].id = alice.id("m")
    _ = try cloud.service.records.modifyRecords(request, by: alice.caller).saves[0].get()
  }
}

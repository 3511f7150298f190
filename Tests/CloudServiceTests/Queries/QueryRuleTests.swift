import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@testable import LocalCloudService

@Suite("Queries: limits of filters, and settings for undocumented behaviour")
struct QueryRuleTests: OnNotesStage {
  let stage: NotesStage

  init() throws {
    stage = try NotesStage()
    _ = try cloud.service.schemas.importSchema(
      """
      DEFINE SCHEMA RECORD TYPE Thing (
        at LOCATION QUERYABLE SORTABLE, count INT64 QUERYABLE SORTABLE, price DOUBLE QUERYABLE,
        tags LIST<STRING> QUERYABLE, text STRING QUERYABLE SEARCHABLE, due TIMESTAMP QUERYABLE
      );
      """, by: alice.caller)
  }

  private func save(_ name: ExactName, _ fields: [String: FieldValue]) throws {
    try alice.save(RecordSave(id: alice.id(name), type: "Thing", fields: fields))
  }

  private func find(
    _ filter: QueryFilter? = nil, sorts: [QuerySort] = [], _ rules: QueryRules = QueryRules()
  ) throws -> [ExactName] {
    var settings = cloud.service.settings
    settings.queries = rules
    let service = CloudService(cloud: cloud.service.cloud, settings: settings)
    let query = Query(recordType: "Thing", condition: QueryCondition(filter.map { [$0] } ?? []), sorts: sorts)
    return try service.queries.queryRecords(
      QueryRecordsRequest(scope: .private, zone: alice.zone, query: query), by: alice.caller
    ).records.map(\.id.name)
  }

  /// `code/number text`; nil for success.
  private func refusal(_ filter: QueryFilter? = nil, sorts: [QuerySort] = []) -> String? {
    let failure = error { try find(filter, sorts: sorts) }
    return failure.map { "\($0.code.rawValue)/\($0.internalCode ?? 0) \($0.message)" }
  }

  private func texts(_ values: [String]) -> FieldValue { .list(.string, values.map { .string($0) }) }

  // [query-filter-7]
  @Test(
    "filters need a value or a list as the comparator demands; integers match doubles; an empty list matches any type")
  func filtersNeedAValueOrAList() {
    func mismatch(_ field: String, _ type: String, _ value: String) -> String {
      "12/1009 Field '\(field)' has a value type of \(type) and cannot be queried using filter value type \(value)"
    }
    #expect(refusal(QueryFilter("text", .equals, texts(["x"]))) == mismatch("text", "STRING", "STRING_LIST"))
    #expect(refusal(QueryFilter("text", .in, .string("x"))) == mismatch("text", "STRING", "STRING"))
    #expect(refusal(QueryFilter("tags", .listContains, texts(["x"]))) == mismatch("tags", "STRING_LIST", "STRING_LIST"))
    #expect(refusal(QueryFilter("tags", .listContainsAll, .string("x"))) == mismatch("tags", "STRING_LIST", "STRING"))
    #expect(refusal(QueryFilter("count", .equals, .string("1"))) == mismatch("count", "INT64", "STRING"))
    #expect(refusal(QueryFilter("text", .equals, .int64(1))) == mismatch("text", "STRING", "INT64"))
    #expect(
      refusal(QueryFilter("due", .equals, .double(1))) == mismatch("due", "TIMESTAMP", "DOUBLE"))
    for filter in [
      QueryFilter("count", .equals, .double(1)), QueryFilter("price", .equals, .int64(1)),
      QueryFilter("count", .in, .list(.double, [.double(1)])), QueryFilter("text", .in, .list(.unknown, [])),
      QueryFilter("count", .in, .list(.string, [])), QueryFilter("tags", .listContainsAny, .list(.unknown, [])),
    ] {
      #expect(refusal(filter) == nil, "\(filter)")
    }
  }

  @Test("filters have at most 250 values and 1 MB, non-negative distances, and finite numbers")
  func filtersHaveAtMost250Values() throws {
    #expect(refusal(QueryFilter("text", .in, texts((1...250).map { "\($0)" }))) == nil)
    #expect(refusal(QueryFilter("text", .in, texts((1...251).map { "\($0)" })))?.hasPrefix("27/2023") == true)

    func query(_ count: Int) -> Query {
      let filter = QueryFilter("text", .equals, .string(String(repeating: "x", count: count)))
      return Query(recordType: "Thing", condition: QueryCondition([filter]))
    }
    let rest = (1 << 20) - JSONValue.object(query(0).object).compact().count
    #expect(refusal(query(rest).condition.filters[0]) == nil)
    #expect(
      refusal(query(rest + 1).condition.filters[0]) == "27/2023 The query is larger than 1048576 bytes")

    let location = FieldValue.location(LocationValue(latitude: 0, longitude: 0))
    #expect(refusal(QueryFilter("at", .near, location, distance: 0)) == nil)
    for radius in [-0.5, .infinity, .nan] {
      #expect(
        refusal(QueryFilter("at", .near, location, distance: radius))
          == "12/2006 A filter by distance needs a radius in metres")
    }
    for (key, comparator, value) in [
      ("count", .equals, .double(.nan)), ("count", .in, .list(.double, [.double(1), .double(.infinity)])),
      ("at", .equals, .location(LocationValue(latitude: .infinity, longitude: 0))),
      ("due", .lessThan, .timestamp(Moment(secondsSince2001: 1e306))),
    ] as [(String, QueryComparator, FieldValue)] {
      #expect(
        refusal(QueryFilter(key, comparator, value)) == "12/2006 Field '\(key)' has a filter value without a number")
    }
    #expect(refusal(QueryFilter("due", .lessThan, .timestamp(Moment(secondsSince2001: 1e305)))) == nil)
  }

  // [query-word-1], [query-sort-3]
  @Test("token search needs a text; distance sorts are ascending, for location fields only")
  func tokenSearchNeedsAText() {
    #expect(
      refusal(QueryFilter(nil, .containsAnyTokens, .int64(1)))
        == "12/2006 Words are searched for as STRING, not as INT64")
    #expect(refusal(QueryFilter(nil, .containsAllTokens, .string("x"))) == nil)
    let center = LocationValue(latitude: 0, longitude: 0)
    #expect(refusal(sorts: [QuerySort("at", relativeLocation: center)]) == nil)
    let far = LocationValue(latitude: 0, longitude: .nan)
    for sort in [
      QuerySort("at", ascending: false, relativeLocation: center), QuerySort("at", relativeLocation: far),
    ] {
      #expect(refusal(sorts: [sort]) == "12/2006 Distances are sorted from the nearest on alone")
    }
    #expect(
      refusal(sorts: [QuerySort("count", relativeLocation: center)])
        == "12/2006 Field 'count' has a value type of INT64 and has no distance")
  }

  @Test("a distance filter finds only records nearer than the distance") func distanceFilterFindsOnlyRecordsNearer()
    throws
  {
    let center = LocationValue(latitude: 0, longitude: 0)
    let location = LocationValue(latitude: 0, longitude: 1)
    try save("a", ["at": .location(location)])
    let distance = location.distance(to: center)
    func isFound(_ radius: Double) throws -> Bool {
      try find(QueryFilter("at", .near, .location(center), distance: radius)) == ["a"]
    }
    #expect(try !isFound(distance) && isFound(distance.nextUp))
  }

  // MARK: Switches

  @Test("the ignoresCase setting affects equality only, not ranges and prefixes")
  func ignoringCase() throws {
    try save("a", ["text": .string("Apple"), "tags": texts(["Red"])])
    try save("b", ["text": .string("apple"), "tags": texts(["red", "green"])])
    try save("c", ["text": .string("pear"), "tags": texts([])])
    var rules = QueryRules()
    rules.ignoresCase = true
    let rows: [(QueryFilter, exact: [ExactName], ignoring: [ExactName])] = [
      (QueryFilter("text", .equals, .string("APPLE")), [], ["a", "b"]),
      (QueryFilter("text", .equals, .string("apple")), ["b"], ["a", "b"]),
      (QueryFilter("text", .notEquals, .string("Apple")), ["b", "c"], ["c"]),
      (QueryFilter("text", .in, texts(["APPLE", "pear"])), ["c"], ["a", "b", "c"]),
      (QueryFilter("text", .notIn, texts(["apple"])), ["a", "c"], ["c"]),
      (QueryFilter("tags", .listContains, .string("RED")), [], ["a", "b"]),
      (QueryFilter("tags", .listContainsAll, texts(["RED", "Green"])), [], ["b"]),
      (QueryFilter("tags", .listContainsAny, texts(["RED", "x"])), [], ["a", "b"]),
      (QueryFilter("text", .beginsWith, .string("App")), ["a"], ["a"]),
      (QueryFilter("tags", .listMemberBeginsWith, .string("Re")), ["a"], ["a"]),
      (QueryFilter("text", .lessThan, .string("a")), ["a"], ["a"]),
    ]
    for (filter, exact, ignoring) in rows {
      #expect(try find(filter) == exact, "\(filter)")
      #expect(try find(filter, rules) == ignoring, "\(filter)")
    }
  }

  @Test("several tokens: one must match, or all with a setting or with the comparator for all tokens")
  func severalTokensOneMustMatch() throws {
    try save("a", ["text": .string("red apple")])
    try save("b", ["text": .string("red pear")])
    var rules = QueryRules()
    rules.wantsAllWords = true
    let any = QueryFilter(nil, .containsAnyTokens, .string("red apple"))
    let all = QueryFilter("text", .containsAllTokens, .string("red apple"))
    #expect(try find(any) == ["a", "b"] && find(any, rules) == ["a"])
    #expect(try find(all) == ["a"] && find(all, rules) == ["a"])
  }

  // MARK: Comparators

  @Test("each comparator has its negation ([query-predicate-4])") func eachComparatorHasItsNegation() {
    let alone: Set<QueryComparator> = [.containsAnyTokens, .containsAllTokens, .near]
    let negations: Set<QueryComparator> = [
      .notEquals, .notIn, .notBeginsWith, .notListContains, .notListContainsAny, .notListContainsAll,
      .notListMemberBeginsWith,
    ]
    for comparator in QueryComparator.allCases {
      let negated = comparator.negated
      #expect((negated == nil) == alone.contains(comparator), "\(comparator)")
      if let negated { #expect(negated.negated == comparator && negated.family == comparator.family) }
      #expect(comparator.isNegation == negations.contains(comparator))
    }
    #expect(QueryComparator.lessThan.negated == .greaterThanOrEquals)
    #expect(QueryComparator.greaterThan.negated == .lessThanOrEquals)
    #expect(QueryComparator.equals.negated == .notEquals)
    #expect(QueryComparator.in.negated == .notIn)
  }

  @Test("results are ordered by the sort keys, then by name, then by zone; a missing value sorts first")
  func resultsAreOrderedByTheSortKeys() {
    let order = QueryOrder([QuerySort("a"), QuerySort("b", ascending: false)], type: nil)
    func position(_ a: Int64?, _ b: Int64?, _ name: ExactName, _ zone: ExactName = "Z") -> QueryPosition {
      QueryPosition(keys: [a, b].map { $0.map(FieldValue.int64) }, name: name, zone: zone)
    }
    let sorted = [
      position(nil, nil, "z"), position(1, 2, "y"), position(1, 1, "a", "A"), position(1, 1, "a", "B"),
      position(1, 1, "b", "A"), position(1, nil, "a"), position(2, 9, "a"),
    ]
    for (index, one) in sorted.enumerated() {
      for (otherIndex, other) in sorted.enumerated() {
        #expect(order.precedes(one, other) == (index < otherIndex), "\(index), \(otherIndex)")
      }
    }
    // Without sort keys, results are ordered by zone first.
    let plain = QueryOrder([], type: nil)
    let (one, other) = (position(nil, nil, "b", "A"), position(nil, nil, "a", "B"))
    #expect(plain.precedes(one, other))
    #expect(!plain.precedes(other, one))
    #expect(!plain.precedes(one, one))
    let next = position(nil, nil, "c", "A")
    #expect(plain.precedes(one, next))
    #expect(!plain.precedes(next, one))
  }
}

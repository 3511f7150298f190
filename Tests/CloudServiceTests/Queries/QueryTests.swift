import Foundation
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Queries: results and order of each filter")
struct QueryTests: OnNotesStage {
  let stage: NotesStage

  init() throws { stage = try NotesStage() }

  private func save(_ name: ExactName, _ fields: [String: FieldValue], type: String = "Thing") throws {
    try alice.save(RecordSave(id: alice.id(name), type: type, fields: fields))
  }

  private func texts(_ values: String...) -> FieldValue { .list(.string, values.map { .string($0) }) }

  /// The names of all matching records in result order, fetched in pages of `limit`.
  private func find(
    _ filters: [QueryFilter], sorts: [QuerySort] = [], limit: Int = 0, by person: Person? = nil, type: String = "Thing"
  ) throws -> [ExactName] {
    let person = person ?? alice
    var request = QueryRecordsRequest(
      scope: person.scope, zone: person.zone,
      query: Query(recordType: type, condition: QueryCondition(filters), sorts: sorts), limit: limit)
    var names: [ExactName] = []
    repeat {
      let page = try cloud.service.queries.queryRecords(request, by: person.caller)
      names += page.records.map(\.id.name)
      request.cursor = page.cursor
    } while request.cursor != nil
    return names
  }

  private func find(
    _ key: String?, _ comparator: QueryComparator, _ value: FieldValue, distance: Double? = nil
  ) throws -> [ExactName] {
    try find([QueryFilter(key, comparator, value, distance: distance)])
  }

  // [query-filter-1], [query-filter-2], [query-filter-3]
  @Test("comparators compare strings by code point and numbers by value; records without the field do not match")
  func comparatorsCompareStringsByCodePoint() throws {
    try save(
      "a",
      [
        "text": .string("apple"), "count": .int64(1), "price": .double(1.5),
        "due": .timestamp(Moment(milliseconds: 10)),
      ])
    try save(
      "b",
      ["text": .string("Apple"), "count": .int64(2), "price": .double(2), "due": .timestamp(Moment(milliseconds: 20))])
    try save(
      "c",
      ["text": .string("äpple"), "count": .int64(3), "price": .double(-1), "due": .timestamp(Moment(milliseconds: 30))])
    try save("d", [:])
    #expect(try find("text", .equals, .string("apple")) == ["a"])
    #expect(try find("text", .notEquals, .string("apple")) == ["b", "c"])
    #expect(try find("text", .lessThan, .string("apple")) == ["b"])
    #expect(try find("text", .greaterThanOrEquals, .string("apple")) == ["a", "c"])
    #expect(try find("text", .beginsWith, .string("app")) == ["a"])
    #expect(try find("text", .notBeginsWith, .string("app")) == ["b", "c"])
    #expect(try find("text", .in, texts("apple", "Apple", "x")) == ["a", "b"])
    #expect(try find("text", .notIn, texts("apple", "Apple", "x")) == ["c"])
    #expect(try find("text", .in, .list(.unknown, [])) == [])
    #expect(try find("text", .notIn, .list(.unknown, [])) == ["a", "b", "c"])
    #expect(try find("count", .lessThanOrEquals, .double(2.5)) == ["a", "b"])
    #expect(try find("count", .equals, .double(2)) == ["b"])
    #expect(try find("price", .greaterThan, .int64(1)) == ["a", "b"])
    #expect(try find("price", .equals, .int64(2)) == ["b"])
    #expect(try find("due", .lessThan, .timestamp(Moment(milliseconds: 20))) == ["a"])
    #expect(try find("due", .greaterThan, .timestamp(Moment(milliseconds: 20))) == ["c"])
    #expect(
      try find([
        QueryFilter("count", .greaterThanOrEquals, .int64(1)), QueryFilter("count", .lessThanOrEquals, .int64(2)),
        QueryFilter("text", .notEquals, .string("Apple")),
      ]) == ["a"])
    #expect(try find("recordType", .equals, .string("x"), orText: "Did not find field: 'recordType' in type: 'Thing'"))
  }

  @Test("integers that a double can't represent are compared exactly ([query-filter-1])")
  func largeIntegers() throws {
    try save("a", ["count": .int64(.max)])
    try save("b", ["count": .int64(.max - 1)])
    #expect(try find("count", .equals, .int64(.max)) == ["a"])
    #expect(try find("count", .lessThan, .double(0x1p63)) == ["a", "b"])
    #expect(try find("count", .greaterThan, .double(0x1p63)) == [])
    #expect(try find([], sorts: [QuerySort("count")]) == ["b", "a"])
  }

  @Test("list filters match by member, any, all or prefix, and negated; an empty list has no member ([query-filter-4])")
  func listFiltersMatchByMemberAny() throws {
    try save("a", ["tags": texts("red", "green")])
    try save("b", ["tags": texts("red")])
    try save("c", ["tags": .list(.string, [])])
    try save("d", [:])
    #expect(try find("tags", .listContains, .string("green")) == ["a"])
    #expect(try find("tags", .listContains, .string("gre")) == [])
    #expect(try find("tags", .notListContains, .string("green")) == ["b", "c"])
    #expect(try find("tags", .listContainsAny, texts("green", "x")) == ["a"])
    #expect(try find("tags", .notListContainsAny, texts("green", "x")) == ["b", "c"])
    #expect(try find("tags", .listContainsAll, texts("red", "green")) == ["a"])
    #expect(try find("tags", .notListContainsAll, texts("red", "green")) == ["b", "c"])
    #expect(try find("tags", .listMemberBeginsWith, .string("gr")) == ["a"])
    #expect(try find("tags", .notListMemberBeginsWith, .string("gr")) == ["b", "c"])
  }

  // [query-filter-5], [query-field-2]
  @Test("references match by record and zone, with any action and any spelling of the owner")
  func referencesMatchByRecordAndZone() throws {
    try save("root", [:])
    let target = ReferenceValue(record: "root", action: .deleteSelf)
    try save("a", ["other": .reference(target), "others": .list(.reference, [.reference(target)])])
    let owner = try cloud.service.accounts.userRecordName(by: alice.caller)
    for zone in [
      nil, alice.zone, ZoneIdentifier(name: "Notes", owner: "__defaultOwner__"), .init(name: "Notes", owner: owner),
    ] {
      let value = FieldValue.reference(ReferenceValue(record: "root", zone: zone))
      #expect(try find("other", .equals, value) == ["a"], "\(String(describing: zone))")
      #expect(try find("other", .in, .list(.reference, [value])) == ["a"])
      #expect(try find("others", .listContains, value) == ["a"])
    }
    for zone in [ZoneIdentifier.default, ZoneIdentifier(name: "Notes", owner: "_somebody")] {
      #expect(try find("other", .equals, .reference(ReferenceValue(record: "root", zone: zone))) == [], "\(zone)")
    }
  }

  // [query-word-1], [query-word-2], [query-word-3]
  @Test("token search finds whole words regardless of case and accents; stop words match nothing")
  func tokenSearchFindsWholeWordsRegardless() throws {
    try save("a", ["title": .string("The Crème brûlée"), "body": .string("sweet")])
    try save("b", ["title": .string("Sour CREAM"), "words": texts("creme", "egg")])
    try save("c", ["count": .int64(1)])
    #expect(try find(nil, .containsAnyTokens, .string("CREME")) == ["a", "b"])
    #expect(try find(nil, .containsAnyTokens, .string("crem")) == [])
    #expect(try find(nil, .containsAnyTokens, .string("the cream sweet")) == ["a", "b"])
    #expect(try find(nil, .containsAllTokens, .string("the sweet creme")) == ["a"])
    #expect(try find(nil, .containsAllTokens, .string("sweet cream")) == [])
    #expect(try find(nil, .containsAnyTokens, .string("the of")) == [])
    #expect(try find("title", .containsAnyTokens, .string("sweet")) == [])
  }

  @Test(
    "location filters find records within a radius in metres, and sort by distance ([query-filter-6], [query-sort-3])")
  func locationFiltersFindRecordsWithinARadius() throws {
    for (name, longitude) in [("far", 3.0), ("near", 0.001), ("middle", 0.01)] {
      try save(ExactName(name), ["at": .location(LocationValue(latitude: 0, longitude: longitude))])
    }
    try save("nowhere", ["count": .int64(1)])
    let center = LocationValue(latitude: 0, longitude: 0)
    // A thousandth of a degree on the equator is 111.195 m.
    #expect(try find("at", .near, .location(center), distance: 111) == [])
    #expect(try find("at", .near, .location(center), distance: 111.3) == ["near"])
    #expect(try find("at", .near, .location(center), distance: 2000) == ["middle", "near"])
    let sort = QuerySort("at", relativeLocation: center)
    for limit in [0, 1, 3] {
      #expect(try find([], sorts: [sort], limit: limit) == ["nowhere", "near", "middle", "far"])
    }
  }

  // [query-field-1], [query-field-2], [query-field-3], [schema-text-6]
  @Test("system fields can be queried by all of their names, if the schema has an index for them")
  func systemFields() throws {
    try save("root", [:])
    try alice.save(alice.note("child", parent: .set("root", zone: nil), type: "Thing"))
    let stamp = try alice.fetch("child").created.timestamp
    #expect(
      try find(
        "creationDate", .equals, .timestamp(Moment(milliseconds: stamp)), orText: "Type is not marked indexable: Thing")
    )
    #expect(try find([QueryFilter("parent", .equals, .reference(ReferenceValue(record: "root")))]) == ["child"])
    _ = try cloud.service.schemas.importSchema(
      """
      DEFINE SCHEMA
        RECORD TYPE Thing (
          "___createTime" TIMESTAMP QUERYABLE SORTABLE,
          "___createdBy" REFERENCE QUERYABLE,
          "___modTime" TIMESTAMP SORTABLE,
          "___recordID" REFERENCE QUERYABLE,
          GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud", GRANT READ TO "_world"
        );
      """, by: alice.caller)
    for key in ["creationDate", "___createTime", "createdTimestamp"] {
      #expect(try find(key, .lessThanOrEquals, .timestamp(Moment(milliseconds: stamp))).contains("child"), "\(key)")
    }
    let me = try cloud.service.accounts.userRecordName(by: alice.caller)
    for name in [me, "__defaultOwner__"] {
      let user = FieldValue.reference(ReferenceValue(record: ExactName(name), zone: .default))
      #expect(try find("creatorUserRecordID", .equals, user) == ["child", "root"])
      #expect(try find("creatorUserRecordID", .notEquals, user) == [])
    }
    let names = FieldValue.list(.reference, [.reference(ReferenceValue(record: "child", zone: alice.zone))])
    #expect(try find("recordID", .in, names) == ["child"])
    #expect(try find("recordName", .notIn, names) == ["root"])
    #expect(
      try find([], sorts: [QuerySort("modificationDate", ascending: false), QuerySort("creationDate")]).count == 2)
    #expect(
      try find(
        "lastModifiedUserRecordID", .equals, .reference(ReferenceValue(record: ExactName(me))),
        orText: "Field '___modifiedBy' is not marked queryable"))
  }

  private func find(
    _ key: String?, _ comparator: QueryComparator, _ value: FieldValue, orText text: String
  ) throws -> Bool {
    do { _ = try find(key, comparator, value) } catch let error as ServiceError {
      #expect(error.code == .invalidArguments)
      #expect(error.message == text)
      return error.message == text
    }
    return false
  }

  // [query-sort-1], [query-sort-2], [query-page-2]
  @Test(
    "pages sort by several keys, both directions, missing keys and the name; cursors work in another process")
  func pagesSortBySeveralKeysBothDirections() throws {
    for number in 0..<25 {
      var fields: [String: FieldValue] = ["group": .int64(Int64(number % 3))]
      if number % 5 != 0 { fields["text"] = .string(String(repeating: "x", count: number % 4)) }
      try save(ExactName("n\(number)"), fields)
    }
    let numbers = Array(0..<25)
    func key(_ number: Int) -> Int { number % 5 == 0 ? -1 : number % 4 }
    for (first, second) in [(true, true), (true, false), (false, true), (false, false)] {
      let expected = numbers.sorted { one, other in
        if one % 3 != other % 3 { return (one % 3 < other % 3) == first }
        if key(one) != key(other) { return (key(one) < key(other)) == second }
        return "n\(one)" < "n\(other)"
      }
      let sorts = [QuerySort("group", ascending: first), QuerySort("text", ascending: second)]
      for limit in [0, 1, 4, 24, 25, 26] {
        #expect(try find([], sorts: sorts, limit: limit) == expected.map { ExactName("n\($0)") }, "\(limit)")
      }
    }
    let query = Query(
      recordType: "Thing", condition: QueryCondition([QueryFilter("group", .lessThan, .double(2.5))]),
      sorts: [QuerySort("text")])
    var request = QueryRecordsRequest(scope: .private, zone: alice.zone, query: query, limit: 3)
    let page = try cloud.service.queries.queryRecords(request, by: alice.caller)
    request.cursor = page.cursor
    let other = try CloudService.open(root: cloud.path, settings: cloud.service.settings)
    #expect(try other.queries.queryRecords(request, by: alice.caller).records.map(\.id.name) == ["n20", "n5", "n12"])
    for (query, what) in [
      (Query(recordType: "Thing"), "match-all"), (Query(recordType: "Thing", sorts: query.sorts), "no filter"),
      (Query(recordType: "Thing", condition: query.condition), "no order"),
      (
        Query(recordType: "Thing", condition: query.condition, sorts: [QuerySort("text", ascending: false)]), "reversed"
      ),
    ] {
      request.query = query
      #expect(code { try other.queries.queryRecords(request, by: alice.caller) } == .invalidArguments, "\(what)")
    }
  }

  // [query-zone-1]
  @Test("without a zone a query searches the whole private database in one order; the shared database refuses it")
  func withoutAZoneAQuerySearches() throws {
    var other = alice
    other.zone = ZoneIdentifier(name: "Other")
    try other.makeZone()
    for number in 0..<7 {
      let person = number % 2 == 0 ? alice : other
      try person.save(
        RecordSave(id: person.id(ExactName("n\(number)")), type: "Thing", fields: ["count": .int64(Int64(number))]))
    }
    for limit in [0, 1, 2, 3, 4, 7] {
      for (sorts, expected) in [
        ([QuerySort("count", ascending: false)], [6, 5, 4, 3, 2, 1, 0]), ([], [0, 2, 4, 6, 1, 3, 5]),
      ] {
        let query = Query(recordType: "Thing", sorts: sorts)
        var request = QueryRecordsRequest(scope: .private, zone: nil, query: query, limit: limit)
        var found: [ExactName] = []
        repeat {
          let page = try cloud.service.queries.queryRecords(request, by: alice.caller)
          found += page.records.map(\.id.name)
          request.cursor = page.cursor
        } while request.cursor != nil
        #expect(found == expected.map { ExactName("n\($0)") }, "\(limit)")
      }
    }
  }

  // [query-filter-7], [query-filter-8], [query-index-1], [query-error-2]
  @Test("each refused query has the server's code and text")
  func eachRefusedQueryHasTheServersCode() throws {
    _ = try cloud.service.schemas.importSchema(
      """
      DEFINE SCHEMA
        RECORD TYPE Thing (
          at LOCATION QUERYABLE, bare STRING, bytes BYTES QUERYABLE SORTABLE, count INT64 QUERYABLE SORTABLE,
          other REFERENCE QUERYABLE, picture ASSET, secret ENCRYPTED STRING, tags LIST<STRING> QUERYABLE,
          text STRING QUERYABLE, range STRING SORTABLE,
          GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud", GRANT READ TO "_world"
        );
        RECORD TYPE Bare (
          text STRING, GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud", GRANT READ TO "_world"
        );
      """, by: alice.caller)
    let text = FieldValue.string("x")
    let reference = FieldValue.reference(ReferenceValue(record: "x"))
    let many = FieldValue.list(.string, (0...250).map { .string("\($0)") })
    let rows: [(QueryFilter, String)] = [
      (QueryFilter("none", .equals, text), "12/2006 Did not find field: 'none' in type: 'Thing'"),
      (QueryFilter("___etag", .equals, text), "12/2006 Did not find field: '___etag' in type: 'Thing'"),
      (QueryFilter("bare", .equals, text), "12/2015 Field 'bare' is not marked queryable"),
      (QueryFilter("range", .equals, text), "12/2015 Field 'range' is not marked queryable"),
      (QueryFilter("recordID", .equals, reference), "12/2015 Field 'recordName' is not marked queryable"),
      (
        QueryFilter("creationDate", .equals, .timestamp(Moment(milliseconds: 1))),
        "12/2015 Field '___createTime' is not marked queryable"
      ),
      (
        QueryFilter("other", .equals, text),
        "12/1009 Field 'other' has a value type of REFERENCE and cannot be queried using filter value type STRING"
      ),
      (
        QueryFilter("text", .equals, reference),
        "12/1009 Field 'text' has a value type of STRING and cannot be queried using filter value type REFERENCE"
      ),
      (
        QueryFilter("text", .in, .list(.int64, [.int64(1)])),
        "12/1009 Field 'text' has a value type of STRING and cannot be queried using filter value type INT64_LIST"
      ),
      (
        QueryFilter("count", .equals, .double(.infinity)), "12/2006 Field 'count' has a filter value without a number"
      ),
      (
        QueryFilter("secret", .equals, text),
        "12/2006 Field 'secret' has a value type of ENCRYPTED_STRING and cannot be queried using filter type EQUALS"
      ),
      (
        QueryFilter("bytes", .equals, .bytes([1])),
        "12/2006 Field 'bytes' has a value type of BYTES and cannot be queried using filter type EQUALS"
      ),
      (
        QueryFilter("picture", .equals, text),
        "12/2006 Field 'picture' has a value type of ASSETID and cannot be queried using filter type EQUALS"
      ),
      (
        QueryFilter("text", .listContains, text),
        "12/2006 Field 'text' has a value type of STRING and cannot be queried using filter type LIST_CONTAINS"
      ),
      (
        QueryFilter("tags", .beginsWith, text),
        "12/2006 Field 'tags' has a value type of STRING_LIST and cannot be queried using filter type BEGINS_WITH"
      ),
      (
        QueryFilter("other", .lessThan, reference),
        "12/2006 Field 'other' has a value type of REFERENCE and cannot be queried using filter type LESS_THAN"
      ),
      (
        QueryFilter("at", .near, .location(LocationValue(latitude: 0, longitude: 0))),
        "12/2006 A filter by distance needs a radius in metres"
      ),
      (QueryFilter(nil, .equals, text), "12/2006 A filter needs the name of a field"),
      (QueryFilter(nil, .containsAnyTokens, text), "12/2015 Type is not marked searchable: Thing"),
      (QueryFilter("text", .containsAnyTokens, text), "12/2015 Field 'text' is not marked searchable"),
      (
        QueryFilter("text", .in, many),
        "27/2023 Query filter exceeds the limit of values: 250 for container '\(TemporaryCloud.container)'"
      ),
    ]
    for (filter, expected) in rows {
      #expect(refusal(Query(recordType: "Thing", condition: .init([filter]))) == expected)
    }
    #expect(refusal(Query(recordType: "Thing", condition: .init([QueryFilter("range", .beginsWith, text)]))) == nil)
    let bare = QueryFilter("text", .equals, text)
    #expect(
      refusal(Query(recordType: "Bare", condition: .init([bare]))) == "12/2015 Type is not marked indexable: Bare")
    #expect(
      refusal(Query(recordType: "Absent", condition: .init([bare]))) == "11/2003 Did not find record type: Absent")
    #expect(refusal(Query(recordType: "Users")) == "10/2007 Can't query system types")
    for (sort, expected) in [
      (QuerySort("creationDate"), "12/2015 Field '___createTime' is not marked sortable"),
      (QuerySort("text"), "12/2015 Field 'text' is not marked sortable"),
      (QuerySort("none"), "12/2006 Did not find field: 'none' in type: 'Thing'"),
      (QuerySort("tags"), "12/2015 Field 'tags' is not marked sortable"),
    ] {
      #expect(refusal(Query(recordType: "Thing", sorts: [sort])) == expected)
    }
    #expect(refusal(Query(recordType: "Thing", sorts: [QuerySort("secret"), QuerySort("count")])) == nil)
  }

  /// `code/number text`; nil for success.
  private func refusal(_ query: Query) -> String? {
    do throws(ServiceError) {
      _ = try cloud.service.queries.queryRecords(
        QueryRecordsRequest(scope: .private, zone: alice.zone, query: query), by: alice.caller)
      return nil
    } catch {
      return "\(error.code.rawValue)/\(error.internalCode ?? 0) \(error.message)"
    }
  }

  @Test("a participant's queries find only visible records, for each filter and sort ([query-zone-2])")
  func participantsQueriesFindOnlyVisibleRecords() throws {
    let stage = try AttackerStage()
    for name in ["root", "child", "own", "hidden"] as [ExactName] {
      let person = stage.alice
      guard var save = try? person.note(name, tag: person.fetch(name).changeTag) else { continue }
      save.fields = ["rank": .int64(1)]
      try person.save(save)
    }
    let seen: Set<ExactName> = ["root", "child"]
    for (filters, sorts) in [
      ([QueryFilter("rank", .greaterThan, .int64(0))], [QuerySort("rank")]),
      ([QueryFilter("rank", .notEquals, .int64(7))], []), ([], [QuerySort("rank", ascending: false)]),
    ] {
      let query = Query(recordType: "Note", condition: QueryCondition(filters), sorts: sorts)
      var request = QueryRecordsRequest(scope: .shared, zone: stage.bob.zone, query: query, limit: 1)
      var found: [ExactName] = []
      repeat {
        let page = try stage.service.queries.queryRecords(request, by: stage.bob.caller)
        found += page.records.map(\.id.name)
        request.cursor = page.cursor
        for name in found where page.cursor != nil { #expect(seen.contains(name)) }
      } while request.cursor != nil
      #expect(!found.isEmpty, "\(found)")
      #expect(seen.isSuperset(of: found), "\(found)")
      request.cursor = nil
      #expect(code { try stage.service.queries.queryRecords(request, by: stage.mallory.caller) } == .zoneNotFound)
    }
  }

  @Test("a query subscription fires for records that match after the change or, if deleted, before it ([push-fire-1])")
  func querySubscriptionFiresForRecordsThatMatch() throws {
    try alice.save(alice.note("first", "x"))
    let phone = try alice.signedIn(on: "phone")
    _ = try phone.pushes()
    let condition = QueryCondition([QueryFilter("text", .beginsWith, .string("yes"))])
    let query = SubscriptionQuery(recordType: "Note", fires: .changes, condition: condition)
    try alice.subscribe(Subscription(id: "picky", kind: .query(query)))
    #expect(try alice.subscriptions().map(\.kind) == [.query(query)])
    try alice.save(alice.note("a", "no"))
    try alice.save(alice.note("b", "yes!"))
    try alice.save(alice.note("a", "yes"), policy: .allKeys)
    try alice.save(alice.note("b", "no"), policy: .allKeys)
    _ = try alice.modify(delete: ["a", "b"])
    #expect(try phone.receivedPushes() == ["picky created b", "picky updated a", "picky deleted a"])
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("cursors with wrong keys and invalid stored filters do not end the process")
  func cursorsWithWrongKeysAndInvalidStored() throws {
    for number in 0..<4 { try save(ExactName("n\(number)"), ["text": .string("\(number)")]) }
    let query = Query(recordType: "Thing", sorts: [QuerySort("text")])
    var request = QueryRecordsRequest(scope: .private, zone: alice.zone, query: query, limit: 1)
    let cursor = try #require(try cloud.service.queries.queryRecords(request, by: alice.caller).cursor)
    let plain = cursor.replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - plain.count % 4) % 4)
    let bytes = try #require(Data(base64Encoded: plain + padding))
    let good = try #require(try JSONValue(parsing: Array(bytes)).object)
    for keys: JSONValue in [
      [], [.null, .null], [1], [["type": "INT64", "value": 7]], [["type": "STRING"]], [["value": .array([.array([])])]],
      "x", .null,
    ] {
      var forged = good
      forged["keys"] = keys
      request.cursor = Data(JSONValue.object(forged).compact()).base64EncodedString()
        .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
      let found = Result { try cloud.service.queries.queryRecords(request, by: alice.caller).records.count }
      if case .failure(let error) = found { #expect((error as? ServiceError)?.code == .invalidArguments, "\(keys)") }
    }
    let deep: JSONValue = ["type": "LIST", "value": .array([.array([.array([1])])])]
    for filter: JSONObject in [
      ["comparator": "EQUALS"], ["comparator": "NO", "fieldName": "a", "fieldValue": ["type": "INT64", "value": 1]],
      ["comparator": "IN", "fieldName": "a", "fieldValue": deep],
      ["comparator": "IN", "fieldName": 1, "fieldValue": ["type": "INT64", "value": 1]],
    ] {
      #expect(Query(["recordType": "Thing", "filterBy": .array([.object(filter)])]) == nil, "\(filter)")
    }
  }
}

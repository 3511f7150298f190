import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Indexes of fields: cost and correctness")
struct QueryIndexTests {
  private static let query = Query(
    recordType: "Note", condition: QueryCondition([QueryFilter("count", .equals, .int64(-1))]))

  private func request(_ query: Query, _ person: Person) -> QueryRecordsRequest {
    QueryRecordsRequest(scope: person.scope, zone: person.zone, query: query, limit: 200)
  }

  private func names(_ query: Query, _ person: Person, _ service: CloudService? = nil) throws -> [ExactName] {
    let service = service ?? person.service
    return try service.queries.queryRecords(request(query, person), by: person.caller).records.map(\.id.name)
  }

  /// Saves notes with their numbers as counts; every `step`th note has the count -1.
  private func fill(_ person: Person, _ count: Int, step: Int) throws {
    for start in stride(from: 0, to: count, by: 400) {
      let saves = (start..<min(start + 400, count)).map { number in
        RecordSave(
          id: person.id(ExactName("n\(number)")), type: "Note",
          fields: ["count": .int64(number % step == 0 ? -1 : Int64(number)), "text": .string("text \(number % 7)")])
      }
      for save in try person.modify(saves).saves { _ = try save.get() }
    }
  }

  /// The number of file system calls that a new process makes for a query.
  private func calls(_ query: Query, _ person: Person, expecting count: Int) throws -> (all: Int, records: Int) {
    let (all, records) = (Counter(), Counter())
    let fileSystem = FileSystem(observing: .allCalls) { call in
      _ = all.next()
      if case .openFile(let path) = call, path.contains("/records/") { _ = records.next() }
      return .proceed
    }
    let service = try CloudService.open(
      root: person.cloud.path, settings: person.service.settings, fileSystem: fileSystem)
    #expect(try names(query, person, service).count == count)
    return (Int(all.next()) - 1, Int(records.next()) - 1)
  }

  @Test("10 matches cost the same in zones of 100 and 2,000 records: an indexed query does not scan the zone")
  func matchesCostTheSameInZones() throws {
    let cloud = try TemporaryCloud()
    var (small, large) = (Person(cloud, "alice"), Person(cloud, "alice"))
    large.zone = ZoneIdentifier(name: "Large")
    small.zone = ZoneIdentifier(name: "Small")
    for (person, size) in [(small, 100), (large, 2_000)] {
      try person.makeZone()
      try fill(person, size, step: size / 10)
    }
    let least = QueryFilter("count", .lessThanOrEquals, .int64(-1))
    let queries = [
      Self.query, Query(recordType: "Note", condition: QueryCondition([least])),
      Query(recordType: "Note", condition: QueryCondition([least]), sorts: [QuerySort("text", ascending: false)]),
      Query(
        recordType: "Note",
        condition: QueryCondition([QueryFilter("text", .beginsWith, .string("text")), Self.query.condition.filters[0]])),
      Query(
        recordType: "Note",
        condition: QueryCondition([QueryFilter("count", .in, .list(.int64, [.int64(-1), .int64(-2)]))])),
    ]
    for query in queries {
      // The first query builds the index.
      #expect(try names(query, small).count == 10)
      #expect(try names(query, large).count == 10)
      let (few, many) = (try calls(query, small, expecting: 10), try calls(query, large, expecting: 10))
      #expect(few.records >= 10, "\(query)")
      #expect(few.records <= 12, "\(query)")
      #expect(many.records == few.records, "\(query)")
      // In a larger tree each look-up may read one or two pages more.
      #expect(many.all <= few.all + 40, "\(query)")
    }
  }

  @Test("a page of a sorted query reads only the records of that page, in both directions")
  func pageOfASortedQueryReads() throws {
    let cloud = try TemporaryCloud()
    let alice = Person(cloud, "alice")
    try alice.makeZone()
    try fill(alice, 1_200, step: 1_200)
    for ascending in [true, false] {
      let query = Query(recordType: "Note", sorts: [QuerySort("count", ascending: ascending)])
      let found = try names(query, alice)
      #expect(found.first == (ascending ? "n0" : "n1199"))
      #expect(found.last == (ascending ? "n199" : "n1000"))
      #expect(try calls(query, alice, expecting: 200).records <= 205)
    }
  }

  @Test("an index contains keys of a field only after a query used the field")
  func indexContainsKeysOfAField() throws {
    let cloud = try TemporaryCloud { $0.indexes.leastRecords = 50 }
    let alice = Person(cloud, "alice")
    try alice.makeZone()
    try fill(alice, 49, step: 5)
    #expect(try names(Self.query, alice).count == 10)
    func kinds() throws -> Set<UInt8> {
      var kinds: Set<UInt8> = []
      let index = try alice.zoneFolder().zoneIndex()
      try index?.scan(prefix: []) { key in
        kinds.insert(key[0])
        return true
      }
      return kinds
    }
    #expect(try kinds().isDisjoint(with: [UInt8(ascii: "c"), UInt8(ascii: "f")]), "too few records for an index")
    try alice.save(alice.note("one more"))
    #expect(try names(Query(recordType: "Note"), alice).count == 50)
    #expect(try kinds().isDisjoint(with: [UInt8(ascii: "c"), UInt8(ascii: "f")]), "no field was asked for")
    #expect(try names(Self.query, alice).count == 10)
    #expect(try kinds().isSuperset(of: [UInt8(ascii: "c"), UInt8(ascii: "f")]))
  }

  @Test("a killed process leaves a partial index that commits keep up to date and the next query completes")
  func killedProcessLeavesAPartialIndex() throws {
    for last in 0..<8 {
      let cloud = try TemporaryCloud { $0.limits.documentsIndexedAtOnce = 10 }
      let alice = Person(cloud, "alice")
      try alice.makeZone()
      try fill(alice, 60, step: 6)
      let counter = Counter()
      let dying = try CloudService.open(
        root: cloud.path, settings: cloud.service.settings,
        fileSystem: FileSystem { _ in counter.next() > Int64(last * 4) ? .stopBefore : .proceed })
      _ = try? names(Self.query, alice, dying)
      let changed = stride(from: 0, to: 60, by: 5).map { number in
        let count: Int64 = number % 10 == 0 ? -1 : Int64(number)
        return RecordSave(id: alice.id(ExactName("n\(number)")), type: "Note", fields: ["count": .int64(count)])
      }
      for save in try alice.modify(changed, delete: ["n6", "n59"], policy: .allKeys).saves { _ = try save.get() }
      #expect(try cloud.service.checks.check() == [], "after \(last)")
      let expected = (0..<60).filter { number in
        number % 5 == 0 ? number % 10 == 0 : number % 6 == 0 && number != 6
      }.map { number in ExactName("n\(number)") }
      #expect(try names(Self.query, alice) == expected.sorted(), "after \(last)")
      #expect(try cloud.service.checks.check() == [], "after \(last)")
    }
  }

  @Test("check finds an extra and a missing index key, and repair rebuilds the index")
  func checkFindsAnExtraAndAMissing() throws {
    let cloud = try TemporaryCloud()
    let alice = Person(cloud, "alice")
    try alice.makeZone()
    try fill(alice, 20, step: 2)
    #expect(try names(Self.query, alice).count == 10)
    let index = try #require(try alice.zoneFolder().zoneIndex())
    var keys: [[UInt8]] = []
    try index.scan(prefix: [UInt8(ascii: "f")]) { key in
      keys.append(key)
      return true
    }
    #expect(keys.count == 20)
    // Moves one record to a wrong value, and removes another record.
    var wrong = keys[0]
    wrong[try #require(wrong.lastIndex(of: 0)) - 1] ^= 1
    try index.apply(insert: [wrong], remove: [keys[1]], sequence: index.sequence)
    #expect(try cloud.service.checks.check().count == 2)
    _ = try cloud.service.repairs.repair()
    #expect(try cloud.service.checks.check() == [])
    #expect(try names(Self.query, alice).count == 10)
  }

  @Test("a process that can't write an index gets the same results without one")
  func readOnly() throws {
    let cloud = try TemporaryCloud()
    let alice = Person(cloud, "alice")
    try alice.makeZone()
    try fill(alice, 20, step: 2)
    let refusing = try CloudService.open(
      root: cloud.path, settings: cloud.service.settings,
      fileSystem: FileSystem { call in
        if case .write(let path, _, _) = call, path.contains("/.index/") { return .fail(SystemError.noSpace) }
        return .proceed
      })
    #expect(try names(Self.query, alice, refusing).count == 10)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a zone with a missing or damaged index can be read without write access", arguments: [true, false])
  func zoneWithAMissingOrDamagedIndex(isMissing: Bool) throws {
    let cloud = try TemporaryCloud()
    let alice = Person(cloud, "alice")
    try alice.makeZone()
    try fill(alice, 20, step: 2)
    let folder = try alice.zoneFolder().directory(".index")
    if isMissing {
      try folder.remove("index")
    } else {
      try folder.writeStaged("index", [UInt8](repeating: 7, count: 50_000))
    }
    let before = try FolderImage(of: cloud.path)
    for code in [SystemError.readOnly, SystemError.noSpace] {
      let refusing = try CloudService.open(
        root: cloud.path, settings: cloud.service.settings,
        fileSystem: FileSystem { call in
          switch call {
          case .createFile, .makeDirectory, .write, .truncate, .remove, .rename: .fail(code)
          default: .proceed
          }
        })
      #expect(try names(Self.query, alice, refusing).count == 10)
      let request = ZoneChangesRequest(scope: .private, zone: alice.zone)
      #expect(try refusing.feeds.zoneChanges(request, by: alice.caller).changed.count == 20)
    }
    #expect(try FolderImage(of: cloud.path).differences(from: before) == [])
    #expect(try cloud.service.checks.check().count <= 1)
    #expect(try names(Self.query, alice).count == 10)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a query reports an unreadable record, with and without an index ([query-error-3])")
  func queryReportsAnUnreadableRecord() throws {
    let cloud = try TemporaryCloud()
    let alice = Person(cloud, "alice")
    try alice.makeZone()
    try fill(alice, 20, step: 2)
    let records = try alice.zoneFolder().directory("records")
    let text = String(decoding: try #require(try records.contents("n1.json")), as: UTF8.self)
    try records.writeStaged("n1.json", Array(text.replacing("\"INT64\"", with: "\"NUMBER\"").utf8))
    var settings = cloud.service.settings
    settings.indexes.leastRecords = .max
    let scanning = CloudService(cloud: cloud.service.cloud, settings: settings)
    for sorts in [[], [QuerySort("text")], [QuerySort("count", ascending: false)]] {
      for filters in [[], Self.query.condition.filters] where !filters.isEmpty || !sorts.isEmpty {
        let query = Query(recordType: "Note", condition: QueryCondition(filters), sorts: sorts)
        let served = try cloud.service.queries.queryRecords(request(query, alice), by: alice.caller)
        let scanned = try scanning.queries.queryRecords(request(query, alice), by: alice.caller)
        #expect(served.records.map(\.id) == scanned.records.map(\.id))
        #expect(served.failed.map(\.record) == scanned.failed.map(\.record))
        #expect(served.failed.map(\.record.name) == ["n1"])
      }
    }
  }
}

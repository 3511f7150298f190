import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

/// Compares random queries with Swift closures over a Swift struct. The closures are independent of field values and
/// filters.
@Suite("Queries: an independent oracle")
struct QueryOracleTests {
  private struct Item {
    var name: String
    var text: String?
    var count: Int64?
    var price: Double?
    /// Seconds since 2001, some of them less than a millisecond apart.
    var due: Double?
    var tags: [String]?
    var friend: String?

    var fields: [String: FieldValue] {
      var fields: [String: FieldValue] = [:]
      fields["text"] = text.map { .string($0) }
      fields["count"] = count.map { .int64($0) }
      fields["price"] = price.map { .double($0) }
      fields["due"] = due.map { .timestamp(Moment(secondsSince2001: $0)) }
      fields["tags"] = tags.map { .list(.string, $0.map { .string($0) }) }
      fields["friend"] = friend.map { .reference(ReferenceValue(record: ExactName($0))) }
      return fields
    }
  }

  private struct Pair {
    var filter: QueryFilter
    var holds: (Item) -> Bool
  }

  private struct Generator {
    var random: SeededGenerator

    /// Longer than the part of a value that an index stores.
    static let long = String(repeating: "long ", count: 60)
    static let words = [
      "", "a", "A", "ab", "b", "é", "e\u{301}", "zoo", "Zoo", "a\0", "a\u{1}", "a\u{2}", long, long + "a", long + "b",
    ]

    mutating func pick<Element>(_ elements: [Element]) -> Element {
      elements[Int.random(in: elements.indices, using: &random)]
    }

    mutating func item(_ number: Int) -> Item {
      Item(
        name: "n\(number)", text: pick([nil] + Self.words.map(Optional.some)), count: pick([nil, -1, 0, 1, 2, 3]),
        price: pick([nil, -0.5, 0, 1, 2.5]), due: pick([nil, 0, 1000, 1000.0000001, 1000.0000002, 2000]),
        tags: pick([nil, [], ["a"], ["a", "b"], ["ab", "é", "a"], ["zoo"]]), friend: pick([nil, "n0", "n1"]))
    }

    private typealias Relation = (comparator: QueryComparator, holds: @Sendable (Double, Double) -> Bool)

    private static let relations: [Relation] = [
      (.equals, { $0 == $1 }), (.notEquals, { $0 != $1 }), (.lessThan, { $0 < $1 }),
      (.lessThanOrEquals, { $0 <= $1 }), (.greaterThan, { $0 > $1 }), (.greaterThanOrEquals, { $0 >= $1 }),
    ]

    mutating func pair() -> Pair {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: return number()
      case 1: return text()
      case 2: return anyOf()
      case 3: return list()
      case 4: return friend()
      default: return prefix()
      }
    }

    private mutating func number() -> Pair {
      let (relation, wanted) = (pick(Self.relations), pick([-1.0, 0, 1, 1.5, 2, 1000, 1000.0000001]))
      let field = pick(["count", "price", "due"])
      let whole = Int64(wanted.rounded())
      switch field {
      case "due":
        return Pair(filter: QueryFilter(field, relation.comparator, .timestamp(Moment(secondsSince2001: wanted)))) {
          $0.due.map { relation.holds($0, wanted) } ?? false
        }
      default:
        let isWhole = Double(whole) == wanted && Bool.random(using: &random)
        let value = isWhole ? FieldValue.int64(whole) : .double(wanted)
        return Pair(filter: QueryFilter(field, relation.comparator, value)) {
          (field == "count" ? $0.count.map(Double.init) : $0.price).map { relation.holds($0, wanted) } ?? false
        }
      }
    }

    private static func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

    private mutating func text() -> Pair {
      let wanted = pick(Self.words)
      let scalars = Self.scalars(wanted)
      let forms: [(QueryComparator, ([UInt32]) -> Bool)] = [
        (.equals, { $0 == scalars }), (.notEquals, { $0 != scalars }),
        (.lessThan, { $0.lexicographicallyPrecedes(scalars) }),
        (.greaterThanOrEquals, { !$0.lexicographicallyPrecedes(scalars) }),
        (.greaterThan, { scalars.lexicographicallyPrecedes($0) }),
        (.lessThanOrEquals, { !scalars.lexicographicallyPrecedes($0) }),
      ]
      let form = pick(forms)
      return Pair(filter: QueryFilter("text", form.0, .string(wanted))) {
        $0.text.map { form.1(Self.scalars($0)) } ?? false
      }
    }

    private mutating func anyOf() -> Pair {
      let wanted = (0..<pick([0, 1, 3])).map { _ in pick(Self.words) }
      let isNegated = Bool.random(using: &random)
      let value = FieldValue.list(wanted.isEmpty ? .unknown : .string, wanted.map { .string($0) })
      let known = Set(wanted.map(Self.scalars))
      return Pair(filter: QueryFilter("text", isNegated ? .notIn : .in, value)) {
        $0.text.map { known.contains(Self.scalars($0)) != isNegated } ?? false
      }
    }

    private mutating func list() -> Pair {
      let wanted = (0..<pick([1, 2])).map { _ in pick(["a", "b", "é", "zo"]) }
      let value = FieldValue.list(.string, wanted.map { .string($0) })
      let forms: [(QueryComparator, FieldValue, ([String]) -> Bool)] = [
        (.listContains, .string(wanted[0]), { $0.contains(wanted[0]) }),
        (.notListContains, .string(wanted[0]), { !$0.contains(wanted[0]) }),
        (.listContainsAny, value, { !Set($0).isDisjoint(with: wanted) }),
        (.notListContainsAny, value, { Set($0).isDisjoint(with: wanted) }),
        (.listContainsAll, value, { Set($0).isSuperset(of: wanted) }),
        (.notListContainsAll, value, { !Set($0).isSuperset(of: wanted) }),
        (.listMemberBeginsWith, .string(wanted[0]), { $0.contains { $0.hasPrefix(wanted[0]) } }),
        (.notListMemberBeginsWith, .string(wanted[0]), { !$0.contains { $0.hasPrefix(wanted[0]) } }),
      ]
      let form = pick(forms)
      return Pair(filter: QueryFilter("tags", form.0, form.1)) { $0.tags.map(form.2) ?? false }
    }

    private mutating func friend() -> Pair {
      let wanted = pick(["n0", "n1", "n2"])
      let isNegated = Bool.random(using: &random)
      let value = FieldValue.reference(ReferenceValue(record: ExactName(wanted), action: .deleteSelf))
      return Pair(filter: QueryFilter("friend", isNegated ? .notEquals : .equals, value)) {
        $0.friend.map { ($0 == wanted) != isNegated } ?? false
      }
    }

    private mutating func prefix() -> Pair {
      let wanted = pick(["", "a", "z", "e", "é"])
      let isNegated = Bool.random(using: &random)
      return Pair(filter: QueryFilter("text", isNegated ? .notBeginsWith : .beginsWith, .string(wanted))) {
        $0.text.map { Self.scalars($0).starts(with: Self.scalars(wanted)) != isNegated } ?? false
      }
    }

    mutating func sorts() -> [QuerySort] {
      (0..<pick([0, 1, 2])).map { _ in
        QuerySort(pick(["text", "count", "price", "due"]), ascending: Bool.random(using: &random))
      }
    }
  }

  /// Negative, zero or positive, like a comparison; a missing value sorts first.
  private static func order(_ one: Item, _ other: Item, _ key: String) -> Int {
    func order<Value>(_ one: Value?, _ other: Value?, _ isLess: (Value, Value) -> Bool) -> Int {
      guard let one else { return other == nil ? 0 : -1 }
      guard let other else { return 1 }
      return isLess(one, other) ? -1 : isLess(other, one) ? 1 : 0
    }
    switch key {
    case "text":
      return order(one.text, other.text) {
        $0.unicodeScalars.map(\.value).lexicographicallyPrecedes($1.unicodeScalars.map(\.value))
      }
    case "count": return order(one.count, other.count, <)
    case "price": return order(one.price, other.price, <)
    default: return order(one.due, other.due, <)
    }
  }

  /// A zone with two services: one answers each query by an index, with low memory limits, the other scans all
  /// records.
  private struct Stage {
    let cloud: TemporaryCloud
    let alice: Person
    let scanning: CloudService
    var items: [String: Item] = [:]
    var generator: Generator

    init(seed: UInt64) throws {
      generator = Generator(random: SeededGenerator(seed: seed))
      cloud = try TemporaryCloud { settings in
        settings.indexes.namesAtOnce = 5
        settings.indexes.fewMatches = 10
        settings.limits.documentsIndexedAtOnce = 7
        settings.limits.checkpointBytes = 20_000
      }
      var settings = cloud.service.settings
      settings.indexes.leastRecords = .max
      scanning = CloudService(cloud: cloud.service.cloud, settings: settings)
      alice = Person(cloud, "alice")
      try alice.makeZone()
      let complete = Item(name: "n60", text: "a", count: 1, price: 1, due: 1, tags: ["a"], friend: "n0")
      try save((0..<60).map { generator.item($0) } + [complete], delete: [])
    }

    private func request(_ saved: [Item], delete: [String]) -> ModifyRecordsRequest {
      let fields = ["text", "count", "price", "due", "tags", "friend"]
      let saves = saved.map { item in
        var save = RecordSave(id: alice.id(ExactName(item.name)), type: "Item")
        for key in fields { save.fields[key] = .some(item.fields[key]) }
        return save
      }
      return ModifyRecordsRequest(
        scope: .private, saves: saves, deletes: delete.map { alice.id(ExactName($0)) }, policy: .allKeys)
    }

    mutating func save(_ saved: [Item], delete: [String]) throws {
      let response = try cloud.service.records.modifyRecords(request(saved, delete: delete), by: alice.caller)
      for save in response.saves { _ = try save.get() }
      for delete in response.deletes { try delete.get() }
      note(saved, delete)
    }

    private mutating func note(_ saved: [Item], _ deleted: [String]) {
      for item in saved { items[item.name] = item }
      for name in deleted { items[name] = nil }
    }

    private mutating func edit() -> (saved: [Item], deleted: [String]) {
      let numbers = Set((0..<generator.pick([1, 2, 6])).map { _ in Int.random(in: 0..<80, using: &generator.random) })
        .subtracting([60]).sorted()
      let saved = numbers.filter { _ in Int.random(in: 0..<4, using: &generator.random) > 0 }
      return (
        saved.map { generator.item($0) },
        numbers.filter { !saved.contains($0) }.map { "n\($0)" }.filter { items[$0] != nil }
      )
    }

    /// Makes an edit, removes the index, or stops a process in the middle of an edit.
    mutating func disturb() throws {
      let edit = edit()
      switch Int.random(in: 0..<4, using: &generator.random) {
      case 0, 1: try save(edit.saved, delete: edit.deleted)
      case 2: try removeIndex()
      default: try dieWhileSaving(edit.saved, edit.deleted)
      }
    }

    func folder() throws -> Directory {
      try cloud.zoneFolder()
    }

    func removeIndex() throws { try folder().directory(".index").remove("index") }

    private mutating func dieWhileSaving(_ saved: [Item], _ deleted: [String]) throws {
      guard let first = saved.first else { return }
      let before = try? alice.fetch(ExactName(first.name)).changeTag
      let (counter, last) = (Counter(), Int.random(in: 0..<25, using: &generator.random))
      let dying = FileSystem { _ in counter.next() > last ? .stopBefore : .proceed }
      let service = try? CloudService.open(root: cloud.path, settings: cloud.service.settings, fileSystem: dying)
      _ = try? service?.records.modifyRecords(request(saved, delete: deleted), by: alice.caller)
      if before != (try? alice.fetch(ExactName(first.name)).changeTag) { note(saved, deleted) }
    }
  }

  /// 1,000 by default; for more: `LOCALCLOUD_QUERIES=10000 swift test --filter QueryOracleTests`.
  private static let rounds = HostProcess.environment("LOCALCLOUD_QUERIES").flatMap(Int.init) ?? 1000

  // [query-index-3]
  @Test("random queries find the same records as the oracle, with and without indexes, after edits and crashes")
  func randomQueriesFindTheSameRecords() throws {
    let seed = TestSeed.value
    var stage = try Stage(seed: seed)
    for round in 0..<Self.rounds {
      if round % 10 == 9 { try stage.disturb() }
      let pairs = (0..<stage.generator.pick([0, 1, 1, 2, 3])).map { _ in stage.generator.pair() }
      let query = Query(
        recordType: "Item", condition: QueryCondition(pairs.map(\.filter)), sorts: stage.generator.sorts())
      let expected = stage.items.values.filter { item in pairs.allSatisfy { $0.holds(item) } }.sorted { one, other in
        for sort in query.sorts {
          let order = Self.order(one, other, sort.key)
          if order != 0 { return (order < 0) == sort.ascending }
        }
        return one.name < other.name
      }
      let limit = stage.generator.pick([0, 7, 30])
      for service in [stage.cloud.service, stage.scanning] {
        var request = QueryRecordsRequest(
          scope: .private, zone: stage.alice.zone, query: query, desiredKeys: [], limit: limit)
        var found: [String] = []
        repeat {
          let page = try service.queries.queryRecords(request, by: stage.alice.caller)
          found += page.records.map(\.id.name.string)
          request.cursor = page.cursor
        } while request.cursor != nil
        try #require(found == expected.map(\.name), "seed \(seed), round \(round): \(query)")
      }
      if round % 100 == 99 {
        try #require(try stage.cloud.service.checks.check() == [], "seed \(seed), round \(round)")
      }
    }
  }
}
